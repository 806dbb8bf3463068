// Rows of the windowed reductions: reduce_window (pooling), and select_and_scatter (its gradient for max pooling).
import type { Literal } from '../literal.ts';
import { type EvaluationContext, type Rows, tensors } from '../op-row.ts';
import { reductionOperands } from '../operand-groups.ts';
import type { Region } from '../program.ts';
import { comparisonOf } from '../reducer.ts';
import { elementCount, formatType, stridesOf, type TensorType, tensorType } from '../types.ts';
import { boundedType, mapExtents } from './bounds.ts';
import { countOf, regionOps, streaming } from './costs.ts';
import { combinedIndices } from './indices.ts';
import { splitReduction } from './reduce.ts';
import { accumulatorOf, accumulatorTypes, elementOf, finished, foldOf, type Scalar, sourceOf } from './reducers.ts';
import {
  type Checker,
  checkerOf,
  checkReducer,
  checkRegion,
  list,
  sameElements,
  shapesAgree,
  windowCount,
  withShape,
} from './shape-checks.ts';

const reduceChecks: Checker = checkerOf('reduce_window');
const selectChecks: Checker = checkerOf('select_and_scatter');

interface WindowSizes {
  readonly windowDimensions: readonly number[];
  readonly windowStrides: readonly number[];
  readonly padding: readonly (readonly [number, number])[];
  readonly baseDilations: readonly number[];
  readonly windowDilations: readonly number[];
}

const windowCountAt = (size: number, d: number, w: WindowSizes): number =>
  windowCount(
    size,
    w.windowDimensions[d]!,
    w.windowStrides[d]!,
    w.padding[d]![0],
    w.padding[d]![1],
    w.baseDilations[d]!,
    w.windowDilations[d]!,
  );
const windowedShape = (shape: readonly number[], w: WindowSizes): number[] =>
  shape.map((size, d) => windowCountAt(size, d, w));

/** For every window, in row-major order, the linear indices of its elements; -1 where it lies on padding or dilation. */
function* windowsOf(shape: readonly number[], counts: readonly number[], w: WindowSizes): Generator<Int32Array> {
  const strides = stridesOf(shape);
  // at[d][o]: along dim d, the offsets of the elements of window o.
  const at = shape.map((size, d) =>
    Array.from({ length: counts[d]! }, (_, o) =>
      Array.from({ length: w.windowDimensions[d]! }, (_, k) => {
        const padded = o * w.windowStrides[d]! + k * w.windowDilations[d]! - w.padding[d]![0];
        const base = padded / w.baseDilations[d]!;
        return Number.isInteger(base) && base >= 0 && base < size ? base * strides[d]! : -1;
      }),
    ),
  );
  const total = elementCount(counts);
  const countStrides = stridesOf(counts);
  for (let i = 0; i < total; i++) {
    yield combinedIndices(at.map((windows, d) => windows[Math.floor(i / countStrides[d]!) % counts[d]!]!));
  }
}

/** The region of select_and_scatter that decides whether the first of two elements of `values` stays selected. */
function selectorOf(
  region: Region,
  type: TensorType['elementType'],
  values: ArrayLike<Scalar>,
  context: EvaluationContext,
): (kept: number, candidate: number) => boolean {
  const comparison = comparisonOf(region);
  if (comparison !== undefined && !comparison.total && comparison.left === 0 && comparison.right === 1) {
    if (comparison.direction === 'GE') return (kept, candidate) => values[kept]! >= values[candidate]!;
    if (comparison.direction === 'LE') return (kept, candidate) => values[kept]! <= values[candidate]!;
  }
  const at = (i: number): Literal => elementOf(type, values, i);
  return (kept, candidate) => context.region(region, [at(kept), at(candidate)])[0]!.data[0] !== 0;
}

export const windowRows: Rows<'reduce_window' | 'select_and_scatter'> = {
  reduce_window: {
    name: 'reduce_window',
    kind: 'window',
    pure: true,
    infer(operands, attributes, [region]) {
      const { inputs, inits, type } = splitReduction(
        reduceChecks,
        { count: 1, shape: 2, elementType: 3 },
        tensors('reduce_window', operands),
      );
      const rank = type.shape.length;
      const { windowDimensions, windowStrides, padding, baseDilations, windowDilations } = attributes;
      const lists = [
        ['window_dimensions', windowDimensions, 4],
        ['window_strides', windowStrides, 6],
        ['base_dilations', baseDilations, 8],
        ['window_dilations', windowDilations, 10],
      ] as const;
      for (const [what, values, constraint] of lists) {
        reduceChecks(values.length === rank, constraint, () => `${what} needs ${rank} entries, got ${list(values)}`);
        reduceChecks(
          values.every(v => v > 0),
          constraint + 1,
          () => `${what} must be positive, got ${list(values)}`,
        );
      }
      reduceChecks(
        padding.length === rank && padding.every(p => p.length === 2),
        12,
        () => `padding needs ${rank} pairs`,
      );
      const types = checkReducer(reduceChecks, 13, region, inputs, inits, windowDimensions);
      const { shape, bounds } = mapExtents(type, (size, d) => windowCountAt(size, d, attributes));
      return types.map(t => boundedType(t, shape, bounds));
    },
    evaluate(op, operands, context) {
      const pairs = reductionOperands(operands);
      const region = op.regions[0];
      const types = accumulatorTypes(region);
      const fold = foldOf(region, context);
      const { shape } = operands[0].type;
      const counts = windowedShape(shape, op.attributes);
      const inits = pairs.map(({ init }, i) => sourceOf(init, types[i]!));
      const sources = pairs.map(({ input }, i) => sourceOf(input, types[i]!));
      const accumulators = pairs.map(({ init }, i) => accumulatorOf(types[i]!, elementCount(counts), init));
      let target = 0;
      for (const window of windowsOf(shape, counts, op.attributes)) {
        // Padding holds the initial value, and is combined like any element.
        for (const source of window) {
          if (source < 0) fold(accumulators, target, inits, 0);
          else fold(accumulators, target, sources, source);
        }
        target++;
      }
      return accumulators.map((a, i) => finished(tensorType(types[i]!, counts), a));
    },
    cost(op) {
      const perWindow = elementCount(op.attributes.windowDimensions);
      return streaming(op, countOf(op.results[0].type) * perWindow * regionOps(op.regions[0]));
    },
  },
  select_and_scatter: {
    name: 'select_and_scatter',
    kind: 'window',
    pure: true,
    infer(operands, attributes, regions) {
      const [operand, source, init] = tensors('select_and_scatter', operands);
      const { windowDimensions, windowStrides, padding } = attributes;
      const rank = operand.shape.length;
      selectChecks(
        sameElements(operand, source),
        1,
        () => `${formatType(operand)} and ${formatType(source)} must have one element type`,
      );
      selectChecks(
        init.shape.length === 0 && sameElements(init, operand),
        3,
        () => `the initial value must be a scalar of ${operand.elementType}, got ${formatType(init)}`,
      );
      for (const [what, values, constraint] of [
        ['window_dimensions', windowDimensions, 4],
        ['window_strides', windowStrides, 6],
      ] as const) {
        selectChecks(values.length === rank, constraint, () => `${what} needs ${rank} entries, got ${list(values)}`);
        selectChecks(
          values.every(v => v > 0),
          constraint + 1,
          () => `${what} must be positive, got ${list(values)}`,
        );
      }
      selectChecks(padding.length === rank, 8, () => `padding needs ${rank} pairs`);
      const counts = operand.shape.map((size, d) =>
        windowCount(size, windowDimensions[d]!, windowStrides[d]!, padding[d]![0], padding[d]![1], 1, 1),
      );
      selectChecks(
        shapesAgree(source.shape, counts),
        2,
        () => `the source must have shape ${list(counts)}, got ${formatType(source)}`,
      );
      const element = withShape(operand, []);
      checkRegion(selectChecks, 9, regions[0], [element, element], [tensorType('i1')]);
      const [type] = checkReducer(selectChecks, 10, regions[1], [operand]);
      return [boundedType(type!, operand.shape, operand!.bounds)];
    },
    evaluate(op, [operand, source, init], context) {
      const [select, scatter] = op.regions;
      const [type] = accumulatorTypes(scatter);
      const { elementType, shape } = operand.type;
      const keeps = selectorOf(select, elementType, sourceOf(operand, elementType), context);
      const fold = foldOf(scatter, context);
      const sources = [sourceOf(source, type!)];
      const accumulator = accumulatorOf(type!, elementCount(shape), init);
      const ones = shape.map(() => 1);
      const sizes = { ...op.attributes, baseDilations: ones, windowDilations: ones };
      let at = 0;
      for (const window of windowsOf(shape, source.type.shape, sizes)) {
        let selected = -1;
        for (const candidate of window) {
          if (candidate >= 0 && (selected < 0 || !keeps(selected, candidate))) selected = candidate;
        }
        if (selected >= 0) fold([accumulator], selected, sources, at);
        at++;
      }
      return [finished(tensorType(type!, shape), accumulator)];
    },
    cost(op) {
      const windows = countOf(op.operands[1].type);
      return streaming(op, windows * (elementCount(op.attributes.windowDimensions) + regionOps(op.regions[1])));
    },
  },
};
