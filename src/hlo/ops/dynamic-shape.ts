// Rows of the ops that have the shape of their result as an operand: dynamic_broadcast_in_dim, dynamic_iota,
// dynamic_reshape.
import type { OpAttributes } from '../attributes.ts';
import { type Rows, tensors } from '../op-row.ts';
import type { Value } from '../program.ts';
import { elementCount, formatType, type TensorType } from '../types.ts';
import { moving, noCost, streaming } from './costs.ts';
import {
  anyElement,
  checkElements,
  checkGiven,
  checkSizes,
  constantNumbers,
  type ElementKind,
  isStatic,
} from './operand-checks.ts';
import { checkBroadcast, checkReshaped } from './quantized-checks.ts';
import { type Checker, checkerOf, compatibleElements, dimsAgree, inRange, isUnique, list } from './shape-checks.ts';

const broadcastChecks: Checker = checkerOf('dynamic_broadcast_in_dim');
const iotaChecks: Checker = checkerOf('dynamic_iota');
const reshapeChecks: Checker = checkerOf('dynamic_reshape');
const everyElement: readonly ElementKind[] = [...anyElement, 'per-axis quantized'];

/** The shape given by an operand, if known: from a constant, or from the result's type. */
function knownShape(
  require: Checker,
  constraint: number,
  sizes: Value,
  type: TensorType,
): readonly number[] | undefined {
  const numbers = constantNumbers(sizes);
  checkGiven(require, constraint, numbers, type);
  return numbers ?? (isStatic(type) ? type.shape : undefined);
}

/** Checks the operand with the shape of the result. */
function checkShapeOperand(require: Checker, constraint: number, sizes: TensorType, type: TensorType): void {
  checkSizes(require, 'shape', sizes);
  require(sizes.shape[0] === type.shape.length, constraint, () =>
    `${sizes.shape[0]} sizes for ${formatType(type)}: expected one for each dim`);
}

/** Elements do not change; quantized ones may be quantized along another dim. */
function checkSameElements(require: Checker, x: TensorType, type: TensorType): void {
  require(compatibleElements(x, type), 1, () =>
    `${formatType(x)} cannot become ${formatType(type)}: element types differ`);
}

function checkDynamicBroadcast(x: TensorType, a: OpAttributes['dynamic_broadcast_in_dim']): void {
  const { broadcastDimensions: dims, type } = a;
  const rank = x.shape.length;
  const what = (): string => `${formatType(x)} along ${list(dims)} to ${formatType(type)}`;
  checkSameElements(broadcastChecks, x, type);
  broadcastChecks(dims.length === rank, 2, () => `${what()}: expected one broadcast dimension per dim`);
  broadcastChecks(inRange(dims, type.shape.length), 3, () => `${what()}: a broadcast dimension is out of range`);
  broadcastChecks(isUnique(dims), 4, () => `${what()}: a broadcast dimension occurs twice`);
  broadcastChecks(
    x.shape.every((d, i) => d === 1 || dimsAgree(d, type.shape[dims[i]!]!)),
    5,
    () => `${what()}: a dim is neither 1 nor equal`,
  );
  checkBroadcast(broadcastChecks, dims, x, type);
  const expanding = a.knownExpandingDimensions ?? [];
  const nonexpanding = a.knownNonexpandingDimensions ?? [];
  broadcastChecks(isUnique([...expanding, ...nonexpanding]), 8, () => `${what()}: a dim is listed twice`);
  broadcastChecks(inRange(expanding, rank), 9, () => `${what()}: known_expanding_dimensions are out of range`);
  broadcastChecks(inRange(nonexpanding, rank), 10, () => `${what()}: known_nonexpanding_dimensions are out of range`);
}

export const dynamicShapeRows: Rows<'dynamic_broadcast_in_dim' | 'dynamic_iota' | 'dynamic_reshape'> = {
  dynamic_broadcast_in_dim: {
    name: 'dynamic_broadcast_in_dim',
    kind: 'movement',
    pure: true,
    infer(operands, attributes) {
      const [x, sizes] = tensors('dynamic_broadcast_in_dim', operands, { perAxis: true }) as [TensorType, TensorType];
      checkElements(broadcastChecks, 'element_type', [x, attributes.type], everyElement);
      checkShapeOperand(broadcastChecks, 7, sizes, attributes.type);
      checkDynamicBroadcast(x, attributes);
      return [attributes.type];
    },
    verify(op) {
      const { broadcastDimensions, type } = op.attributes;
      const sizes = constantNumbers(op.operands[1]);
      checkGiven(broadcastChecks, 7, sizes, type);
      if (sizes !== undefined)
        checkDynamicBroadcast(op.operands[0].type as TensorType, {
          broadcastDimensions,
          type: { ...type, shape: sizes },
        });
    },
    decompose(b, op, [x, sizes]) {
      const { broadcastDimensions, type } = op.attributes;
      const shape = knownShape(broadcastChecks, 7, sizes, type);
      return shape && [b.broadcastInDim(x, broadcastDimensions, shape)];
    },
    cost: op => ({ ...moving(op), bytesRead: moving({ ...op, results: op.operands }).bytesRead }),
  },
  dynamic_iota: {
    name: 'dynamic_iota',
    kind: 'movement',
    pure: true,
    infer(operands, { iotaDimension, type }) {
      const [sizes] = tensors('dynamic_iota', operands);
      checkShapeOperand(iotaChecks, 2, sizes, type);
      iotaChecks(
        inRange([iotaDimension], type.shape.length),
        1,
        () => `dimension ${iotaDimension} is not one of ${formatType(type)}`,
      );
      checkElements(iotaChecks, 'element_type', [type], anyElement);
      return [type];
    },
    verify(op) {
      checkGiven(iotaChecks, 2, constantNumbers(op.operands[0]), op.attributes.type);
    },
    decompose(b, op, [sizes]) {
      const { iotaDimension, type } = op.attributes;
      const shape = knownShape(iotaChecks, 2, sizes, type);
      return shape && [b.iota({ ...type, shape }, iotaDimension)];
    },
    cost: op => streaming(op),
  },
  dynamic_reshape: {
    name: 'dynamic_reshape',
    kind: 'movement',
    pure: true,
    infer(operands, { type }) {
      const [x, sizes] = tensors('dynamic_reshape', operands, { perAxis: true });
      checkElements(reshapeChecks, 'element_type', [x, type], everyElement);
      checkShapeOperand(reshapeChecks, 4, sizes, type);
      checkSameElements(reshapeChecks, x, type);
      checkCount(x, type);
      checkReshaped(reshapeChecks, { scales: 1, axis: 3 }, x, type);
      return [type];
    },
    verify(op) {
      const sizes = constantNumbers(op.operands[1]);
      checkGiven(reshapeChecks, 4, sizes, op.attributes.type);
      if (sizes !== undefined) checkCount(op.operands[0].type as TensorType, { ...op.attributes.type, shape: sizes });
    },
    decompose(b, op, [x, sizes]) {
      const shape = knownShape(reshapeChecks, 4, sizes, op.attributes.type);
      return shape && [b.reshape(x, shape)];
    },
    cost: () => noCost,
  },
};

function checkCount(x: TensorType, type: TensorType): void {
  const known = isStatic(x) && isStatic(type);
  reshapeChecks(
    !known || elementCount(x.shape) === elementCount(type.shape),
    2,
    () => `${formatType(x)} and ${formatType(type)} have different numbers of elements`,
  );
}
