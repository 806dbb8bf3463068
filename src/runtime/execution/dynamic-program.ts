// A compiled program with dynamic shapes: one executable for all sizes. The sizes of its inputs are passed
// in a report (src/compiler/cpu/target/size-report.ts), which returns those of its results; then the results are fetched.
// Therefore `run` waits for queued work and for the program itself, unless its caller knows the sizes of the results.
import { TrenioError } from '../../base/errors.ts';
import { type DynamicParts, failures, inputWords, reportLayout } from '../../compiler/index.ts';
import { assertionError } from '../../hlo/ops/shape-assertion.ts';
import { byteSize, dynamicDim, type TensorType } from '../../hlo/types.ts';
import { checkedInputs, type Signature } from './arguments.ts';
import { HostBuffer, writersOf } from './buffer.ts';
import type { Engine } from './engine.ts';
import type { DeviceBuffer, Executable } from './executable.ts';
import { allocate, type Block } from './memory.ts';
import type { Address } from './native-library.ts';
import { observedProgram } from './observed-program.ts';
import type { Submission, Ticket } from './stream.ts';
import type { ProgramParts } from './timers.ts';

export interface DynamicEntries {
  readonly step: Address;
  readonly collect: Address;
}

export class DynamicExecutable implements Executable {
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  readonly donated: readonly (number | undefined)[];
  readonly #signature: Signature;
  readonly #engine: Engine;
  readonly #parts: DynamicParts;
  readonly #entries: DynamicEntries;
  readonly #arena: Address;
  readonly #onDone: Submission['onDone'];

  constructor(
    engine: Engine,
    signature: Signature,
    parts: DynamicParts,
    entries: DynamicEntries,
    arena: Address,
    kernels?: ProgramParts,
  ) {
    const { name, inputTypes, outputTypes, donated } = signature;
    this.#signature = { name, inputTypes, outputTypes, donated };
    this.inputTypes = inputTypes;
    this.outputTypes = outputTypes;
    this.donated = donated;
    this.#engine = engine;
    this.#parts = parts;
    this.#entries = entries;
    this.#arena = arena;
    this.#onDone = observedProgram(name, donated.filter(input => input !== undefined).length, kernels);
  }

  run(inputs: readonly DeviceBuffer[], outputTypes?: readonly TensorType[]): readonly DeviceBuffer[] {
    const { name: program } = this.#signature;
    const buffers = checkedInputs(this.#signature, inputs);
    const after = writersOf(buffers);
    const report = allocate(8 * this.#parts.reportWords, `sizes of ${program}`);
    const words = new BigInt64Array(report.bytes.buffer, report.bytes.byteOffset, this.#parts.reportWords);
    words[reportLayout.limit] = BigInt(this.#engine.arenaLimit());
    const state = (at: number, sizes: readonly number[]): void =>
      sizes.forEach((size, d) => {
        words[at + d] = BigInt(size);
      });
    const { starts } = inputWords(this.inputTypes);
    for (const [i, { type }] of buffers.entries()) state(starts[i]!, type.shape);
    if (outputTypes !== undefined)
      for (const { output, word } of this.#parts.results) state(word + 1, outputTypes[output]!.shape);
    const known = (outputTypes ?? this.outputTypes).map((type, i): Block | undefined => {
      if (type.shape.includes(dynamicDim)) return undefined;
      const input = this.donated[i];
      return input === undefined ? this.#allocate(type) : buffers[input]!.block;
    });
    const ticket = this.#submit(this.#entries.step, [...buffers.map(buffer => buffer.block), ...known, report], after, {
      onDone: nanoseconds => {
        this.#engine.arenaGrown(Number(words[reportLayout.grown]));
        this.#onDone?.(nanoseconds);
      },
      reported: () => this.#failure(words),
    });
    const consume = (): void => {
      for (const input of this.donated) if (input !== undefined) buffers[input]!.consume(program);
    };
    if (outputTypes !== undefined) {
      consume();
      return known.map((block, i) => new HostBuffer(outputTypes[i]!, block, ticket, this.#engine.spare));
    }

    ticket.wait();
    const found = this.#parts.results.map(({ output, word }) => {
      const shape = this.outputTypes[output]!.shape.map((_, d) => Number(words[word + 1 + d]));
      const { bounds: _, ...open } = this.outputTypes[output]!;
      const type: TensorType = { ...open, shape };
      return { output, type, block: this.#allocate(type) };
    });
    if (found.length > 0) this.#submit(this.#entries.collect, [report, ...found.map(f => f.block)], []).wait();
    consume();
    return this.outputTypes.map((type, i) => {
      const result = found.find(f => f.output === i);
      return result === undefined ? new HostBuffer(type, known[i]!) : new HostBuffer(result.type, result.block);
    });
  }

  #allocate(type: TensorType): Block {
    const { budget, native, spare } = this.#engine;
    const bytes = byteSize(type);
    budget.require(bytes, () => `a result of ${this.#signature.name}`);
    return spare.take(bytes) ?? allocate(bytes, `a result of ${this.#signature.name}`, native);
  }

  #submit(
    entry: Address,
    blocks: readonly (Block | undefined)[],
    after: readonly Ticket[],
    more: Pick<Submission, 'onDone' | 'reported'> = {},
  ): Ticket {
    return this.#engine.stream.submit({
      program: this.#signature.name,
      entry,
      arena: this.#arena,
      args: blocks.map(block => block?.address ?? 0n),
      after,
      keepAlive: blocks,
      ...more,
    });
  }

  #failure(words: BigInt64Array): TrenioError {
    const op = this.#parts.ops[Number(words[reportLayout.op])];
    const first = Number(words[reportLayout.first]);
    const second = Number(words[reportLayout.second]);
    const dim = Number(words[reportLayout.dim]);
    const name = op?.name ?? 'an op';
    const options = { location: op?.location };
    switch (Number(words[reportLayout.failure])) {
      case failures.memory:
        return new TrenioError('OUT_OF_MEMORY', { what: name, bytes: first, available: second }, options);
      case failures.assertion: {
        const values = words.subarray(reportLayout.values, reportLayout.limit);
        return assertionError(this.#signature.name, op?.message ?? '', values, op?.location);
      }
      case failures.elements:
        return new TrenioError(
          'SIZES_DO_NOT_FIT',
          { op: name, detail: `${first} elements cannot become ${second}` },
          options,
        );
      case failures.range:
        return new TrenioError(
          'SIZES_DO_NOT_FIT',
          { op: name, detail: `invalid size, start or padding ${first}` },
          options,
        );
      default:
        return new TrenioError(
          'SIZES_DO_NOT_FIT',
          { op: name, detail: `sizes ${first} and ${second} of dim ${dim} are incompatible` },
          options,
        );
    }
  }
}
