// Ring attention (arXiv:2310.01889): each rank has a block of the queries, keys and values of a sequence. Blocks of keys and
// values go around the ring of ranks; softmax is computed in a stream, with the largest score and the sum of powers so far.
//
//   rank 0   q0 · k0 v0    q0 · k1 v1          for each block: m' = max(m, scores), p = exp(scores − m')
//   rank 1   q1 · k1 v1    q1 · k0 v0          l' = l · exp(m − m') + Σ p, o' = o · exp(m − m') + p · v; at the end, o / l
//
// In causal attention, blocks that a rank does not see are left out; in head-tail order, all ranks leave out equally much.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { collectiveAlong, type Mesh } from '../../hlo/sharding/mesh.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { type ElementType, tensorType } from '../../hlo/types.ts';
import { lower, type Trace } from '../../tensor/index.ts';
import {
  type AttentionInputs,
  type AttentionOptions,
  attentionScores,
  repeatHeads,
  withinWindow,
} from './attention.ts';

interface Ring {
  readonly mesh: Mesh;
  readonly axis: string;
  readonly size: number;
  /** Whether sequences are in head-tail order. */
  readonly isBalanced: boolean;
}
/** The softmax over the blocks so far, for each query: the largest score, the sum of powers, and that of weighted values. */
interface Stream {
  readonly top: Value;
  readonly sum: Value;
  readonly mixed: Value;
}

/** q [.., L, E], k [.., L, E], v [.., L, F] → [.., L, F]. `L` must divide evenly, in head-tail order into twice as many parts. */
export function ringAttention(
  b: Builder,
  trace: Trace,
  { q, k, v }: { readonly q: Value; readonly k: Value; readonly v: Value },
  { mask, sinks }: AttentionInputs,
  options: AttentionOptions,
  ring: Ring,
): Value {
  const rank = shapeOf(q).length;
  const length = shapeOf(q)[rank - 2]!;
  const type = lower.productType(q, k, v);
  const full = (x: Value): Value => b.reshape(x, [...Array<number>(rank - shapeOf(x).length).fill(1), ...shapeOf(x)]);
  // Rows of a mask are divided like queries; in head-tail order, each rank takes its rows from the whole.
  const bias = mask && full(mask);
  const isByRow = bias !== undefined && shapeOf(bias)[rank - 2] === length && length > 1;
  const rows = [rank - 2];
  const operands = [
    { value: q, dims: rows },
    { value: k, dims: rows },
    { value: v, dims: rows },
    ...(bias === undefined ? [] : [{ value: bias, dims: isByRow && !ring.isBalanced ? rows : [] }]),
    ...(sinks === undefined
      ? []
      : [{ value: full(sinks), dims: shapeOf(full(sinks))[rank - 2] === length ? rows : [] }]),
  ];
  const localType = ({ value, dims }: (typeof operands)[number]) => {
    const { elementType, shape } = tensorTypeOf(value);
    return tensorType(
      elementType,
      shape.map((size, d) => (dims.includes(d) ? size / ring.size : size)),
    );
  };
  const sharding = (dims: readonly number[]): Sharding => ({
    mesh: ring.mesh,
    dims: shapeOf(q).map((_, d) => ({ axes: dims.includes(d) ? [{ name: ring.axis }] : [], isOpen: true })),
    replicated: [],
    unreduced: [],
    reduction: 'sum',
  });
  const body = b.region(operands.map(localType), (inner, args) => {
    const [own, ...others] = args as [Value, ...Value[]];
    const [k0, v0, ...more] = others as [Value, Value, ...Value[]];
    const place = lower.indexAlong(inner, ring.mesh, [ring.axis]);
    const count = length / ring.size;
    const at: Rank = {
      b: inner,
      trace,
      ring,
      options: withinWindow(options, length),
      type,
      place,
      count,
      q: own,
      mask: mask && more[0]!,
    };
    return [inner.convert(aroundTheRing(at, k0, v0, sinks && more.at(-1)), type)];
  });
  const resultType = tensorType(type, [...shapeOf(q).slice(0, -1), shapeOf(v).at(-1)!]);
  const attributes = {
    inShardings: operands.map(({ dims }) => sharding(dims)),
    outShardings: [sharding(rows)],
    manualAxes: [ring.axis],
    resultTypes: [resultType],
  };
  return b.emit(
    'sdy.manual_computation',
    operands.map(({ value }) => value),
    attributes,
    [body],
  )[0]!;
}

/** One rank, while its program is recorded. */
interface Rank {
  readonly b: Builder;
  readonly trace: Trace;
  readonly ring: Ring;
  readonly options: AttentionOptions;
  readonly type: ElementType;
  /** The place of the rank in the ring, an i32. */
  readonly place: Value;
  /** The number of its queries, and of the keys of a block. */
  readonly count: number;
  readonly q: Value;
  readonly mask: Value | undefined;
}
/** The keys and values of a rank. */
interface Block {
  readonly k: Value;
  readonly v: Value;
  /** The place of that rank. */
  readonly source: Value;
}

function aroundTheRing(rank: Rank, k0: Value, v0: Value, sinks: Value | undefined): Value {
  const { b, ring, place, mask, options } = rank;
  const { size: n } = ring;
  const groups = collectiveAlong(ring.mesh, [ring.axis]);
  const next = Array.from({ length: n }, (_, r) => [r, (r + 1) % n] as const);
  const leavesOut = options.isCausal === true && mask === undefined;
  let [k, v] = [k0, v0];
  let stream = sinks && startingWith(rank, sinks);
  for (let turn = 0; turn < n; turn++) {
    // They are on their way while this block is computed.
    const sent = turn + 1 < n ? [k, v].map(x => lower.permuted(b, x, groups, next)) : [];
    const source = turn === 0 ? place : b.binary('remainder', b.add(place, b.like(place, n - turn)), b.like(place, n));
    const block = { k, v, source };
    stream = turn === 0 || !leavesOut ? withBlock(rank, stream, block) : withSeen(rank, stream!, block, turn);
    [k, v] = sent as [Value, Value];
  }
  const { sum, mixed } = stream!;
  const divisor = b.select(b.compare('EQ', sum, b.like(sum, 0)), b.like(sum, 1), sum);
  return b.divide(mixed, lower.spreadAlong(b, divisor, [shapeOf(mixed).length - 1], shapeOf(mixed)));
}

/** Sinks are scores of a position that has no value. */
function startingWith({ b, trace, q }: Rank, sinks: Value): Stream {
  const shape = shapeOf(q).slice(0, -1);
  const scores = lower.broadcastTo(b, b.reshape(lower.widen(b, sinks), shapeOf(sinks).slice(0, -1)), shape);
  const top = b.reshape(scores, shape);
  trace.stopped.add(top);
  const sum = b.unary('exponential', b.subtract(scores, top));
  return { top, sum, mixed: b.fill(tensorTypeOf(scores).elementType, shapeOf(q), 0) };
}

function withBlock(rank: Rank, stream: Stream | undefined, block: Block): Stream {
  const { b, q, place } = rank;
  const positions = [positionsOf(rank, place), positionsOf(rank, block.source)] as const;
  const scores = scoresOf(rank, q, block.k, maskOf(rank, block.source), positions);
  return blended(rank, stream, scores, repeatHeads(b, block.v, q));
}

/** A block of an earlier or later rank in causal attention. In order, the block of a later one is not seen. */
function withSeen(rank: Rank, stream: Stream, { k, v, source }: Block, turn: number): Stream {
  const { b, trace, ring, place, count } = rank;
  const isEarlier = b.compare('GE', place, b.like(place, turn));
  const listed = ({ top, sum, mixed }: Stream): readonly Value[] => [top, sum, mixed];
  const halves = ring.isBalanced ? count / 2 : count;
  // In head-tail order, all queries see the head of an earlier block, and the queries of the tail see all of a later one.
  const earlier = b.region([], inner => listed(withPart({ ...rank, b: inner }, stream, { k, v, source }, [0, halves])));
  const later = b.region([], inner => {
    if (!ring.isBalanced) return listed(stream);
    const at = { ...rank, b: inner };
    const [head, tail] = [0, halves].map(from => rowsOf(at, stream, from, halves)) as [Stream, Stream];
    const q = part(inner, rank.q, shapeOf(rank.q).length - 2, halves, halves);
    const seen = withPart({ ...at, q }, tail, { k, v, source }, [0, count], halves);
    const joined = (first: Value, second: Value, dim: number): Value => inner.concatenate([first, second], dim);
    const last = shapeOf(stream.top).length - 1;
    return [joined(head.top, seen.top, last), joined(head.sum, seen.sum, last), joined(head.mixed, seen.mixed, last)];
  });
  const [top, sum, mixed] = b.emit('if', [isEarlier], {}, [earlier, later]) as [Value, Value, Value];
  trace.stopped.add(top);
  return { top, sum, mixed };
}

/** Keys [from, from + count) of a block, all of which are seen by the queries, from `firstRow` on. */
function withPart(
  rank: Rank,
  stream: Stream,
  { k, v, source }: Block,
  [from, count]: readonly [number, number],
  firstRow = 0,
): Stream {
  const { b, q, place } = rank;
  const dim = shapeOf(k).length - 2;
  const rows = shapeOf(q)[dim]!;
  const positions = [
    part(b, positionsOf(rank, place), 0, firstRow, rows),
    part(b, positionsOf(rank, source), 0, from, count),
  ] as const;
  const own = rank.options.window === undefined ? { ...rank, options: { ...rank.options, isCausal: false } } : rank;
  const scores = scoresOf(own, q, part(b, k, dim, from, count), undefined, positions);
  return blended(rank, stream, scores, repeatHeads(b, part(b, v, dim, from, count), q));
}

function blended({ b, trace, type }: Rank, stream: Stream | undefined, scores: Value, v: Value): Stream {
  const shape = shapeOf(scores);
  const last = shape.length - 1;
  const largest = lower.extreme(b, 'maximum', scores, last, false);
  const top = stream === undefined ? largest : b.maximum(stream.top, largest);
  const finite = b.select(b.compare('EQ', top, b.like(top, -Infinity)), b.like(top, 0), top);
  for (const value of [top, finite]) trace.stopped.add(value);
  const powers = b.unary('exponential', b.subtract(scores, lower.spreadAlong(b, finite, [last], shape)));
  const batch = shape.slice(0, -2).map((_, i) => i);
  const mixed = lower.contract(b, powers, v, type, {
    lhsBatchingDimensions: batch,
    rhsBatchingDimensions: batch,
    lhsContractingDimensions: [last],
    rhsContractingDimensions: [last - 1],
  });
  const sum = b.sum(powers, [last]);
  if (stream === undefined) return { top, sum, mixed };
  const kept = b.unary('exponential', b.subtract(stream.top, finite));
  const wide = lower.spreadAlong(b, kept, [last], shapeOf(mixed));
  return {
    top,
    sum: b.add(b.multiply(stream.sum, kept), sum),
    mixed: b.add(b.multiply(stream.mixed, wide), mixed),
  };
}

function scoresOf(
  { b, type, options }: Rank,
  q: Value,
  k: Value,
  mask: Value | undefined,
  positions: readonly [query: Value, key: Value],
): Value {
  const spread = (shape: readonly number[], at: 0 | 1): Value =>
    b.broadcastInDim(positions[at], [shape.length - 2 + at], shape);
  const places = (shape: readonly number[]) => [spread(shape, 0), spread(shape, 1)] as const;
  return attentionScores(b, q, repeatHeads(b, k, q), type, mask, options, places);
}

/** The places in the sequence of the rows of a rank: [count], i32. */
function positionsOf({ b, ring, count }: Rank, place: Value): Value {
  const index = b.iota(tensorType('i32', [count]), 0);
  const from = (chunk: Value, size: number): Value =>
    b.broadcastInDim(b.multiply(chunk, b.like(chunk, size)), [], [count]);
  if (!ring.isBalanced) return b.add(from(place, count), index);
  const half = count / 2;
  const head = b.add(from(place, half), index);
  const tail = b.add(from(tailOf(b, ring, place), half), b.subtract(index, b.like(index, half)));
  return b.select(b.compare('LT', index, b.like(index, half)), head, tail);
}
/** The last chunk of a rank in head-tail order. */
const tailOf = (b: Builder, { size }: Ring, place: Value): Value => b.subtract(b.like(place, 2 * size - 1), place);

/** The part of the mask for the queries of this rank and the keys of another. */
function maskOf(rank: Rank, source: Value): Value | undefined {
  const { ring, count, mask, place } = rank;
  if (mask === undefined) return undefined;
  const dims = shapeOf(mask).length;
  const length = count * ring.size;
  const columns = shapeOf(mask)[dims - 1] === length ? chunksOf(rank, mask, dims - 1, source) : mask;
  return ring.isBalanced && shapeOf(mask)[dims - 2] === length ? chunksOf(rank, columns, dims - 2, place) : columns;
}
/** The chunks of a rank along a dim that has the whole sequence. */
function chunksOf({ b, ring, count }: Rank, x: Value, dim: number, place: Value): Value {
  const chunk = (index: Value, size: number): Value => {
    const zero = b.like(index, 0);
    const starts = shapeOf(x).map((_, d) => (d === dim ? b.multiply(index, b.like(index, size)) : zero));
    return b.emit1('dynamic_slice', [x, ...starts], { sliceSizes: shapeOf(x).with(dim, size) });
  };
  if (!ring.isBalanced) return chunk(place, count);
  return b.concatenate([chunk(place, count / 2), chunk(tailOf(b, ring, place), count / 2)], dim);
}

const part = (b: Builder, x: Value, dim: number, from: number, count: number): Value =>
  b.slice(
    x,
    shapeOf(x).map((_, d) => (d === dim ? from : 0)),
    shapeOf(x).with(dim, from + count),
  );
function rowsOf({ b }: Rank, { top, sum, mixed }: Stream, from: number, count: number): Stream {
  const dim = shapeOf(top).length - 1;
  return {
    top: part(b, top, dim, from, count),
    sum: part(b, sum, dim, from, count),
    mixed: part(b, mixed, dim, from, count),
  };
}
