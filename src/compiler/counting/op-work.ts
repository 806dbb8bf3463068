// The work of single ops: their operations, their multiplies, the rows they move. What a kernel does is the sum over its
// ops (step-work.ts); what no kernel is known for is counted op by op.
import type { OpName } from '../../hlo/attributes.ts';
import type { OpRow } from '../../hlo/op-row.ts';
import { opTable } from '../../hlo/op-table.ts';
import { freeDimensions } from '../../hlo/ops/contraction.ts';
import { bytesOfType, countOf, totalBytes } from '../../hlo/ops/costs.ts';
import { type Op, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { dynamicDim, isInteger } from '../../hlo/types.ts';
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

/**
 * Functions that take longer than an exponential, as measured on Zen 4. With shorter vectors than AVX-512's erf and tanh have no tables
 * (c/scalar/math-tables.ts) and take twice as long.
 */
const exponentials: Partial<Record<OpName, number>> = {
  tanh: 1.2,
  exponential_minus_one: 1.9,
  logistic: 1.7,
  log: 1.9,
  log_plus_one: 4.8,
  sine: 5,
  cosine: 5,
  tan: 8,
  power: 5,
  atan2: 5,
  cbrt: 5,
};

/** Their results need no rounding. */
const exact: ReadonlySet<OpName> = new Set([
  'bitcast_convert',
  'select',
  'maximum',
  'minimum',
  'negate',
  'abs',
  'clamp',
]);

export function operationsOf(op: Op): Operations {
  const cost = (opTable[op.name] as OpRow<OpName>).cost(op as never);
  const { kind } = opTable[op.name];
  const [result] = op.results;
  const elements = result === undefined ? 0 : countOf(result.type);
  if (op.name === 'rng_bit_generator') {
    const words = op.results.reduce((sum, v) => sum + bytesOfType(v.type) / 4, 0);
    return { ...noOperations, simple: words, randomWords: words };
  }
  const isTwoBytes =
    result?.type.kind === 'tensor' && (result.type.elementType === 'bf16' || result.type.elementType === 'f16');
  // Choosing which element to take is work too, though the table counts no flops for it.
  const simple = Math.max(cost.flops, kind === 'movement' ? elements : 0);
  const isOfIntegers = result?.type.kind === 'tensor' && isInteger(result.type.elementType);
  const isRoot = op.name === 'sqrt' || op.name === 'rsqrt';
  return {
    simple,
    transcendental: cost.transcendentals,
    integers: isOfIntegers ? simple : 0,
    divisions: op.name === 'divide' && !isOfIntegers ? elements : 0,
    roots: isRoot ? elements : 0,
    exponentials: isRoot ? 0 : cost.transcendentals * (exponentials[op.name] ?? 1),
    rounded: isTwoBytes && !exact.has(op.name) && (kind === 'elementwise' || kind === 'reduction') ? elements : 0,
    randomWords: 0,
  };
}

const sizeOf = (v: Value, dim: number): number => {
  const size = tensorTypeOf(v).shape[dim]!;
  return size === dynamicDim ? 1 : size;
};
const product = (sizes: readonly number[]): number => sizes.reduce((n, size) => n * size, 1);

/** The multiplies of a `dot_general` or `convolution`, with true sizes: those of a convolution as it is lowered to multiplies. */
export function multipliesOf(op: Op, name: string): readonly KernelMultiply[] {
  const [lhs, rhs] = op.operands as readonly [Value, Value];
  const type = countedType(tensorTypeOf(lhs).elementType) ?? 'f32';
  const bytes = totalBytes(op.operands) + totalBytes(op.results);
  if (op.name === 'dot_general') {
    const a = op.attributes;
    const free = freeDimensions(a, tensorTypeOf(lhs).shape.length, tensorTypeOf(rhs).shape.length);
    const sizes = (v: Value, dims: readonly number[]): number => product(dims.map(d => sizeOf(v, d)));
    const multiply: KernelMultiply = {
      kind: 'multiply',
      name,
      batch: sizes(lhs, a.lhsBatchingDimensions),
      m: sizes(lhs, free.lhs),
      n: sizes(rhs, free.rhs),
      k: sizes(lhs, a.lhsContractingDimensions),
      type,
      bytes,
      of: 'dot',
      layout: 'nn',
    };
    return [multiply];
  }
  if (op.name !== 'convolution') return [];
  const [x, w, y] = [...op.operands, op.results[0]].map(v =>
    tensorTypeOf(v).shape.map(size => (size === dynamicDim ? 1 : size)),
  );
  const problem = convolutionProblem(op.attributes, x!, w!, y!);
  if (problem === undefined) {
    // More dims than the compiler's own convolutions have: the same products, as one multiply.
    const flops = (opTable.convolution as OpRow<'convolution'>).cost(op).flops;
    const m = sizeOf(rhs, op.attributes.dimensionNumbers.kernelOutputFeatureDimension);
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
}

/** The rows that a gather looks up or a scatter adds to its table. */
export function rowMoveOf(op: Op<'gather'> | Op<'scatter'>, name: string): KernelRowMove {
  if (op.name === 'gather') {
    const result = op.results[0];
    const perRow = Math.max(1, product(op.attributes.sliceSizes));
    const rows = countOf(result.type) / perRow;
    return {
      kind: 'row-move',
      name,
      rows,
      bytesPerRow: rows === 0 ? 0 : bytesOfType(result.type) / rows,
      direction: 'gather',
    };
  }
  const inputs = (op.operands.length - 1) / 2;
  const [indices, updates] = [op.operands[inputs]!, op.operands.slice(inputs + 1)];
  const { indexVectorDim } = op.attributes.dimensionNumbers;
  const shape = tensorTypeOf(indices).shape;
  const rows = product(shape.filter((_, d) => d !== indexVectorDim).map(size => (size === dynamicDim ? 1 : size)));
  return {
    kind: 'row-move',
    name,
    rows,
    bytesPerRow: rows === 0 ? 0 : totalBytes(updates) / rows,
    direction: 'scatter',
  };
}

/** An op as work of its own, every operand read and every result written. */
export function unfusedWork(op: Op, name: string): readonly KernelWork[] {
  if (op.name === 'dot_general' || op.name === 'convolution') return multipliesOf(op, name);
  if (op.name === 'gather' || op.name === 'scatter') return [rowMoveOf(op, name)];
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
