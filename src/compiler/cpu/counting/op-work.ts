// The work of single ops: their operations, their multiplies, the rows they move. The work of a kernel is the sum over
// its ops (step-work.ts); ops without a known kernel are counted one by one.
import type { OpName } from '../../../hlo/attributes.ts';
import type { OpRow } from '../../../hlo/op-row.ts';
import { opTable } from '../../../hlo/op-table.ts';
import { scatterOperands } from '../../../hlo/operand-groups.ts';
import { freeDimensions } from '../../../hlo/ops/contraction.ts';
import { bytesOfType, countOf, totalBytes } from '../../../hlo/ops/costs.ts';
import { dispatch, isIn, type PerOp } from '../../../hlo/per-op.ts';
import { type Op, tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { dynamicDim, isInteger } from '../../../hlo/types.ts';
import { convolutionProblem } from '../convolution/convolution-problem.ts';
import {
  countedType,
  type KernelMultiply,
  type KernelRowMove,
  type KernelSweep,
  type KernelWork,
  type Operations,
} from './kernel-work.ts';

export const noOperations: Operations = {
  simple: 0,
  transcendental: 0,
  integers: 0,
  divisions: 0,
  roots: 0,
  exponentials: 0,
  rounded: 0,
  randomWords: 0,
};
const names = Object.keys(noOperations) as (keyof Operations)[];
const mapped = (of: (name: keyof Operations) => number): Operations =>
  Object.fromEntries(names.map(name => [name, of(name)])) as unknown as Operations;
export const addOperations = (a: Operations, b: Operations): Operations => mapped(name => a[name] + b[name]);
export const perElement = (all: Operations, elements: number): Operations => mapped(name => all[name] / elements);

/** The cost of one element of an op, in addition to that in its row. */
interface Timing {
  /**
   * The cost of a function that takes longer than an exponential, as measured on Zen 4. With shorter vectors than AVX-512's erf
   * and tanh have no tables (c/scalar/math-tables.ts) and take twice as long.
   */
  readonly exponentials?: number;
  /** Computed by the division unit. */
  readonly unit?: 'division' | 'root';
  /** Its results need no rounding. */
  readonly isExact?: true;
}
const timings: { readonly [N in OpName]?: Timing } = {
  tanh: { exponentials: 1.2 },
  exponential_minus_one: { exponentials: 1.9 },
  logistic: { exponentials: 1.7 },
  log: { exponentials: 1.9 },
  log_plus_one: { exponentials: 4.8 },
  sine: { exponentials: 5 },
  cosine: { exponentials: 5 },
  tan: { exponentials: 8 },
  power: { exponentials: 5 },
  atan2: { exponentials: 5 },
  cbrt: { exponentials: 5 },
  divide: { unit: 'division' },
  sqrt: { unit: 'root' },
  rsqrt: { unit: 'root' },
  bitcast_convert: { isExact: true },
  select: { isExact: true },
  maximum: { isExact: true },
  minimum: { isExact: true },
  negate: { isExact: true },
  abs: { isExact: true },
  clamp: { isExact: true },
};

export function operationsOf(op: Op): Operations {
  const cost = (opTable[op.name] as OpRow<OpName>).cost(op as never);
  const { kind } = opTable[op.name];
  const [result] = op.results;
  const elements = result === undefined ? 0 : countOf(result.type);
  if (kind === 'random') {
    const words = op.results.reduce((sum, v) => sum + bytesOfType(v.type) / 4, 0);
    return { ...noOperations, simple: words, randomWords: words };
  }
  const isTwoBytes =
    result?.type.kind === 'tensor' && (result.type.elementType === 'bf16' || result.type.elementType === 'f16');
  // Selecting an element is work, too, although the table counts no FLOPs for it.
  const simple = Math.max(cost.flops, kind === 'movement' ? elements : 0);
  const isOfIntegers = result?.type.kind === 'tensor' && isInteger(result.type.elementType);
  const { exponentials = 1, unit, isExact = false } = timings[op.name] ?? {};
  return {
    simple,
    transcendental: cost.transcendentals,
    integers: isOfIntegers ? simple : 0,
    divisions: unit === 'division' && !isOfIntegers ? elements : 0,
    roots: unit === 'root' ? elements : 0,
    exponentials: unit === 'root' ? 0 : cost.transcendentals * exponentials,
    rounded: isTwoBytes && !isExact && (kind === 'elementwise' || kind === 'reduction') ? elements : 0,
    randomWords: 0,
  };
}

const sizeOf = (v: Value, dim: number): number => {
  const size = tensorTypeOf(v).shape[dim]!;
  return size === dynamicDim ? 1 : size;
};
const product = (sizes: readonly number[]): number => sizes.reduce((n, size) => n * size, 1);

/** The multiplies of an op, with true sizes: those of a convolution as it is lowered to multiplies. */
const multiplies: PerOp<'dot_general' | 'convolution', readonly KernelMultiply[], [name: string]> = {
  dot_general(op, name) {
    const a = op.attributes;
    const [lhs, rhs] = op.operands;
    const free = freeDimensions(a, tensorTypeOf(lhs).shape.length, tensorTypeOf(rhs).shape.length);
    const sizes = (v: Value, dims: readonly number[]): number => product(dims.map(d => sizeOf(v, d)));
    const multiply: KernelMultiply = {
      kind: 'multiply',
      name,
      batch: sizes(lhs, a.lhsBatchingDimensions),
      m: sizes(lhs, free.lhs),
      n: sizes(rhs, free.rhs),
      k: sizes(lhs, a.lhsContractingDimensions),
      type: multipliedType(op),
      bytes: movedBytes(op),
      of: 'dot',
      layout: 'nn',
    };
    return [multiply];
  },
  convolution(op, name) {
    const [type, bytes] = [multipliedType(op), movedBytes(op)];
    const [x, w, y] = [...op.operands, op.results[0]].map(v =>
      tensorTypeOf(v).shape.map(size => (size === dynamicDim ? 1 : size)),
    );
    const problem = convolutionProblem(op.attributes, x!, w!, y!);
    if (problem === undefined) {
      // More dims than the convolution kernels support: the same products, as one multiply.
      const flops = (opTable.convolution as OpRow<'convolution'>).cost(op).flops;
      const m = sizeOf(op.operands[1], op.attributes.dimensionNumbers.kernelOutputFeatureDimension);
      const n = product(y!) / m;
      return [
        {
          kind: 'multiply',
          name,
          batch: 1,
          m,
          n,
          k: Math.max(1, Math.round(flops / (2 * m * n))),
          type,
          bytes,
          of: 'convolution',
          layout: 'nn',
        },
      ];
    }
    const { groups: batch, outputs: m, phases } = problem;
    const flops = phases.reduce((sum, p) => sum + p.columns * p.depth, 0);
    return phases
      .filter(p => p.columns * p.depth > 0)
      .map(({ columns: n, depth: k }) => ({
        kind: 'multiply',
        name,
        batch,
        m,
        n,
        k,
        type,
        bytes: (bytes * n * k) / flops,
        of: 'convolution',
        layout: 'nn',
      }));
  },
};
type Multiplying = Op<keyof typeof multiplies>;
const multipliedType = ({ operands: [x] }: Multiplying): KernelMultiply['type'] =>
  countedType(tensorTypeOf(x).elementType) ?? 'f32';
const movedBytes = (op: Multiplying): number => totalBytes(op.operands) + totalBytes(op.results);
export const isMultiply = (op: Op): op is Multiplying => isIn(multiplies, op);
export const multipliesOf = (op: Multiplying, name: string): readonly KernelMultiply[] =>
  dispatch(multiplies, op, name);

/** The rows that a gather looks up or a scatter adds to its table. */
const rowMoves: PerOp<'gather' | 'scatter', KernelRowMove, [name: string]> = {
  gather(op, name) {
    const result = op.results[0];
    const perRow = Math.max(1, product(op.attributes.sliceSizes));
    const rows = countOf(result.type) / perRow;
    const bytesPerRow = rows === 0 ? 0 : bytesOfType(result.type) / rows;
    return { kind: 'row-move', name, rows, bytesPerRow, direction: 'gather' };
  },
  scatter(op, name) {
    const { indices, pairs } = scatterOperands(op.operands);
    const { indexVectorDim } = op.attributes.dimensionNumbers;
    const shape = tensorTypeOf(indices).shape;
    const rows = product(shape.filter((_, d) => d !== indexVectorDim).map(size => (size === dynamicDim ? 1 : size)));
    const bytesPerRow = rows === 0 ? 0 : totalBytes(pairs.map(p => p.updates)) / rows;
    return { kind: 'row-move', name, rows, bytesPerRow, direction: 'scatter' };
  },
};
type RowMoving = Op<keyof typeof rowMoves>;
export const isRowMove = (op: Op): op is RowMoving => isIn(rowMoves, op);
export const rowMoveOf = (op: RowMoving, name: string): KernelRowMove => dispatch(rowMoves, op, name);

/** The work of an op as a separate kernel: every operand is read and every result written. */
export function unfusedWork(op: Op, name: string): readonly KernelWork[] {
  if (isMultiply(op)) return multipliesOf(op, name);
  if (isRowMove(op)) return [rowMoveOf(op, name)];
  const cost = (opTable[op.name] as OpRow<OpName>).cost(op as never);
  const elements = Math.max(1, ...op.results.map(v => countOf(v.type)), ...op.operands.map(v => countOf(v.type)));
  const bytes = cost.bytesRead + cost.bytesWritten;
  const operations = operationsOf(op);
  if (bytes === 0 && operations.simple + operations.transcendental + operations.randomWords === 0) return [];
  const sweep: KernelSweep = {
    kind: 'sweep',
    name,
    elements,
    ...perElement(operations, elements),
    bytesRead: cost.bytesRead,
    bytesWritten: cost.bytesWritten,
    pattern: opTable[op.name].kind === 'elementwise' ? 'elements' : 'other',
    bytesInPlace: 0,
  };
  return [sweep];
}
