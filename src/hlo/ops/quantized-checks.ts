// Constraints on the quantization of declared results: moved elements keep their scales and zero points, and products of
// quantized sides are quantized consistently with them.
import {
  dynamicDim,
  type ElementType,
  elementCount,
  formatType,
  sameQuantization,
  sameShape,
  type TensorType,
} from '../types.ts';
import type { Checker } from './shape-checks.ts';

/** `constraint`: elements that are only moved keep their meaning. */
function checkSameScales(require: Checker, constraint: number, operand: TensorType, result: TensorType): void {
  const [p, q] = [operand.quantization, result.quantization];
  if (p === undefined || q === undefined) return;
  const same =
    p.axis === undefined
      ? sameQuantization(p, q)
      : sameShape(p.scales, q.scales) && sameShape(p.zeroPoints, q.zeroPoints);
  require(same, constraint, () => `scales and zero points of ${formatType(operand)} and ${formatType(result)} differ`);
}

/** The quantized dim keeps its size and its preceding dims. */
export function checkReshaped(
  require: Checker,
  constraints: { readonly scales: number; readonly axis: number },
  operand: TensorType,
  result: TensorType,
): void {
  checkSameScales(require, constraints.scales, operand, result);
  const [from, to] = [operand.quantization?.axis, result.quantization?.axis];
  if (from === undefined || to === undefined) return;
  const [size, resultSize] = [operand.shape[from]!, result.shape[to]!];
  const what = (): string => `${formatType(operand)} to ${formatType(result)}`;
  require(size === resultSize || size === dynamicDim || resultSize === dynamicDim, constraints.axis, () =>
    `${what()}: the quantized dim changes its size`);
  if (operand.shape.includes(dynamicDim) || result.shape.includes(dynamicDim)) return;
  const [before, resultBefore] = [elementCount(operand.shape.slice(0, from)), elementCount(result.shape.slice(0, to))];
  require(before === resultBefore, constraints.axis, () => `${what()}: the quantized dim moves`);
}

export function checkTransposed(
  require: Checker,
  permutation: readonly number[],
  operand: TensorType,
  result: TensorType,
): void {
  checkSameScales(require, 1, operand, result);
  const axis = result.quantization?.axis;
  require(axis === undefined || operand.quantization?.axis === permutation[axis], 4, () =>
    `${formatType(operand)} to ${formatType(result)}: the quantized dim changes`);
}

export function checkBroadcast(
  require: Checker,
  broadcastDimensions: readonly number[],
  operand: TensorType,
  result: TensorType,
): void {
  const [p, q] = [operand.quantization, result.quantization];
  if (p === undefined || q === undefined) return;
  if (p.axis === undefined || q.axis === undefined) {
    checkSameScales(require, 1, operand, result);
    return;
  }
  const what = (): string => `${formatType(operand)} to ${formatType(result)}`;
  require(q.axis === broadcastDimensions[p.axis], 6, () => `${what()}: the quantized dim changes`);
  const repeated = operand.shape[p.axis] === 1;
  require(!repeated ||
    (q.scales.every(s => s === p.scales[0]) && q.zeroPoints.every(z => z === p.zeroPoints[0])), 6, () =>
    `${what()}: a repeated dim must repeat its scale and zero point`);
}

/** The numbers of a product's constraints in the specification. */
export interface ProductConstraints {
  readonly quantized: number;
  readonly storage: number;
  readonly expressed: number;
  readonly granularity: number;
  readonly hybrid: number;
}
/** The storage type of a declared result must match the attributes. */
export function checkResultElements(require: Checker, elementType: ElementType, result: TensorType): void {
  require(result.elementType === elementType, 'result', () =>
    `the result holds ${elementType}, stated as ${formatType(result)}`);
}
/** The element types of `lhs · rhs = result`, if the result type is declared. */
export function checkProduct(
  require: Checker,
  constraints: ProductConstraints,
  lhs: TensorType,
  rhs: TensorType,
  result: TensorType,
): void {
  const [l, r, q] = [lhs.quantization, rhs.quantization, result.quantization];
  if (l === undefined && r === undefined && q === undefined) return;
  const what = (): string => `${formatType(lhs)} · ${formatType(rhs)} = ${formatType(result)}`;
  require(r !== undefined && (l === undefined) === (q === undefined), constraints.quantized, () =>
    `${what()}: the right side must be quantized, and the result when the left side is`);
  if (l === undefined || q === undefined) {
    require(lhs.elementType === r.expressedType && lhs.elementType === result.elementType, constraints.hybrid, () =>
      `${what()}: the left side and the result must have the expressed type of the right side`);
    return;
  }
  require(lhs.elementType === rhs.elementType, constraints.storage, () => `${what()}: storage types differ`);
  require(l.expressedType === r.expressedType && l.expressedType === q.expressedType, constraints.expressed, () =>
    `${what()}: expressed types differ`);
  require(r.axis !== undefined || q.axis === undefined, constraints.granularity, () =>
    `${what()}: the result is quantized per axis, the right side is not`);
}
