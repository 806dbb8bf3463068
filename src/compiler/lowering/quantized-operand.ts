// A matrix that is quantized in memory, as an operand of a multiply: codes of 8 or 4 bits and a scale for each block of a row.
// It is recognized by what its elements are computed from, so every program that computes this uses the kernel in cpu/gemm/:
//
//   w[j, k] = value(codes[j, k]) · scale[j, k / block]      value: the code itself, or its entry in a table of 16

import { toNumbers } from '../../hlo/literal.ts';
import { type Op, shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { elementCount } from '../../hlo/types.ts';
import { add, coefficientOf, type Index, type Loop, linearize, loopIndex, scale } from '../ir/index-expr.ts';
import { interleavedBlock, type QuantizedFormat, type QuantizedLayout, quantizedRuns } from '../ir/multiply.ts';
import { type Node, NodeGraph, type NodeOf } from '../ir/node.ts';
import { Evaluator } from './evaluator.ts';
import { isFree, isLoweredAs, isTable } from './lowering-kinds.ts';
import { isView } from './views.ts';

export interface QuantizedOperand {
  readonly codes: Value;
  readonly scales: Value;
  readonly format: QuantizedFormat;
}

/** Rows are whole vectors of any target. */
const smallestBlock = 16;
/** An expression with more ops is not recognized as a quantized matrix. */
const mostOps = 24;

/**
 * The matrix `value` of n rows of k elements, or of k rows of n with `isTransposed`; undefined if it is not quantized in
 * memory, or in another layout than these.
 */
export function quantizedOperand(
  value: Value,
  isTransposed: boolean,
  layouts: readonly QuantizedLayout[],
): QuantizedOperand | undefined {
  const shape = shapeOf(value);
  if (shape.length !== 2 || tensorTypeOf(value).elementType !== 'f32' || !mayBeQuantized(value)) return undefined;
  const [n, k] = isTransposed ? [shape[1]!, shape[0]!] : [shape[0]!, shape[1]!];
  if (n === 0 || k === 0 || k % smallestBlock !== 0) return undefined;
  const scaleCount = scalesIn(value);
  if (scaleCount === undefined || (n * k) % scaleCount !== 0) return undefined;
  const block = (n * k) / scaleCount;
  if (block % smallestBlock !== 0 || k % block !== 0) return undefined;
  for (const bits of [8, 4] as const)
    for (const layout of layouts) {
      const found = matched(value, isTransposed, { n, k, block, bits, layout });
      if (found !== undefined) return found;
    }
  return undefined;
}

/** Follows an element to memory through few ops, of which one reads integers of a byte. */
function mayBeQuantized(value: Value): boolean {
  let ops = 0;
  let hasCodes = false;
  const visit = (v: Value): void => {
    if (++ops > mostOps) return;
    if (isComputed(v)) v.op.operands.forEach(visit);
    else hasCodes ||= isCode(v);
  };
  visit(value);
  return ops <= mostOps && hasCodes;
}
const isCode = (v: Value): boolean => {
  const { elementType } = tensorTypeOf(v);
  return elementType === 'i8' || elementType === 'ui8';
};
const isComputed = (v: Value): v is Value & { readonly op: Op } =>
  v.op !== undefined && (isView(v.op) || isFree(v) || (isLoweredAs(v.op, 'element') && !isTable(v.op)));

/** The number of scales: elements of the float operand that is not a table. */
function scalesIn(value: Value): number | undefined {
  const counts = new Set<number>();
  const visit = (v: Value): void => {
    if (isComputed(v)) v.op.operands.forEach(visit);
    else if (!isCode(v) && (v.op === undefined || !isTable(v.op))) counts.add(elementCount(shapeOf(v)));
  };
  visit(value);
  return counts.size === 1 ? [...counts][0] : undefined;
}

interface Sizes {
  readonly n: number;
  readonly k: number;
  readonly block: number;
  readonly bits: 8 | 4;
  readonly layout: QuantizedLayout;
}

function matched(value: Value, isTransposed: boolean, sizes: Sizes): QuantizedOperand | undefined {
  const { n, k, block, bits, layout } = sizes;
  const { rows, halves, bytes } = quantizedRuns(sizes);
  const run = halves * bytes;
  if (n % rows !== 0 || block % run !== 0 || (layout === 'interleaved' && block !== interleavedBlock)) return undefined;
  // An element is in row r of a group, in block b, run u of it, half h of that, position i.
  const loops = [n / rows, rows, k / block, block / run, halves, bytes].map((size, id): Loop<number> => ({ id, size }));
  const [g, r, b, u, h, i] = loops as [
    Loop<number>,
    Loop<number>,
    Loop<number>,
    Loop<number>,
    Loop<number>,
    Loop<number>,
  ];
  const row = sumOf([g, rows], [r, 1]);
  const column = sumOf([b, block], [u, run], [h, bytes], [i, 1]);
  const values = new Map<number, Value>();
  const graph = new NodeGraph();
  const evaluator = new Evaluator({
    graph,
    computes: isComputed,
    leaf(v, index) {
      values.set(v.id, v);
      return graph.load(tensorTypeOf(v).elementType, v.id, linearize(shapeOf(v), index), []);
    },
  });
  const root = evaluator.at(value, isTransposed ? [column, row] : [row, column]);
  const pair = binary(root, 'multiply');
  if (pair === undefined) return undefined;
  for (const [code, factor] of [pair, pair.toReversed() as [Node, Node]]) {
    const scales = scalesOf(factor, values);
    const codes = codesOf(code, values, bits, h);
    if (scales === undefined || codes === undefined) continue;
    if (layout === 'interleaved' && codes.table !== undefined && codes.table !== codeValues.i4) continue;
    const perByte = 8 / bits;
    const isInPlace =
      runsOver(scales.load.index, loops, [(rows * k) / block, 1, rows, 0, 0, 0]) &&
      runsOver(codes.load.index, loops, [(rows * k) / perByte, bytes, (rows * block) / perByte, rows * bytes, 0, 1]);
    if (!isInPlace) continue;
    const format = { bits, block, layout, scaleType: scales.type, ...(codes.table && { table: codes.table }) };
    return { codes: codes.value, scales: scales.value, format };
  }
  return undefined;
}

/** Σ stride · loop */
function sumOf(...terms: readonly (readonly [Loop<number>, number])[]): Index {
  return terms.map(([loop, stride]) => scale(loopIndex(loop), stride)).reduce((sum, term) => add(sum, term));
}

/** Whether an index is Σ stride · loop. */
const runsOver = (index: Index, loops: readonly Loop<number>[], strides: readonly number[]): boolean =>
  index.constant === 0 && loops.every((loop, i) => loop.size === 1 || coefficientOf(index, loop) === strides[i]);

function binary(node: Node, name: 'multiply'): [Node, Node] | undefined {
  if (node.kind !== 'expression' || node.op.name !== name) return undefined;
  return node.args as [Node, Node];
}
const argOf = (node: Node, name: 'convert' | 'bitcast_piece' | 'clamp_index'): Node | undefined =>
  node.kind === 'expression' && node.op.name === name ? node.args[0] : undefined;
const plainLoad = (node: Node | undefined): NodeOf<'load'> | undefined =>
  node?.kind === 'load' && node.guards.length === 0 ? node : undefined;

interface Scales {
  readonly load: NodeOf<'load'>;
  readonly value: Value;
  readonly type: QuantizedFormat['scaleType'];
}
function scalesOf(node: Node, values: ReadonlyMap<number, Value>): Scales | undefined {
  const load = plainLoad(argOf(node, 'convert') ?? node);
  if (load === undefined || (load.type !== 'f32' && load.type !== 'f16')) return undefined;
  return { load, value: values.get(load.slot)!, type: load.type };
}

interface Codes {
  readonly load: NodeOf<'load'>;
  readonly value: Value;
  /** The values of codes of 4 bits. */
  readonly table?: readonly number[];
}
function codesOf(node: Node, values: ReadonlyMap<number, Value>, bits: 8 | 4, half: Loop<number>): Codes | undefined {
  if (bits === 8) {
    const load = plainLoad(argOf(node, 'convert'));
    return load?.type === 'i8' ? { load, value: values.get(load.slot)! } : undefined;
  }
  const entry = plainLoad(node);
  const table = entry && tableOf(entry, values);
  const piece = table === undefined ? argOf(node, 'convert') : table.code;
  const load = piece && plainLoad(argOf(piece, 'bitcast_piece'));
  if (piece?.kind !== 'expression' || load === undefined || bitsOfByte[load.type] !== 8) return undefined;
  const [, which] = piece.args;
  if (which?.kind !== 'index' || which.index.key !== loopIndex(half).key) return undefined;
  const signed = codeValues[piece.type];
  if (signed === undefined || (table !== undefined && piece.type !== 'ui4')) return undefined;
  return { load, value: values.get(load.slot)!, table: table?.entries ?? signed };
}
const bitsOfByte: { readonly [type: string]: 8 } = { i8: 8, ui8: 8 };
/** The values that 4-bit codes stand for. */
const codeValues: { readonly [type: string]: readonly number[] } = {
  i4: [0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1],
  ui4: Array.from({ length: 16 }, (_, i) => i),
};

/** An entry of a constant table of 16, chosen by a code. */
function tableOf(
  { index, slot, type }: NodeOf<'load'>,
  values: ReadonlyMap<number, Value>,
): { readonly entries: readonly number[]; readonly code: Node } | undefined {
  const op = values.get(slot)?.op;
  const [term, more] = index.terms;
  if (type !== 'f32' || op === undefined || !isLoweredAs(op, 'constant') || !isTable(op)) return undefined;
  if (term === undefined || more !== undefined || index.constant !== 0) return undefined;
  const [stride, { kind }] = term;
  if (stride !== 1 || kind !== 'data') return undefined;
  const entries = toNumbers(op.attributes.value);
  const clamped = term[1].kind === 'data' ? term[1].node : undefined;
  const chosen = clamped && argOf(clamped, 'clamp_index');
  if (entries.length !== 16 || chosen === undefined) return undefined;
  return { entries, code: argOf(chosen, 'convert') ?? chosen };
}
