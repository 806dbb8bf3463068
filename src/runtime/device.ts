// The default runtime of the process, the only global of this folder.
import type { Backend } from './backends/backend.ts';
import { Runtime } from './runtime.ts';

let shared: Runtime | undefined;

/** The runtime of this process, created from its environment at the first call. */
export function defaultRuntime(): Runtime {
  shared ??= new Runtime();
  return shared;
}

/** A device of the process's runtime: `cpu`, or the one selected by TRENIO_BACKEND. */
export const defaultBackend = (name?: string): Backend => defaultRuntime().backend(name);
