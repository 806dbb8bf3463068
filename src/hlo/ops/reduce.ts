// The row of reduce: folds the elements along some dims with a region, in row-major order from the initial values; sums of many
// floats pairwise (pairwise.ts).
import { type Rows, tensors } from '../op-row.ts';
import { reductionOperands } from '../operand-groups.ts';
import { reducerOf } from '../reducer.ts';
import {
  type ElementType,
  elementCount,
  formatType,
  isFloat,
  stridesOf,
  type TensorType,
  tensorType,
} from '../types.ts';
import { boundedType, mostSpecificType } from './bounds.ts';
import { countOf, regionOps, streaming } from './costs.ts';
import { affineIndices } from './indices.ts';
import { PairwiseSum } from './pairwise.ts';
import { accumulatorOf, accumulatorTypes, finished, foldOf, sourceOf } from './reducers.ts';
import {
  type Checker,
  checkerOf,
  checkReducer,
  compatibleShapes,
  inRange,
  isUnique,
  list,
  otherDims,
  sameElements,
} from './shape-checks.ts';

const require: Checker = checkerOf('reduce');

interface Reduction {
  readonly inputs: readonly TensorType[];
  readonly inits: readonly TensorType[];
  /** The shape that all inputs have, with their bounds. */
  readonly type: TensorType;
}
/** Checks inputs and initial values of a variadic reduction: the same number, one shape, matching element types. */
export function splitReduction(
  checker: Checker,
  constraints: { readonly shape: number; readonly elementType: number; readonly count: number },
  types: readonly TensorType[],
): Reduction {
  const n = types.length / 2;
  checker(
    Number.isInteger(n) && n > 0,
    constraints.count,
    () => `takes as many initial values as inputs, got ${types.length} operands`,
  );
  const [inputs, inits] = [types.slice(0, n), types.slice(n)];
  checker(
    inputs.every(t => compatibleShapes(t, inputs[0]!)),
    constraints.shape,
    () => `inputs must have one shape, got ${inputs.map(formatType).join(', ')}`,
  );
  checker(
    inits.every((t, i) => sameElements(t, inputs[i]!)),
    constraints.elementType,
    () => `initial values must have the inputs' element types, got ${types.map(formatType).join(', ')}`,
  );
  return { inputs, inits, type: mostSpecificType(checker, constraints.shape, inputs) };
}

/** Low-precision floats are summed in f32: rounding to low precision at each step would lose small addends. */
const atLeastF32 = (type: ElementType): ElementType => (isFloat(type) && type !== 'f64' ? 'f32' : type);

export const reduceRows: Rows<'reduce'> = {
  reduce: {
    name: 'reduce',
    kind: 'reduction',
    pure: true,
    infer(operands, { dimensions }, [region]) {
      const { inputs, inits, type } = splitReduction(
        require,
        { shape: 1, elementType: 2, count: 3 },
        tensors('reduce', operands),
      );
      const rank = type.shape.length;
      require(inRange(dimensions, rank), 4, () => `${list(dimensions)} are not all dims of ${formatType(inputs[0]!)}`);
      require(isUnique(dimensions), 5, () => `a dimension occurs twice in ${list(dimensions)}`);
      const keptDims = otherDims(rank, dimensions);
      const kept = keptDims.map(d => type.shape[d]!);
      const bounds = type.bounds && keptDims.map(d => type.bounds![d]);
      return checkReducer(require, 6, region, inputs, inits, kept).map(t => boundedType(t, kept, bounds));
    },
    evaluate(op, operands, context) {
      const pairs = reductionOperands(operands);
      const region = op.regions[0];
      const types = accumulatorTypes(region);
      const fold = foldOf(region, context, atLeastF32);
      const { shape } = operands[0].type;
      const keptDims = otherDims(shape.length, op.attributes.dimensions);
      const kept = keptDims.map(d => shape[d]!);
      const keptStrides = stridesOf(kept);
      const strides = shape.map((_, d) => keptStrides[keptDims.indexOf(d)] ?? 0);
      const targets = affineIndices(shape, strides);
      const sources = pairs.map(({ input }, i) => sourceOf(input, types[i]!));
      const accumulators = pairs.map(({ init }, i) => accumulatorOf(types[i]!, elementCount(kept), init));
      const [type, ...more] = types as [ElementType];
      if (more.length === 0 && isFloat(type) && reducerOf(region) === 'add') {
        const sum = new PairwiseSum(fold, accumulators[0]!);
        for (let i = 0; i < targets.length; i++) sum.add(targets[i]!, sources[0]!, i);
        sum.finish();
      } else for (let i = 0; i < targets.length; i++) fold(accumulators, targets[i]!, sources, i);
      return accumulators.map((a, i) => finished(tensorType(types[i]!, kept), a));
    },
    cost: op =>
      streaming(op, Math.max(countOf(op.operands[0].type) - countOf(op.results[0].type), 0) * regionOps(op.regions[0])),
  },
};
