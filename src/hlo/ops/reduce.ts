// The row of reduce: folds the elements along some dims with a region, in row-major order from the initial values.
import { type Rows, tensors } from '../op-row.ts';
import { elementCount, formatType, stridesOf, type TensorType, tensorType } from '../types.ts';
import { countOf, regionOps, streaming } from './costs.ts';
import { affineIndices } from './indices.ts';
import { accumulatorOf, accumulatorTypes, finished, foldOf, sourceOf } from './reducers.ts';
import {
  type Checker,
  checkerOf,
  checkReducer,
  inRange,
  isUnique,
  list,
  mergeShapes,
  otherDims,
  shapesAgree,
} from './shape-checks.ts';

const require: Checker = checkerOf('reduce');

/** Inputs and initial values of a variadic reduction, checked: as many of each, one shape, matching element types. */
export function splitReduction(
  checker: Checker,
  constraints: { readonly shape: number; readonly elementType: number; readonly count: number },
  types: readonly TensorType[],
): readonly [inputs: readonly TensorType[], shape: readonly number[]] {
  const n = types.length / 2;
  checker(
    Number.isInteger(n) && n > 0,
    constraints.count,
    () => `takes as many initial values as inputs, got ${types.length} operands`,
  );
  const [inputs, inits] = [types.slice(0, n), types.slice(n)];
  checker(
    inputs.every(t => shapesAgree(t.shape, inputs[0]!.shape)),
    constraints.shape,
    () => `inputs must have one shape, got ${inputs.map(formatType).join(', ')}`,
  );
  checker(
    inits.every((t, i) => t.shape.length === 0 && t.elementType === inputs[i]!.elementType),
    constraints.elementType,
    () => `initial values must be scalars of the inputs' types, got ${types.map(formatType).join(', ')}`,
  );
  return [inputs, mergeShapes(inputs.map(t => t.shape))];
}

export const reduceRows: Rows<'reduce'> = {
  reduce: {
    name: 'reduce',
    kind: 'reduction',
    pure: true,
    infer(operands, { dimensions }, regions) {
      const [inputs, shape] = splitReduction(
        require,
        { shape: 1, elementType: 2, count: 3 },
        tensors('reduce', operands),
      );
      require(inRange(dimensions, shape.length), 4, () =>
        `${list(dimensions)} are not all dims of ${formatType(inputs[0]!)}`);
      require(isUnique(dimensions), 5, () => `a dimension occurs twice in ${list(dimensions)}`);
      const types = checkReducer(require, 6, regions, inputs);
      const kept = otherDims(shape.length, dimensions).map(d => shape[d]!);
      return types.map(type => tensorType(type, kept));
    },
    evaluate(op, operands, context) {
      const n = operands.length / 2;
      const region = op.regions[0]!;
      const types = accumulatorTypes(region);
      const fold = foldOf(region, context);
      const { shape } = operands[0]!.type;
      const keptDims = otherDims(shape.length, op.attributes.dimensions);
      const kept = keptDims.map(d => shape[d]!);
      const keptStrides = stridesOf(kept);
      const strides = shape.map((_, d) => keptStrides[keptDims.indexOf(d)] ?? 0);
      const targets = affineIndices(shape, strides);
      const sources = operands.slice(0, n).map((x, i) => sourceOf(x, types[i]!));
      const accumulators = types.map((type, i) => {
        const accumulator = accumulatorOf(type, elementCount(kept));
        (accumulator as Float64Array).fill(sourceOf(operands[n + i]!, type)[0] as number);
        return accumulator;
      });
      for (let i = 0; i < targets.length; i++) fold(accumulators, targets[i]!, sources, i);
      return accumulators.map((a, i) => finished(tensorType(types[i]!, kept), a));
    },
    cost: op =>
      streaming(
        op,
        Math.max(countOf(op.operands[0]!.type) - countOf(op.results[0]!.type), 0) * regionOps(op.regions[0]),
      ),
  },
};
