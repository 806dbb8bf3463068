// custom_call @trenio.paged_attention: attention of N tokens of several sequences to keys and values in blocks of a pool, as
// language models are served. The blocks of a sequence lie anywhere in the pool; its table lists them in order, C positions each.
//
//   query [N, heads, E], keys [P, G, E, C], values [P, G, C, E], tables i32 [S, B], sequences i32 [N], lengths i32 [N]
//   → mixed [N, heads, E], of the query's type
//
// Token n attends to the positions 0 … lengths[n] - 1 of its sequence, or to the last `window` of them. The result of a token
// without positions is 0. Groups of heads / G query heads share the keys of a head.
// With `bias`, an operand [heads, B · C] of f32 is added to scores; with `sinks`, one of [heads] is the score of a position
// that has no value.
import * as z from 'zod';
import type { OpAttributes } from '../attributes.ts';
import { type Literal, zeros } from '../literal.ts';
import { type Op, type OpOf, tensorTypeOf, type Value } from '../program.ts';
import { formatType, sameType, type TensorType, tensorType } from '../types.ts';
import { decodeNumbers, encode, type NumberData } from './element-data.ts';
import { type Checker, checkerOf } from './shape-checks.ts';

const require: Checker = checkerOf('custom_call');

export const pagedAttentionTarget = 'trenio.paged_attention';
export const isPagedAttention = (op: Op): boolean =>
  op.name === 'custom_call' && op.attributes.callTargetName === pagedAttentionTarget;

const optionsSchema = z.strictObject({
  scale: z.number(),
  softCap: z.number().positive().optional(),
  window: z.int().positive().optional(),
  bias: z.boolean().optional(),
  sinks: z.boolean().optional(),
});
/** How scores are computed. */
export type PagedAttentionOptions = z.output<typeof optionsSchema>;

/** The attributes of its call. */
export const pagedAttentionCall = (query: TensorType, options: PagedAttentionOptions): OpAttributes['custom_call'] => ({
  callTargetName: pagedAttentionTarget,
  backendConfig: JSON.stringify(options),
  resultTypes: [query],
  hasSideEffect: false,
});

export const pagedAttentionOptions = (op: OpOf<'custom_call'>): PagedAttentionOptions =>
  optionsSchema.parse(JSON.parse(op.attributes.backendConfig ?? ''));

/** The sizes of a call. */
export interface PagedAttentionSizes {
  readonly tokens: number;
  readonly heads: number;
  readonly keyHeads: number;
  readonly headDim: number;
  /** Positions of a block. */
  readonly block: number;
  /** Blocks of the pool. */
  readonly blocks: number;
  /** Blocks of a table. */
  readonly table: number;
  readonly sequences: number;
}
export function pagedAttentionSizes(op: OpOf<'custom_call'>): PagedAttentionSizes {
  const [query, keys, , tables] = op.operands.map(v => tensorTypeOf(v).shape);
  const [tokens, heads, headDim] = query as [number, number, number];
  const [blocks, keyHeads, , block] = keys as [number, number, number, number];
  const [sequences, table] = tables as [number, number];
  return { tokens, heads, keyHeads, headDim, block, blocks, table, sequences };
}
/** The operands that are there only with their option. */
export function optionalOperands<T>(operands: readonly T[], options: PagedAttentionOptions) {
  const rest = operands.slice(6);
  const bias = options.bias === true ? rest.shift() : undefined;
  return { bias, sinks: options.sinks === true ? rest.shift() : undefined };
}

/** The compiled kernel relies on the types, so they are checked like those of other ops. */
export function verifyPagedAttention(op: OpOf<'custom_call'>): void {
  if (!isPagedAttention(op)) return;
  const fits = (condition: boolean, detail: string): void =>
    require(condition, 'trenio_paged_attention', () => `@${pagedAttentionTarget} ${detail}`);
  const options = readOptions(op.attributes.backendConfig ?? '');
  fits(options !== undefined, `does not understand ${op.attributes.backendConfig}`);
  const count = 6 + (options?.bias === true ? 1 : 0) + (options?.sinks === true ? 1 : 0);
  const types = op.operands.map(v => v.type);
  fits(
    types.length === count && types.every(t => t.kind === 'tensor') && op.results.length === 1,
    `takes ${count} tensors and returns one`,
  );
  const shapes = (types as readonly TensorType[]).map(t => t.shape);
  const ranks = [3, 4, 4, 2, 1, 1];
  fits(
    ranks.every((rank, i) => shapes[i]!.length === rank && shapes[i]!.every(d => d > 0)),
    `takes query [N, heads, E], keys [P, G, E, C], values [P, G, C, E], tables [S, B], sequences [N], lengths [N], got ${types.map(formatType).join(', ')}`,
  );
  const { tokens, heads, keyHeads, headDim, block, blocks, table } = pagedAttentionSizes(op);
  const [, keys, values, , sequences, lengths, ...others] = shapes;
  const isShape = (shape: readonly number[] | undefined, ...wanted: number[]): boolean =>
    shape?.join() === wanted.join();
  fits(
    isShape(keys, blocks, keyHeads, headDim, block) &&
      isShape(values, blocks, keyHeads, block, headDim) &&
      isShape(sequences, tokens) &&
      isShape(lengths, tokens) &&
      heads % keyHeads === 0 &&
      block % 16 === 0,
    `takes operands of fitting sizes, in blocks of 16 positions or multiples of them, got ${types.map(formatType).join(', ')}`,
  );
  const { bias, sinks } = optionalOperands([...shapes.slice(0, 6), ...others], options!);
  fits(bias === undefined || isShape(bias, heads, table * block), 'takes a bias [heads, B · C]');
  fits(sinks === undefined || isShape(sinks, heads), 'takes sinks [heads]');
  const elements = (types as readonly TensorType[]).map(t => t.elementType);
  fits(
    elements.every((type, i) => (i < 3 ? ['f32', 'bf16', 'f16'].includes(type) : type === (i < 6 ? 'i32' : 'f32'))),
    `takes floats of f32, bf16 or f16, indices of i32, bias and sinks of f32, got ${elements.join(', ')}`,
  );
  fits(
    sameType(op.results[0]!.type, types[0]!),
    `returns ${formatType(types[0]!)}, not ${formatType(op.results[0]!.type)}`,
  );
}
function readOptions(text: string): PagedAttentionOptions | undefined {
  try {
    return optionsSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Floating-point operations, if every token attended to half of its table. */
export function pagedAttentionFlops(op: OpOf<'custom_call'>): number {
  const { tokens, heads, headDim, block, table } = pagedAttentionSizes(op);
  return 2 * tokens * heads * headDim * block * table;
}

/** The result in f64, rounded once; undefined for other targets. */
export function evaluatePagedAttention(op: OpOf<'custom_call'>, operands: readonly Literal[]): Literal[] | undefined {
  if (!isPagedAttention(op)) return undefined;
  const options = pagedAttentionOptions(op);
  const { scale, softCap, window } = options;
  const { tokens, heads, keyHeads, headDim, block, blocks, table, sequences: count } = pagedAttentionSizes(op);
  const [query, tables, sequences, lengths] = [0, 3, 4, 5].map(i => decodeNumbers(operands[i]!));
  const [keys, values] = [operands[1]!, operands[2]!].map(pool => partReader(pool, headDim * block));
  const { bias, sinks } = optionalOperands(operands, options);
  const [biases, sinkScores] = [bias && decodeNumbers(bias), sinks && decodeNumbers(sinks)];
  const type = tensorTypeOf(op.results[0] as Value);
  const out = new Float64Array(zeros(type).data.length);
  for (let n = 0; n < tokens; n++) {
    const length = Math.min(lengths![n]!, block * table);
    const sequence = Math.min(Math.max(sequences![n]!, 0), count - 1);
    const first = window === undefined ? 0 : Math.max(0, length - window);
    if (length <= 0) continue;
    for (let h = 0; h < heads; h++) {
      const g = Math.floor(h / (heads / keyHeads));
      const at = (n * heads + h) * headDim;
      /** The part of the pool for a position: a head of a block. */
      const partOf = (position: number): number => {
        const id = tables![sequence * table + Math.floor(position / block)]!;
        return Math.min(Math.max(id, 0), blocks - 1) * keyHeads + g;
      };
      const scores = Float64Array.from({ length: length - first }, (_, i) => {
        const [part, c] = [keys!(partOf(first + i)), (first + i) % block];
        let sum = 0;
        for (let e = 0; e < headDim; e++) sum += query![at + e]! * part[e * block + c]!;
        const score = sum * scale;
        const capped = softCap === undefined ? score : softCap * Math.tanh(score / softCap);
        return capped + (biases === undefined ? 0 : biases[(h * biases.length) / heads + first + i]!);
      });
      const sink = sinkScores?.[h];
      const most = scores.reduce((a, b) => Math.max(a, b), sink ?? Number.NEGATIVE_INFINITY);
      const weights = scores.map(score => Math.exp(score - most));
      const total = weights.reduce((sum, w) => sum + w, sink === undefined ? 0 : Math.exp(sink - most));
      weights.forEach((weight, i) => {
        const [part, start] = [values!(partOf(first + i)), ((first + i) % block) * headDim];
        for (let e = 0; e < headDim; e++) out[at + e]! += (weight / total) * part[start + e]!;
      });
    }
  }
  return [encode(type, out)];
}

/** The numbers of part `i` of a literal, of this many elements: a pool is much larger than what is read of it. */
function partReader({ type, data }: Literal, size: number): (i: number) => NumberData {
  const parts = new Map<number, NumberData>();
  return i => {
    let part = parts.get(i);
    if (part === undefined) {
      const own = (data as NumberData).subarray(i * size, (i + 1) * size);
      part = decodeNumbers({ type: tensorType(type.elementType, [size]), data: own });
      parts.set(i, part);
    }
    return part;
  };
}
