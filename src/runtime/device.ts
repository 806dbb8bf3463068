// The process's own runtime, for scripts that do not make one: the only global of this folder.
import type { Backend } from './backends/backend.ts';
import { Runtime } from './runtime.ts';

let shared: Runtime | undefined;

/** The runtime of this process, made from its environment at the first call. */
export function defaultRuntime(): Runtime {
  shared ??= new Runtime();
  return shared;
}

/** A device of the process's runtime: `cpu`, or what TRENIO_BACKEND names. */
export const defaultBackend = (name?: string): Backend => defaultRuntime().backend(name);
