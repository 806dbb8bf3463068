// The factors of ops that move elements: views, slices, concatenation, gather and scatter.
import { type OpOf, shapeOf } from '../program.ts';
import { constantLiteral } from '../walk.ts';
import { combinerOf, type FactorKind, RuleBuilder, type ShardingRule, sameDimsIfEqual } from './rule.ts';

export function broadcastInDim(op: OpOf<'broadcast_in_dim'>): ShardingRule {
  const builder = new RuleBuilder(op);
  const from = shapeOf(op.operands[0]);
  shapeOf(op.results[0]).forEach((size, outDim) => {
    const at = op.attributes.broadcastDimensions.indexOf(outDim);
    const isExpanded = at >= 0 && from[at] === 1 && size !== 1;
    if (isExpanded) builder.add(1, [at], []);
    builder.add(size, [at < 0 || isExpanded ? undefined : at], [outDim]);
  });
  return builder.build();
}

export function broadcast(op: OpOf<'broadcast'>): ShardingRule {
  const builder = new RuleBuilder(op);
  const added = op.attributes.broadcastSizes.length;
  shapeOf(op.results[0]).forEach((size, dim) => {
    builder.add(size, [dim < added ? undefined : dim - added], [dim]);
  });
  return builder.build();
}

export function transpose(op: OpOf<'transpose'>): ShardingRule {
  const builder = new RuleBuilder(op);
  op.attributes.permutation.forEach((from, to) => {
    builder.add(shapeOf(op.operands[0])[from]!, [from], [to]);
  });
  return builder.build();
}

/** Starts and sizes are known, so each part knows which elements of its neighbors it needs. */
export const slice = (op: OpOf<'slice'>): ShardingRule =>
  sameDimsIfEqual(op, { kind: 'permutation' }, dim => shapeOf(op.operands[0])[dim] === shapeOf(op.results[0])[dim]);

export function pad(op: OpOf<'pad'>): ShardingRule {
  const { edgePaddingLow: low, edgePaddingHigh: high, interiorPadding: interior } = op.attributes;
  const isWhole = (dim: number): boolean => low[dim] === 0 && high[dim] === 0 && interior[dim] === 0;
  return sameDimsIfEqual(op, { kind: 'permutation' }, isWhole);
}

/** The start is known only when the program runs. */
export const dynamicSlice = (op: OpOf<'dynamic_slice'>): ShardingRule =>
  sameDimsIfEqual(
    op,
    { kind: 'replication', isBlocked: true },
    dim => shapeOf(op.operands[0]!)[dim] === shapeOf(op.results[0])[dim],
  );

/** Each part of the operand takes what falls into it of a whole update. */
export function dynamicUpdateSlice(op: OpOf<'dynamic_update_slice'>): ShardingRule {
  const [operand, update, ...starts] = op.operands;
  const builder = new RuleBuilder(op);
  const kind: FactorKind = starts.every(constantLiteral) ? 'passThrough' : 'replication';
  shapeOf(operand).forEach((size, dim) => {
    const updated = shapeOf(update)[dim]!;
    if (size === updated) builder.addToAll(size, dim);
    else builder.add(size, [dim], [dim]).add(updated, [undefined, dim], [], { kind });
  });
  return builder.build();
}

/** Slices of neighbors that are put together, such as a rotation, move elements between parts; other concatenations need all. */
export function concatenate(op: OpOf<'concatenate'>): ShardingRule {
  const { dimension } = op.attributes;
  const sliced = op.operands.map(v => (v.op?.name === 'slice' ? v.op.operands[0] : undefined));
  const sources = op.operands.map((v, i) => sliced[i] ?? v);
  const areSlices = sliced.every(v => v !== undefined);
  const isWrapped = sliced.some(v => v !== undefined) && sources.every(v => v === sources[0]);
  const builder = new RuleBuilder(op);
  shapeOf(op.results[0]).forEach((size, dim) => {
    const kind = dim !== dimension ? 'passThrough' : areSlices || isWrapped ? 'permutation' : 'replication';
    builder.addToAll(size, dim, { kind });
  });
  return builder.build();
}

/** The dim of a tensor with a number of bits that is split or merged holds one element, so it is not divided. */
export function bitcastConvert(op: OpOf<'bitcast_convert'>): ShardingRule {
  const [from, to] = [shapeOf(op.operands[0]), shapeOf(op.results[0])];
  const builder = new RuleBuilder(op);
  (from.length < to.length ? from : to).forEach((size, dim) => {
    builder.addToAll(size, dim);
  });
  const last = { kind: 'replication' } as const;
  if (from.length < to.length) builder.addToResults(to.at(-1)!, to.length - 1, last);
  if (from.length > to.length) builder.addToOperands(from.at(-1)!, from.length - 1, last);
  return builder.build();
}

/** The dims of gather and scatter: windows are the slices of a gather and the updates of a scatter. */
interface Indexed {
  readonly input: readonly number[];
  readonly indices: readonly number[];
  readonly windows: readonly number[];
  /** The dims of the windows that are dims of the input. */
  readonly windowDims: readonly number[];
  /** The dims of the input that windows lack. */
  readonly collapsed: readonly number[];
  readonly inputBatching: readonly number[];
  readonly indicesBatching: readonly number[];
  readonly indexVectorDim: number;
}
/** Adds a factor of a dim of the input, of the indices and of the windows, of which it may lack some. */
type AddIndexed = (
  dims: { readonly input?: number; readonly indices?: number; readonly window?: number },
  size: number,
  kind?: FactorKind,
  isBlocked?: boolean,
) => void;

/** Calls `add` in the order in which Shardy numbers the factors; `addSliced` for a dim of which windows have a part. */
function addIndexed(
  of: Indexed,
  add: AddIndexed,
  kinds: { readonly batch: FactorKind; collapsed(size: number): FactorKind },
  addSliced: (input: number, window: number) => void,
): void {
  const { input, indices, windows, windowDims, collapsed, inputBatching, indicesBatching, indexVectorDim } = of;
  const inputDims = input.flatMap((_, dim) => (collapsed.includes(dim) || inputBatching.includes(dim) ? [] : [dim]));
  let nextWindow = 0;
  let nextBatch = 0;
  windows.forEach((size, window) => {
    if (windowDims.includes(window)) {
      const dim = inputDims[nextWindow++]!;
      if (input[dim] === size) add({ input: dim, window }, size);
      else addSliced(dim, window);
      return;
    }
    const dim = nextBatch < indexVectorDim ? nextBatch : nextBatch + 1;
    nextBatch++;
    const at = indicesBatching.indexOf(dim);
    if (at >= 0) add({ input: inputBatching[at]!, indices: dim, window }, size);
    else add({ indices: dim, window }, size, kinds.batch);
  });
  for (const dim of collapsed) add({ input: dim }, input[dim]!, kinds.collapsed(input[dim]!));
  const vector = indices[indexVectorDim];
  if (vector !== undefined) add({ indices: indexVectorDim }, vector, 'replication');
}

/** A collapsed dim is a reduction: each part of a table looks up the rows it has, and zeros for the others. */
export function gather(op: OpOf<'gather'>): ShardingRule {
  const { dimensionNumbers: d } = op.attributes;
  const [input, indices, windows] = [...op.operands, ...op.results].map(shapeOf) as [number[], number[], number[]];
  const builder = new RuleBuilder(op);
  const add: AddIndexed = (dims, size, kind = 'passThrough', isBlocked = false) => {
    builder.add(size, [dims.input, dims.indices], [dims.window], { kind, isBlocked });
  };
  const of: Indexed = {
    input,
    indices,
    windows,
    windowDims: d.offsetDims,
    collapsed: d.collapsedSliceDims,
    inputBatching: d.operandBatchingDims,
    indicesBatching: d.startIndicesBatchingDims,
    indexVectorDim: d.indexVectorDim,
  };
  const kinds = {
    batch: 'passThrough',
    collapsed: (size: number): FactorKind => (size === 1 ? 'replication' : 'reduction'),
  } as const;
  addIndexed(of, add, kinds, (dim, window) => {
    if (windows[window] !== 1) return add({ input: dim, window }, input[dim]!, 'replication', true);
    add({ input: dim }, input[dim]!, 'reduction');
    add({ window }, 1, 'replication');
  });
  return builder.build('add');
}

/** Batch dims of the updates alone are a reduction: each part adds its own updates. */
export function scatter(op: OpOf<'scatter'>): ShardingRule {
  const { dimensionNumbers: d } = op.attributes;
  const count = op.results.length;
  const input = shapeOf(op.operands[0]);
  const windows = shapeOf(op.operands[count + 1]!);
  const combiner = combinerOf(op.regions[0]);
  const repeated = <T>(dim: T): readonly T[] => new Array<T>(count).fill(dim);
  const builder = new RuleBuilder(op);
  const add: AddIndexed = (dims, size, kind = 'passThrough') => {
    const operands = [...repeated(dims.input), dims.indices, ...repeated(dims.window)];
    builder.add(size, operands, repeated(dims.input), { kind });
  };
  const of: Indexed = {
    input,
    indices: shapeOf(op.operands[count]!),
    windows,
    windowDims: d.updateWindowDims,
    collapsed: d.insertedWindowDims,
    inputBatching: d.inputBatchingDims,
    indicesBatching: d.scatterIndicesBatchingDims,
    indexVectorDim: d.indexVectorDim,
  };
  const kinds = {
    batch: combiner === undefined ? 'replication' : 'reduction',
    collapsed: (): FactorKind => 'passThrough',
  } as const;
  addIndexed(of, add, kinds, (dim, window) => {
    add({ input: dim }, input[dim]!, 'replication');
    add({ window }, windows[window]!, 'replication');
  });
  return builder.build(combiner);
}
