// Rows of dynamic_pad, real_dynamic_slice and dynamic_gather: paddings, limits and slice sizes are operands.
import type { OpAttributes } from '../attributes.ts';
import type { BaseBuilder } from '../base-builder.ts';
import { type Rows, tensors } from '../op-row.ts';
import { shapeOf, tensorTypeOf, type Value } from '../program.ts';
import { dynamicDim, formatType, sameType, type TensorType } from '../types.ts';
import { bytesOfType, moving } from './costs.ts';
import { gatherRows } from './gather.ts';
import {
  anyElement,
  checkAgrees,
  checkElements,
  checkSizes,
  constantNumbers,
  inferAs,
  isStatic,
} from './operand-checks.ts';
import { type Checker, checkerOf, list, otherDims } from './shape-checks.ts';

const padChecks: Checker = checkerOf('dynamic_pad');
const sliceChecks: Checker = checkerOf('real_dynamic_slice');
const gatherChecks: Checker = checkerOf('dynamic_gather');

/** The numbers of all of these operands, or undefined if one is not known. */
function allConstant(values: readonly Value[]): readonly (readonly number[])[] | undefined {
  const numbers = values.map(constantNumbers);
  return numbers.every(n => n !== undefined) ? numbers : undefined;
}

/** Checks operands that each have one number per dim of x. */
function checkPerDim(require: Checker, constraint: number | string, x: TensorType, lists: readonly TensorType[]): void {
  for (const type of lists) {
    checkSizes(require, constraint, type);
    require(sameType(type, lists[0]!) && type.shape[0] === x.shape.length, constraint, () =>
      `${lists.map(formatType).join(', ')} for ${formatType(x)}: expected one number per dim, all of one type`);
  }
}

/** Slices of fixed size whose starts are values, equivalent to a slice with strides 1. */
function sliceAt(b: BaseBuilder, x: Value, starts: Value, sliceSizes: readonly number[]): Value {
  const indices = sliceSizes.map((_, d) => b.reshape(b.slice(starts, [d], [d + 1]), []));
  return b.emit1('dynamic_slice', [x, ...indices], { sliceSizes });
}

/** Slice sizes as far as they are known: from a constant, or from the type of the result. */
function sliceSizesOf(
  x: TensorType,
  sizes: Value,
  { dimensionNumbers, type }: OpAttributes['dynamic_gather'],
): readonly number[] | undefined {
  const constant = constantNumbers(sizes);
  if (constant !== undefined) return constant;
  const { offsetDims, collapsedSliceDims, operandBatchingDims } = dimensionNumbers;
  const found = x.shape.map(size => Math.min(size, 1));
  otherDims(x.shape.length, collapsedSliceDims, operandBatchingDims).forEach((d, i) => {
    found[d] = type.shape[offsetDims[i]!]!;
  });
  return found.includes(dynamicDim) ? undefined : found;
}

export const dynamicMovementRows: Rows<'dynamic_pad' | 'real_dynamic_slice' | 'dynamic_gather'> = {
  dynamic_pad: {
    name: 'dynamic_pad',
    kind: 'movement',
    pure: true,
    infer(operands, { type }) {
      const [x, value, ...paddings] = tensors('dynamic_pad', operands);
      checkElements(padChecks, 'element_type', [x, value, type], anyElement);
      padChecks(value.shape.length === 0, 'padding_value', () => `padded with ${formatType(value)}, not a scalar`);
      padChecks(
        sameType({ ...value, shape: [] }, { ...value, elementType: x.elementType, shape: [] }) &&
          x.elementType === type.elementType,
        1,
        () => `element types must be equal, got ${[x, value, type].map(formatType).join(', ')}`,
      );
      checkPerDim(padChecks, 2, x, paddings);
      padChecks(type.shape.length === x.shape.length, 4, () => `${formatType(x)} cannot become ${formatType(type)}`);
      return [type];
    },
    verify(op) {
      const x = tensorTypeOf(op.operands[0]);
      const interior = constantNumbers(op.operands[4]);
      padChecks(
        interior === undefined || interior.every(p => p >= 0),
        3,
        () => `interior padding must not be negative, got ${list(interior!)}`,
      );
      const paddings = allConstant(op.operands.slice(2));
      if (paddings === undefined) return;
      const [low, high, holes] = paddings as [readonly number[], readonly number[], readonly number[]];
      const shape = x.shape.map((size, d) =>
        size === dynamicDim ? size : low[d]! + size + Math.max(size - 1, 0) * holes[d]! + high[d]!,
      );
      checkAgrees(padChecks, 4, shape, op.attributes.type);
    },
    decompose(b, _op, [x, value, ...paddings]) {
      const numbers = allConstant(paddings);
      if (numbers === undefined) return undefined;
      const [low, high, interior] = numbers as [readonly number[], readonly number[], readonly number[]];
      return [b.pad(x, value, low, high, interior)];
    },
    cost: op => ({ ...moving(op), bytesRead: bytesOfType(op.operands[0].type) }),
  },
  real_dynamic_slice: {
    name: 'real_dynamic_slice',
    kind: 'movement',
    pure: true,
    infer(operands, { type }) {
      const [x, ...lists] = tensors('real_dynamic_slice', operands);
      checkElements(sliceChecks, 'element_type', [x], anyElement);
      sliceChecks(
        x.elementType === type.elementType && x.shape.length === type.shape.length,
        'result',
        () => `${formatType(type)} is not a slice of ${formatType(x)}`,
      );
      checkPerDim(sliceChecks, 'indices', x, lists);
      return [type];
    },
    decompose(b, op, [x, starts, limits, strides]) {
      const { type } = op.attributes;
      const numbers = allConstant([starts, limits, strides]);
      if (numbers !== undefined) {
        const [start, limit, stride] = numbers as [readonly number[], readonly number[], readonly number[]];
        return [b.slice(x, start, limit, stride)];
      }
      const whole = constantNumbers(strides)?.every(s => s === 1) === true && isStatic(type);
      return whole ? [sliceAt(b, x, starts, type.shape)] : undefined;
    },
    cost: op => moving(op),
  },
  dynamic_gather: {
    name: 'dynamic_gather',
    kind: 'movement',
    pure: true,
    infer(operands, attributes) {
      const [x, indices, sizes] = tensors('dynamic_gather', operands);
      const { dimensionNumbers, type } = attributes;
      checkSizes(gatherChecks, 'slice_sizes', sizes);
      gatherChecks(
        sizes.shape[0] === x.shape.length,
        20,
        () => `${x.shape.length} slice sizes expected, got ${sizes.shape[0]}`,
      );
      // The constraints on all but the sizes are those of gather; sizes of 1 are always valid.
      const sliceSizes = x.shape.map(size => (size === dynamicDim ? 1 : Math.min(size, 1)));
      const inferred = inferGather([x, indices], { ...attributes, sliceSizes });
      const shape = inferred.shape.map((size, d) => (dimensionNumbers.offsetDims.includes(d) ? dynamicDim : size));
      checkAgrees(gatherChecks, 22, shape, type);
      gatherChecks(
        x.elementType === type.elementType,
        23,
        () => `${formatType(type)} cannot be gathered from ${formatType(x)}`,
      );
      return [type];
    },
    verify(op) {
      const [x, indices, sizes] = op.operands;
      const sliceSizes = constantNumbers(sizes);
      if (sliceSizes === undefined) return;
      const { shape } = inferGather([tensorTypeOf(x), tensorTypeOf(indices)], { ...op.attributes, sliceSizes });
      checkAgrees(gatherChecks, 22, shape, op.attributes.type);
    },
    decompose(b, op, [x, indices, sizes]) {
      const sliceSizes = sliceSizesOf(tensorTypeOf(x), sizes, op.attributes);
      if (sliceSizes === undefined || shapeOf(x).length !== sliceSizes.length) return undefined;
      const { type: _, ...attributes } = op.attributes;
      return [b.emit1('gather', [x, indices], { ...attributes, sliceSizes })];
    },
    cost: op => moving(op, op.operands.slice(1)),
  },
};

const inferGather = (types: readonly [TensorType, TensorType], attributes: OpAttributes['gather']): TensorType =>
  inferAs('dynamic_gather', 'gather', () => gatherRows.gather.infer(types, attributes, []))[0] as TensorType;
