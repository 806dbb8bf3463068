// The native backend: module → C (src/compiler) → shared object (compile cache) → one call a step, on the engine's
// stream.
import { compilerFlags, compileToC, hostTarget } from '../compiler/index.ts';
import { moduleKey } from '../hlo/func-key.ts';
import type { Module } from '../hlo/program.ts';
import type { TensorType } from '../hlo/types.ts';
import type { Backend, CompileReport, DeviceBuffer, Executable } from './backend.ts';
import { HostBuffer } from './buffer.ts';
import { operatorsOf } from './custom-operators.ts';
import { loadProgram, type NativeHost } from './native-program.ts';

interface Loaded {
  readonly executable: Executable;
  readonly report: CompileReport;
}

export class CpuBackend implements Backend {
  readonly name = 'cpu';
  readonly #host: NativeHost;
  readonly #loaded = new Map<string, Loaded>(); // by what they compute

  constructor(host: NativeHost) {
    this.#host = host;
  }

  compile(module: Module): Loaded {
    const start = performance.now();
    const operators = operatorsOf(module);
    const key = `${moduleKey(module)} ${[...operators.values()].join(' ')}`;
    let loaded = this.#loaded.get(key);
    if (loaded !== undefined) {
      const report = { ...loaded.report, fromCache: true, compileMs: performance.now() - start };
      return { executable: loaded.executable, report };
    }
    const target = hostTarget();
    const program = compileToC(module, target, operators);
    const units = program.units.map(({ name, source }) => ({ name: `${name}.c`, source }));
    const [flags, kernels] = [compilerFlags(target), program.kernels.length];
    loaded = loadProgram(this.#host, { ...program, name: module.name, units, flags, kernels }, start);
    this.#loaded.set(key, loaded);
    return loaded;
  }
  upload(type: TensorType, bytes: Uint8Array): DeviceBuffer {
    return HostBuffer.copyOf(type, bytes, this.#host.engine.native);
  }
  synchronize(): void {
    this.#host.engine.stream.synchronize();
  }
}
