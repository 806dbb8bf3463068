// Rows of ops whose result shapes depend on values, or that query sizes. If sizes are known, from constants or a static result
// type, each is decomposed into the op that takes them as attributes.

import { literal, scalar } from '../literal.ts';
import { type Rows, tensors } from '../op-row.ts';
import { shapeOf, tensorTypeOf } from '../program.ts';
import { dynamicDim, formatType, stridesOf, tensorType } from '../types.ts';
import { boundedType } from './bounds.ts';
import { moving, noCost } from './costs.ts';
import { dynamicConvRows } from './dynamic-conv.ts';
import { dynamicMovementRows } from './dynamic-movement.ts';
import { dynamicShapeRows } from './dynamic-shape.ts';
import { affineIndices, take } from './indices.ts';
import { anyElement, checkElements, constantNumbers, isStatic } from './operand-checks.ts';
import { type Checker, checkerOf, inRange, shapesAgree } from './shape-checks.ts';

const getChecks: Checker = checkerOf('get_dimension_size');
const setChecks: Checker = checkerOf('set_dimension_size');
const castChecks: Checker = checkerOf('tensor.cast');

export const dynamicRows: Rows<
  | 'get_dimension_size'
  | 'set_dimension_size'
  | 'dynamic_broadcast_in_dim'
  | 'dynamic_conv'
  | 'dynamic_gather'
  | 'dynamic_iota'
  | 'dynamic_pad'
  | 'dynamic_reshape'
  | 'real_dynamic_slice'
  | 'tensor.cast'
> = {
  ...dynamicShapeRows,
  ...dynamicMovementRows,
  ...dynamicConvRows,
  get_dimension_size: {
    name: 'get_dimension_size',
    kind: 'movement',
    pure: true,
    infer(operands, { dimension }) {
      const [x] = tensors('get_dimension_size', operands, { perAxis: true });
      getChecks(inRange([dimension], x.shape.length), 1, () => `${formatType(x)} has no dim ${dimension}`);
      return [tensorType('i32')];
    },
    evaluate: (op, [x]) => [scalar('i32', x.type.shape[op.attributes.dimension]!)],
    decompose(b, op, [x]) {
      const size = shapeOf(x)[op.attributes.dimension]!;
      return size === dynamicDim ? undefined : [b.constant(literal('i32', [], [size]))];
    },
    cost: () => noCost,
  },
  set_dimension_size: {
    name: 'set_dimension_size',
    kind: 'movement',
    pure: true,
    infer(operands, { dimension }) {
      const [x, size] = tensors('set_dimension_size', operands);
      checkElements(setChecks, 'element_type', [x], anyElement);
      setChecks(
        size.shape.length === 0 && size.elementType === 'i32',
        'size',
        () => `the size must be an i32 scalar, got ${formatType(size)}`,
      );
      setChecks(inRange([dimension], x.shape.length), 'dimension', () => `${formatType(x)} has no dim ${dimension}`);
      // The old size becomes the bound.
      const before = x.shape[dimension]!;
      const bounds = x.bounds ?? x.shape.map(() => undefined);
      const bound = before === dynamicDim ? bounds[dimension] : before;
      return [boundedType(x, x.shape.with(dimension, dynamicDim), bounds.with(dimension, bound))];
    },
    evaluate(op, [x, size]) {
      const { dimension } = op.attributes;
      const { shape } = x.type;
      const wanted = Math.min(Math.max(Number(size.data[0]), 0), shape[dimension]!);
      const kept = shape.with(dimension, wanted);
      return [take({ ...x!.type, shape: kept }, x, affineIndices(kept, stridesOf(shape)))];
    },
    decompose(b, op, [x, size]) {
      const { dimension } = op.attributes;
      const [wanted, shape] = [constantNumbers(size)?.[0], shapeOf(x)];
      if (wanted === undefined || shape.includes(dynamicDim)) return undefined;
      const kept = shape.with(dimension, Math.min(Math.max(wanted, 0), shape[dimension]!));
      const start = shape.map(() => 0);
      return [b.slice(x, start, kept)];
    },
    cost: op => moving(op),
  },
  'tensor.cast': {
    name: 'tensor.cast',
    kind: 'movement',
    pure: true,
    infer(operands, { type }) {
      const [x] = tensors('tensor.cast', operands);
      castChecks(
        x.elementType === type.elementType && shapesAgree(x.shape, type.shape),
        'types',
        () => `${formatType(x)} is no ${formatType(type)}`,
      );
      return [type];
    },
    evaluate: (_op, [x]) => [x],
    decompose: (_b, op, [x]) => (isStatic(tensorTypeOf(x)) || !isStatic(op.attributes.type) ? [x] : undefined),
    cost: () => noCost,
  },
};
