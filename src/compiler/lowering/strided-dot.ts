// A dot_general as a multiply over memory: which buffers it reads and the strides along its dims. Transposes, reshapes,
// slices and broadcasts of an operand become strides where they can, so that multiplies need no copies.

import { freeDimensions } from '../../hlo/ops/contraction.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../hlo/program.ts';
import { type ElementType, elementCount } from '../../hlo/types.ts';
import { type Index, type Loop, linearize, loopIndex } from '../ir/index-expr.ts';
import {
  type DotPlan,
  fewRows,
  type GemmBatch,
  type GemmElementType,
  type GemmSpec,
  type StridedOperand,
} from '../ir/multiply.ts';
import { quantizedOperand } from './quantized-operand.ts';
import { isView, viewIndex } from './views.ts';

type Dot = Op<'dot_general'>;

interface DotLoops {
  readonly batch: readonly Loop<number>[];
  readonly rows: readonly Loop<number>[];
  readonly columns: readonly Loop<number>[];
  readonly terms: readonly Loop<number>[];
}
function loopsOf(op: Dot): { loops: DotLoops; lhs: Index[]; rhs: Index[]; result: Index[] } {
  const a = op.attributes;
  const [l, r] = [shapeOf(op.operands[0]), shapeOf(op.operands[1])];
  let id = 0;
  const loop = (size: number): Loop<number> => ({ id: id++, size });
  const free = freeDimensions(a, l.length, r.length);
  const loops = {
    batch: a.lhsBatchingDimensions.map(d => loop(l[d]!)),
    rows: free.lhs.map(d => loop(l[d]!)),
    columns: free.rhs.map(d => loop(r[d]!)),
    terms: a.lhsContractingDimensions.map(d => loop(l[d]!)),
  };
  const place = (rank: number, parts: readonly (readonly [readonly number[], readonly Loop<number>[]])[]): Index[] => {
    const index = new Array<Index>(rank);
    for (const [dims, of] of parts)
      dims.forEach((d, i) => {
        index[d] = loopIndex(of[i]!);
      });
    return index;
  };
  return {
    loops,
    lhs: place(l.length, [
      [a.lhsBatchingDimensions, loops.batch],
      [free.lhs, loops.rows],
      [a.lhsContractingDimensions, loops.terms],
    ]),
    rhs: place(r.length, [
      [a.rhsBatchingDimensions, loops.batch],
      [free.rhs, loops.columns],
      [a.rhsContractingDimensions, loops.terms],
    ]),
    result: [...loops.batch, ...loops.rows, ...loops.columns].map(loopIndex),
  };
}

/** The strides of an index that is linear in its loops with coefficients that are not negative; else undefined. */
function stridesIn(index: Index): ReadonlyMap<number, number> | undefined {
  const strides = new Map<number, number>();
  for (const [c, t] of index.terms) {
    if (t.kind !== 'loop' || c < 0) return undefined;
    strides.set(t.loop.id, c);
  }
  return strides;
}

/** One stride for several dims, outermost first, if they follow one another evenly; else undefined. */
function uniform(loops: readonly Loop<number>[], strides: ReadonlyMap<Loop<number>, number>): number | undefined {
  const real = loops.filter(l => l.size !== 1);
  for (let i = 0; i + 1 < real.length; i++) {
    if (strides.get(real[i]!) !== strides.get(real[i + 1]!)! * real[i + 1]!.size) return undefined;
  }
  const last = real.at(-1);
  return last === undefined ? 1 : strides.get(last)!;
}

/** The deepest value behind an operand's views from which the multiply can read in place. */
function operandOf(
  value: Value,
  index: readonly Index[],
  all: readonly Loop<number>[],
  terms: readonly Loop<number>[],
): StridedOperand | undefined {
  let best: StridedOperand | undefined;
  let v = value;
  let at = index;
  for (;;) {
    const linear = linearize(shapeOf(v), at);
    const strides = stridesIn(linear);
    if (strides !== undefined) {
      const map = new Map(all.map(l => [l, strides.get(l.id) ?? 0]));
      if (uniform(terms, map) !== undefined) best = { value: v, offset: linear.constant, strides: map };
    }
    const { op } = v;
    if (op === undefined || !isView(op)) break;
    at = viewIndex(op, at);
    v = op.operands[0];
  }
  return best;
}

/**
 * The types of a dot that has a generated multiply: two operands of one type, a float result. Undefined for others. The
 * algorithm with a single tf32 product is followed; for all others, the multiply is at least as accurate as they require.
 */
export function multiplyTypes(op: Dot): Pick<GemmSpec, 'elementType' | 'resultType' | 'compute'> | undefined {
  const [elementType, other, resultType] = [...op.operands, op.results[0]].map(v => tensorTypeOf(v).elementType);
  if (elementType !== other || !isMultiplied(elementType) || !isMultiplied(resultType)) return undefined;
  if ((elementType === 'f64') !== (resultType === 'f64')) return undefined;
  const { algorithm } = op.attributes;
  const tf32 =
    elementType === 'f32' && algorithm?.lhsPrecisionType === 'tf32' && algorithm.numPrimitiveOperations === 1;
  return { elementType, resultType, ...(tf32 ? { compute: 'tf32' } : {}) };
}

function isMultiplied(type: ElementType | undefined): type is GemmElementType {
  return type === 'f32' || type === 'f64' || type === 'bf16' || type === 'f16';
}

/** An operand in memory as it is, whatever its strides. */
function storedOperand(
  value: Value,
  index: readonly Index[],
  all: readonly Loop<number>[],
): StridedOperand | undefined {
  const linear = linearize(shapeOf(value), index);
  const strides = stridesIn(linear);
  return strides && { value, offset: linear.constant, strides: new Map(all.map(l => [l, strides.get(l.id) ?? 0])) };
}

/** Columns of a panel: whole vectors of any target, two of the widest. */
const panelColumns = 32;

/** The multiply by a matrix that is stored in panels, if `b` is one: see `GemmSpec.panel`. */
function panelSpec(
  types: Pick<GemmSpec, 'elementType' | 'resultType' | 'compute'>,
  loops: DotLoops,
  a: StridedOperand,
  b: StridedOperand,
  c: ReadonlyMap<Loop<number>, number>,
  aK: number,
): GemmSpec | undefined {
  const [panels, columns, more] = loops.columns;
  const { elementType, compute } = types;
  if (panels === undefined || columns?.size !== panelColumns || more !== undefined) return undefined;
  if (loops.batch.length > 0 || compute !== undefined || (elementType !== 'f32' && elementType !== 'bf16'))
    return undefined;
  const [steps, pair, other] = loops.terms;
  const width = elementType === 'bf16' ? 2 : 1;
  if (steps === undefined || other !== undefined || (pair?.size ?? 1) !== width) return undefined;
  const k = steps.size * width;
  const isAt = (loop: Loop<number> | undefined, stride: number): boolean =>
    loop === undefined || loop.size === 1 || b.strides.get(loop) === stride;
  const isStored =
    isAt(panels, k * panelColumns) && isAt(columns, width) && isAt(steps, width * panelColumns) && isAt(pair, 1);
  const [aM, cM] = [uniform(loops.rows, a.strides), uniform(loops.rows, c)];
  const cN = uniform(loops.columns, c);
  if (!isStored || aK !== 1 || aM === undefined || cM === undefined || cN === undefined) return undefined;
  const m = elementCount(loops.rows.map(l => l.size));
  const n = panels.size * panelColumns;
  if (m * n * k === 0) return undefined;
  return {
    ...types,
    panel: panelColumns,
    batch: [],
    m,
    n,
    k,
    a: { m: aM, k: aK },
    b: { k: panelColumns, n: 1 },
    c: { m: cM, n: cN },
  };
}

/** `result` is the value written: the dot's own, or a transpose of it. */
export function planDot(op: Dot, result: Value): DotPlan | undefined {
  const types = multiplyTypes(op);
  if (types === undefined) return undefined;
  const { loops, lhs, rhs, result: own } = loopsOf(op);
  const all = [...loops.batch, ...loops.rows, ...loops.columns, ...loops.terms];
  const quantized = result === op.results[0] ? planQuantizedDot(op) : undefined;
  if (quantized !== undefined) return quantized;
  const a = operandOf(op.operands[0], lhs, all, loops.terms);
  const b = operandOf(op.operands[1], rhs, all, loops.terms) ?? storedOperand(op.operands[1], rhs, all);
  if (a === undefined || b === undefined) return undefined;
  const permuted = result === op.results[0] ? own : transposed(result, own);
  if (permuted === undefined) return undefined;
  const linear = linearize(shapeOf(result), permuted);
  const c = stridesIn(linear);
  if (c === undefined) return undefined;
  const cStrides = new Map(all.map(l => [l, c.get(l.id) ?? 0]));
  const aK = uniform(loops.terms, a.strides);
  const bK = uniform(loops.terms, b.strides);
  if (aK === undefined) return undefined;

  const inPanels = panelSpec(types, loops, a, b, cStrides, aK);
  if (inPanels !== undefined) return { lhs: a, rhs: b, spec: inPanels };
  if (bK === undefined) return undefined;

  // Dims of rows (or columns) that do not follow one another evenly become batches over the same other operand.
  const batch: GemmBatch[] = loops.batch.map(l => ({
    size: l.size,
    a: a.strides.get(l)!,
    b: b.strides.get(l)!,
    c: cStrides.get(l)!,
  }));
  const rows = split(loops.rows, [a.strides, cStrides]);
  for (const l of rows.outer) batch.push({ size: l.size, a: a.strides.get(l)!, b: 0, c: cStrides.get(l)! });
  const columns = split(loops.columns, [b.strides, cStrides]);
  for (const l of columns.outer) batch.push({ size: l.size, a: 0, b: b.strides.get(l)!, c: cStrides.get(l)! });
  const spec: GemmSpec = {
    ...types,
    batch,
    m: elementCount(rows.inner.map(l => l.size)),
    n: elementCount(columns.inner.map(l => l.size)),
    k: elementCount(loops.terms.map(l => l.size)),
    a: { m: uniform(rows.inner, a.strides)!, k: aK },
    b: { k: bK, n: uniform(columns.inner, b.strides)! },
    c: { m: uniform(rows.inner, cStrides)!, n: uniform(columns.inner, cStrides)! },
  };
  return { lhs: a, rhs: b, spec };
}

/**
 * Rows times a matrix that is quantized in memory, which is on either side: few of them, or any number if the rows of the matrix
 * are interleaved. Otherwise, its elements are better computed once than for each of many rows.
 */
function planQuantizedDot(op: Dot): DotPlan | undefined {
  const [lhs, rhs] = op.operands;
  const { elementType, resultType, compute } = multiplyTypes(op)!;
  const a = op.attributes;
  if (elementType !== 'f32' || resultType !== 'f32' || compute !== undefined) return undefined;
  if (a.lhsBatchingDimensions.length > 0 || a.lhsContractingDimensions.length !== 1) return undefined;
  const [left, right] = [a.lhsContractingDimensions[0]!, a.rhsContractingDimensions[0]!];
  for (const [matrix, terms, other, otherTerms] of [
    [rhs, right, lhs, left],
    [lhs, left, rhs, right],
  ] as const) {
    const k = shapeOf(matrix)[terms]!;
    const [m, n] = [elementCount(shapeOf(other)) / k, elementCount(shapeOf(matrix)) / k];
    const isFew = m <= fewRows;
    if (m === 0 || shapeOf(matrix).length !== 2) continue;
    const found = quantizedOperand(matrix, terms === 0, isFew ? ['rows', 'interleaved'] : ['interleaved']);
    const rows = found && rowsOf(other, otherTerms);
    if (rows === undefined) continue;
    const { codes, scales, format } = found!;
    const isRight = matrix === rhs;
    const spec: GemmSpec = {
      elementType,
      resultType,
      quantized: format,
      batch: [],
      m,
      n,
      k,
      a: rows.strides,
      b: { k: 1, n: k },
      c: isRight ? { m: n, n: 1 } : { m: 1, n: m },
    };
    return {
      lhs: { value: rows.value, offset: rows.offset, strides: new Map() },
      rhs: { value: codes, offset: 0, strides: new Map() },
      scales,
      spec,
    };
  }
  return undefined;
}

/** An operand as rows of terms in memory: the dims before or after the contracted one. */
function rowsOf(
  value: Value,
  terms: number,
): { readonly value: Value; readonly offset: number; readonly strides: GemmSpec['a'] } | undefined {
  const loops = shapeOf(value).map((size, id): Loop<number> => ({ id, size }));
  const others = loops.filter((_, d) => d !== terms);
  const found = operandOf(value, loops.map(loopIndex), loops, [loops[terms]!]);
  const m = found && uniform(others, found.strides);
  const k = found && uniform([loops[terms]!], found.strides);
  if (m === undefined || k === undefined) return undefined;
  return { value: found!.value, offset: found!.offset, strides: { m, k } };
}

/** The most inner dims that are one uniform dim under all strides; the others are outer. */
function split(
  loops: readonly Loop<number>[],
  strides: readonly ReadonlyMap<Loop<number>, number>[],
): { outer: readonly Loop<number>[]; inner: readonly Loop<number>[] } {
  let start = loops.length;
  while (start > 0 && strides.every(s => uniform(loops.slice(start - 1), s) !== undefined)) start--;
  return { outer: loops.slice(0, start), inner: loops.slice(start) };
}

function transposed(result: Value, own: readonly Index[]): Index[] | undefined {
  const { op } = result;
  return op !== undefined && 'permutation' in op.attributes ? op.attributes.permutation.map(d => own[d]!) : undefined;
}

/** Whether a dot may write the transpose `result` of its own result directly: one side's elements stay contiguous. */
export function canWriteTransposed(op: Dot, result: Value): boolean {
  const plan = planDot(op, result);
  if (plan === undefined || planQuantizedDot(op) !== undefined) return false;
  return plan.spec.c.m === 1 || plan.spec.c.n === 1;
}
