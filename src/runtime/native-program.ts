// A program in C, compiled through the cache, loaded, and run on the engine's stream. Where the C comes from is not its
// business: the compiler's output and a hand-written program are alike.
import type { DynamicParts } from '../compiler/index.ts';
import { byteSize, type TensorType } from '../hlo/types.ts';
import { checkedInputs, type Signature } from './arguments.ts';
import type { CompileReport, DeviceBuffer, Executable } from './backend.ts';
import { HostBuffer, writersOf } from './buffer.ts';
import type { CCompiler } from './c-compiler.ts';
import type { CompileCache, CompileRequest } from './compile-cache.ts';
import { DynamicExecutable } from './dynamic-program.ts';
import type { Engine } from './engine.ts';
import { allocate, type Block } from './memory.ts';
import { type Address, programHeaders } from './native-library.ts';

/** A program in C and what is needed to run it. */
export interface NativeProgram extends Signature {
  readonly units: CompileRequest['units'];
  readonly flags: readonly string[];
  /** The name of the function of type `trenio_step`. */
  readonly entry: string;
  readonly arenaBytes: number;
  /** Of a program whose sizes are known only when it runs. */
  readonly dynamic?: DynamicParts;
  /** How many kernels it has, for the report. */
  readonly kernels: number;
}

/** Where programs are compiled and run. */
export interface NativeHost {
  readonly engine: Engine;
  readonly cache: CompileCache;
  readonly compiler: CCompiler;
}

/** Compiles C and loads it. Throws C_COMPILER_FAILED, LOAD_FAILED, OUT_OF_MEMORY for an arena that does not fit. */
export function loadProgram(
  host: NativeHost,
  program: NativeProgram,
  start = performance.now(),
): { readonly executable: Executable; readonly report: CompileReport } {
  const { units, flags, arenaBytes, kernels } = program;
  const { path, fromCache } = host.cache.obtain({ units, headers: programHeaders(), flags }, host.compiler);
  const entry = host.engine.native.load(path, program.entry);
  const arena = host.engine.arena(arenaBytes);
  const executable =
    program.dynamic === undefined
      ? new NativeExecutable(host.engine, program, entry, arena)
      : new DynamicExecutable(
          host.engine,
          program,
          program.dynamic,
          { step: entry, collect: host.engine.native.load(path, program.dynamic.collect) },
          arena,
        );
  return { executable, report: { fromCache, compileMs: performance.now() - start, arenaBytes, kernels } };
}

class NativeExecutable implements Executable {
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  readonly donated: readonly (number | undefined)[];
  readonly #signature: Signature;
  readonly #engine: Engine;
  readonly #entry: Address;
  readonly #arena: Address;

  constructor(engine: Engine, signature: Signature, entry: Address, arena: Address) {
    const { name, inputTypes, outputTypes, donated } = signature;
    this.#signature = { name, inputTypes, outputTypes, donated };
    this.inputTypes = inputTypes;
    this.outputTypes = outputTypes;
    this.donated = donated;
    this.#engine = engine;
    this.#entry = entry;
    this.#arena = arena;
  }

  run(inputs: readonly DeviceBuffer[]): readonly DeviceBuffer[] {
    const { name: program } = this.#signature;
    const buffers = checkedInputs(this.#signature, inputs);
    const after = writersOf(buffers);
    const outputs = this.outputTypes.map((type, i): Block => {
      const input = this.donated[i];
      return input === undefined
        ? allocate(byteSize(type), `a result of ${program}`, this.#engine.native)
        : buffers[input]!.block;
    });
    const blocks = [...buffers.map(buffer => buffer.block), ...outputs];
    const ticket = this.#engine.stream.submit({
      program,
      entry: this.#entry,
      arena: this.#arena,
      args: blocks.map(block => block.address),
      after,
      keepAlive: blocks,
    });
    for (const input of this.donated) if (input !== undefined) buffers[input]!.consume(program);
    return outputs.map((block, i) => new HostBuffer(this.outputTypes[i]!, block, ticket));
  }
}
