// The row of sort: sorts the slices along one dim of several tensors together, with a comparator region that decides
// whether the first of two elements comes before the second. Always stable, which is allowed for unstable sorts.
import type { Literal } from '../literal.ts';
import type { EvaluationContext } from '../op-row.ts';
import { type Rows, tensors } from '../op-row.ts';
import type { Region } from '../program.ts';
import { comparisonOf } from '../reducer.ts';
import { formatType, stridesOf, type TensorType, tensorType } from '../types.ts';
import { countOf, regionOps, streaming } from './costs.ts';
import { decode, isComplex } from './element-data.ts';
import { affineIndices, take } from './indices.ts';
import { type Checker, checkerOf, checkRegion, compatibleShapes, withShape } from './shape-checks.ts';

const require: Checker = checkerOf('sort');

/** before(i, j): whether elements i of the inputs come before elements j. */
function beforeOf(
  region: Region,
  inputs: readonly Literal[],
  context: EvaluationContext,
): (i: number, j: number) => boolean {
  const comparison = comparisonOf(region);
  if (comparison !== undefined && !comparison.total) {
    const { left, right, direction } = comparison;
    const input = inputs[left >> 1]!;
    if (left >> 1 === right >> 1 && left !== right && !isComplex(input.type.elementType)) {
      const values = decode(input);
      const less = (direction === 'LT') === left < right;
      if (direction === 'LT' || direction === 'GT')
        return less ? (i, j) => values[i]! < values[j]! : (i, j) => values[i]! > values[j]!;
    }
  }
  const at = (input: Literal, i: number): Literal => take(tensorType(input.type.elementType), input, [i]);
  return (i, j) =>
    context.region(
      region,
      inputs.flatMap(x => [at(x, i), at(x, j)]),
    )[0]!.data[0] !== 0;
}

export const sortRows: Rows<'sort'> = {
  sort: {
    name: 'sort',
    kind: 'sort',
    pure: true,
    infer(operands, { dimension }, regions) {
      const types = tensors('sort', operands);
      require(types.length > 0, 1, () => 'expected at least one operand');
      require(types.every(t => compatibleShapes(t, types[0]!)), 3, () =>
        `operands must have one shape, got ${types.map(formatType).join(', ')}`);
      const rank = types[0]!.shape.length;
      require(dimension >= -rank && dimension < rank, 4, () =>
        `dimension ${dimension} is not one of ${formatType(types[0]!)}`);
      const pairs = types.flatMap(t => [withShape(t, []), withShape(t, [])]);
      checkRegion(require, 5, regions[0], pairs, [tensorType('i1')]);
      return types;
    },
    evaluate(op, operands, context) {
      const { shape } = operands[0].type;
      const dim = op.attributes.dimension < 0 ? op.attributes.dimension + shape.length : op.attributes.dimension;
      const strides = stridesOf(shape);
      const before = beforeOf(op.regions[0], operands, context);
      const starts = affineIndices(
        shape.filter((_, d) => d !== dim),
        strides.filter((_, d) => d !== dim),
      );
      const sources = new Int32Array(operands[0].type.shape.reduce((a, b) => a * b, 1));
      for (const start of starts) {
        const along = Array.from({ length: shape[dim]! }, (_, k) => start + k * strides[dim]!);
        const sorted = along.toSorted((i, j) => (before(i, j) ? -1 : before(j, i) ? 1 : 0));
        sorted.forEach((from, k) => {
          sources[along[k]!] = from;
        });
      }
      return operands.map(x => take(x.type, x, sources));
    },
    cost(op) {
      const type = op.operands[0].type as TensorType;
      const length = Math.max(type.shape.at(op.attributes.dimension) ?? 1, 2);
      return streaming(op, countOf(type) * Math.ceil(Math.log2(length)) * regionOps(op.regions[0]));
    },
  },
};
