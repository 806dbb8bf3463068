// A program in C, compiled through the cache, loaded, and run on the engine's stream. It treats the output of the compiler and
// hand-written programs alike.
import type { DynamicParts } from '../../compiler/index.ts';
import { byteSize, type TensorType } from '../../hlo/types.ts';
import type { CCompiler } from '../toolchain/c-compiler.ts';
import type { CompileCache, CompiledLibrary } from '../toolchain/compile-cache.ts';
import type { CompileRequest } from '../toolchain/compile-request.ts';
import { programHeaders } from '../toolchain/native-sources.ts';
import { checkedInputs, type Signature } from './arguments.ts';
import { HostBuffer, writersOf } from './buffer.ts';
import { DynamicExecutable } from './dynamic-program.ts';
import type { Engine } from './engine.ts';
import type { DeviceBuffer, Executable, LoadedProgram } from './executable.ts';
import { allocate, type Block } from './memory.ts';
import type { Address } from './native-library.ts';
import { observedProgram } from './observed-program.ts';
import type { ProgramParts, Tables } from './timers.ts';

/** The data needed to run a compiled program: plain data, stored next to its machine code. */
export interface ProgramDescription extends Signature {
  /** The name of the function of type `trenio_step`. */
  readonly entry: string;
  readonly arenaBytes: number;
  /** Set for a program with sizes known only at run time. */
  readonly dynamic?: DynamicParts;
  /** The number of kernels, for the report. */
  readonly kernels: number;
  /** The items that its profile counts. */
  readonly parts?: ProgramParts;
}
/** A program in C. */
export interface NativeProgram extends ProgramDescription {
  readonly units: CompileRequest['units'];
  readonly flags: readonly string[];
}

/** Where programs are compiled and run. */
export interface NativeHost {
  readonly engine: Engine;
  readonly cache: CompileCache;
  readonly compiler: CCompiler;
}

/**
 * Compiles C and loads it.
 * @throws {C_COMPILER_FAILED}
 * @throws {LOAD_FAILED}
 * @throws {OUT_OF_MEMORY} for an arena that does not fit
 */
export function loadProgram(host: NativeHost, program: NativeProgram, start = performance.now()): LoadedProgram {
  const { units, flags } = program;
  const request = { units, headers: programHeaders(), flags, commentsIgnored: true };
  return loadLibrary(host, program, host.cache.obtain(request, host.compiler), start);
}

/**
 * Loads a compiled program.
 * @throws {LOAD_FAILED}
 * @throws {OUT_OF_MEMORY} for an arena that does not fit
 */
export function loadLibrary(
  host: NativeHost,
  program: ProgramDescription,
  { path, fromCache }: Pick<CompiledLibrary, 'path' | 'fromCache'>,
  start: number,
): LoadedProgram {
  const { arenaBytes, kernels } = program;
  const entry = host.engine.native.load(path, program.entry);
  const arena = host.engine.arena(arenaBytes, program.name);
  const executable =
    program.dynamic === undefined
      ? new NativeExecutable(host.engine, program, entry, arena, program.parts)
      : new DynamicExecutable(
          host.engine,
          program,
          program.dynamic,
          { step: entry, collect: host.engine.native.load(path, program.dynamic.collect) },
          arena,
          program.parts,
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
  readonly #parts: ProgramParts | undefined;
  #profile: Tables | undefined;
  readonly #onDone: ((nanoseconds: bigint) => void) | undefined;
  /** Results that are not aliases of inputs. */
  readonly #freshBytes: number;
  #isFirst = true;

  constructor(engine: Engine, signature: Signature, entry: Address, arena: Address, parts?: ProgramParts) {
    const { name, inputTypes, outputTypes, donated } = signature;
    this.#signature = { name, inputTypes, outputTypes, donated };
    this.inputTypes = inputTypes;
    this.outputTypes = outputTypes;
    this.donated = donated;
    this.#engine = engine;
    this.#entry = entry;
    this.#arena = arena;
    this.#freshBytes = outputTypes.reduce((sum, type, i) => sum + (donated[i] === undefined ? byteSize(type) : 0), 0);
    this.#parts = parts;
    const state = donated.filter(input => input !== undefined).length;
    this.#onDone = observedProgram(name, state, parts);
  }

  run(inputs: readonly DeviceBuffer[]): readonly DeviceBuffer[] {
    const { name: program } = this.#signature;
    const buffers = checkedInputs(this.#signature, inputs);
    const after = writersOf(buffers);
    this.#profile ??= this.#parts && this.#engine.kernelTimer?.add(program, this.#parts);
    let freshBytes = this.#freshBytes;
    // State that starts as zeros gets its memory when it is first written.
    if (this.#isFirst)
      for (const input of this.donated) if (input !== undefined) freshBytes += buffers[input]!.untouchedBytes;
    this.#engine.budget.require(freshBytes, () => `the results of ${program}`);
    const outputs = this.outputTypes.map((type, i): Block => {
      const input = this.donated[i];
      return input === undefined
        ? (this.#engine.spare.take(byteSize(type)) ??
            allocate(byteSize(type), `a result of ${program}`, this.#engine.native))
        : buffers[input]!.block;
    });
    const blocks = [...buffers.map(buffer => buffer.block), ...outputs];
    const ticket = this.#engine.stream.submit({
      program,
      entry: this.#entry,
      arena: this.#arena,
      args: blocks.map(block => block.address),
      after,
      profile: this.#isFirst ? this.#profile?.first : this.#profile?.later,
      onDone: this.#onDone,
      keepAlive: blocks,
      freshBytes,
    });
    this.#isFirst = false;
    for (const input of this.donated) if (input !== undefined) buffers[input]!.consume(program);
    return outputs.map((block, i) => new HostBuffer(this.outputTypes[i]!, block, ticket, this.#engine.spare));
  }
}
