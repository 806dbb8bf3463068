// Collectives called from JavaScript: counts of an evaluation, agreeing on a step. Gradients do not use
// them: they are all-reduced within the compiled step. All ranks must make the same calls in the same order.
import { TrenioError } from '../../base/errors.ts';
import { dataTypeOf, dataTypes, type Reduction, reductions } from '../../compiler/index.ts';
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import type { Engine } from '../execution/engine.ts';
import { allocateUnshared } from '../execution/memory.ts';
import type { Address } from '../execution/native-library.ts';

/** Combines all ranks' literals element by element, pairwise in the order of the ranks. Integers of 32 and 64 bits and floats. */
export function allReduceLiteral(engine: Engine, literal: Literal, reduction: Reduction): Literal {
  const dataType = dataTypeOf(literal.type.elementType);
  if (dataType === undefined) {
    const what = `all-reduce of ${literal.type.elementType}`;
    throw new TrenioError('UNSUPPORTED', {
      what,
      where: 'the ranks',
      instead: `convert to one of ${Object.keys(dataTypes).join(', ')}`,
    });
  }
  const bytes = bytesOf(literal);
  const data = allocateUnshared(bytes.byteLength, 'a collective');
  data.bytes.set(bytes);
  execute(
    engine,
    'all-reduce',
    engine.native.allReduceEntry,
    [data.address],
    [literal.data.length, dataType, reductions[reduction]],
  );
  return literalOfBytes(literal.type, data.bytes);
}

/** Every rank's bytes, in the order of the ranks. All ranks must pass the same number of bytes. */
export function allGather(engine: Engine, bytes: Uint8Array): readonly Uint8Array[] {
  const input = allocateUnshared(bytes.byteLength, 'a collective');
  input.bytes.set(bytes);
  const output = allocateUnshared(bytes.byteLength * engine.ranks.worldSize, 'a collective');
  execute(engine, 'all-gather', engine.native.allGatherEntry, [input.address, output.address], [bytes.byteLength]);
  return Array.from({ length: engine.ranks.worldSize }, (_, rank) =>
    output.bytes.subarray(rank * bytes.byteLength, (rank + 1) * bytes.byteLength),
  );
}

/** Waits until every rank has called this, and all previously queued work is done. */
export function barrier(engine: Engine): void {
  execute(engine, 'barrier', engine.native.allReduceEntry, [0n], [0, dataTypes.f32, reductions.add]);
}

function execute(
  engine: Engine,
  program: string,
  entry: Address,
  args: readonly Address[],
  what: readonly number[],
): void {
  const parameters = allocateUnshared(what.length * 8, 'a collective');
  new BigInt64Array(parameters.bytes.buffer, parameters.bytes.byteOffset).set(what.map(BigInt));
  // The memory of `args` stays alive, because the caller waits here.
  engine.stream
    .submit({ program, entry, arena: 0n, args: [...args, parameters.address], after: [], keepAlive: parameters })
    .wait();
}
