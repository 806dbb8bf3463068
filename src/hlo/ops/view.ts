// Rows of the ops whose result is the operand seen through an affine index map:
//   result[index] = operand[offset + Σ index[d] · strides[d]]
import { type Rows, tensors } from '../op-row.ts';
import { dynamicDim, elementCount, formatType, stridesOf, type TensorType, tensorType } from '../types.ts';
import { boundedType } from './bounds.ts';
import { moving, noCost } from './costs.ts';
import { affineIndices, take } from './indices.ts';
import { checkBroadcast, checkReshaped, checkTransposed } from './quantized-checks.ts';
import {
  type Checker,
  checkerOf,
  dimsAgree,
  inRange,
  isUnique,
  keepsElements,
  list,
  withShape,
} from './shape-checks.ts';

const reshapeChecks: Checker = checkerOf('reshape');
const broadcastChecks: Checker = checkerOf('broadcast_in_dim');
const transposeChecks: Checker = checkerOf('transpose');
const reverseChecks: Checker = checkerOf('reverse');
const sliceChecks: Checker = checkerOf('slice');

/** The type with its quantized dim, if it has one, moved to another position. */
function withAxis(type: TensorType, map: (axis: number) => number): TensorType {
  const { quantization } = type;
  if (quantization?.axis === undefined) return type;
  return { ...type, quantization: { ...quantization, axis: map(quantization.axis) } };
}
/** Views have a known shape, or one with a single unknown dim that has a bound. */
function checkStaticOrBounded(require: Checker, result: TensorType): void {
  const unknown = result.shape.filter(d => d === dynamicDim).length;
  const bounded = result.bounds?.filter(b => b !== undefined).length ?? 0;
  require(unknown === 0 || (unknown === 1 && bounded === 1), 'result', () =>
    `the result must have a known shape, or one dim with a bound, got ${formatType(result)}`);
}

export const viewRows: Rows<'reshape' | 'broadcast_in_dim' | 'transpose' | 'reverse' | 'slice'> = {
  reshape: {
    name: 'reshape',
    kind: 'view',
    pure: true,
    infer(operands, { shape }) {
      const [x] = tensors('reshape', operands, { perAxis: true });
      const dynamic = x.shape.includes(dynamicDim) || shape.includes(dynamicDim);
      reshapeChecks(
        dynamic || elementCount(x.shape) === elementCount(shape),
        2,
        () => `${formatType(x)} has ${elementCount(x.shape)} elements, ${list(shape)} has ${elementCount(shape)}`,
      );
      return [withShape(x, shape)];
    },
    verify({ operands, results }) {
      const [x, result] = [operands[0].type, results[0].type] as [TensorType, TensorType];
      checkStaticOrBounded(reshapeChecks, result);
      checkReshaped(reshapeChecks, { scales: 1, axis: 3 }, x, result);
    },
    evaluate(op, [x]) {
      const { shape } = op.attributes;
      const known = shape.filter(d => d !== dynamicDim);
      const rest = elementCount(x.type.shape) / elementCount(known);
      return [
        {
          type: withShape(
            x.type,
            shape.map(d => (d === dynamicDim ? rest : d)),
          ),
          data: x.data,
        },
      ];
    },
    // The elements stay where they are.
    cost: () => noCost,
  },
  broadcast_in_dim: {
    name: 'broadcast_in_dim',
    kind: 'view',
    pure: true,
    infer(operands, { broadcastDimensions, shape }) {
      const [x] = tensors('broadcast_in_dim', operands, { perAxis: true });
      const what = (): string => `${formatType(x)} along ${list(broadcastDimensions)} to ${list(shape)}`;
      broadcastChecks(
        broadcastDimensions.length === x.shape.length,
        2,
        () => `${what()}: expected one broadcast dimension per dim of the operand`,
      );
      broadcastChecks(
        inRange(broadcastDimensions, shape.length),
        3,
        () => `${what()}: a broadcast dimension is out of range`,
      );
      broadcastChecks(isUnique(broadcastDimensions), 4, () => `${what()}: a broadcast dimension occurs twice`);
      broadcastChecks(
        x.shape.every((d, i) => d === 1 || dimsAgree(d, shape[broadcastDimensions[i]!]!)),
        5,
        () => `${what()}: a dim is neither 1 nor equal`,
      );
      return [withAxis(withShape(x, shape), axis => broadcastDimensions[axis]!)];
    },
    verify({ operands, attributes, results }) {
      const [x, result] = [operands[0].type, results[0].type] as [TensorType, TensorType];
      checkStaticOrBounded(broadcastChecks, result);
      broadcastChecks(
        x.shape.every((d, i) => d <= 1 || d === result.shape[attributes.broadcastDimensions[i]!]),
        5,
        () => `${formatType(x)} to ${formatType(result)}: a dim is neither 1 nor equal`,
      );
      checkBroadcast(broadcastChecks, attributes.broadcastDimensions, x, result);
    },
    evaluate(op, [x]) {
      const { broadcastDimensions, shape } = op.attributes;
      const from = x.type.shape;
      const known = shape.map((d, i) => (d === dynamicDim ? (from[broadcastDimensions.indexOf(i)] ?? 1) : d));
      const strides = known.map(() => 0);
      const operandStrides = stridesOf(from);
      broadcastDimensions.forEach((to, d) => {
        strides[to] = from[d] === 1 ? 0 : operandStrides[d]!;
      });
      return [take(withShape(x.type, known), x, affineIndices(known, strides))];
    },
    cost: op => ({ ...moving(op), bytesRead: moving({ ...op, results: op.operands }).bytesRead }),
  },
  transpose: {
    name: 'transpose',
    kind: 'view',
    pure: true,
    infer(operands, { permutation }) {
      const [x] = tensors('transpose', operands, { perAxis: true });
      const rank = x.shape.length;
      transposeChecks(
        permutation.length === rank && isUnique(permutation) && inRange(permutation, rank),
        2,
        () => `${list(permutation)} is not a permutation of the ${rank} dims of ${formatType(x)}`,
      );
      const shape = permutation.map(d => x.shape[d]!);
      const bounds = x.bounds && permutation.map(d => x.bounds![d]);
      return [withAxis(boundedType(x, shape, bounds), axis => permutation.indexOf(axis))];
    },
    verify({ operands, attributes, results }) {
      const [x, result] = [operands[0].type, results[0].type] as [TensorType, TensorType];
      checkTransposed(transposeChecks, attributes.permutation, x, result);
    },
    evaluate(op, [x]) {
      const { permutation } = op.attributes;
      const strides = stridesOf(x.type.shape);
      const shape = permutation.map(d => x.type.shape[d]!);
      return [
        take(
          withShape(x.type, shape),
          x,
          affineIndices(
            shape,
            permutation.map(d => strides[d]!),
          ),
        ),
      ];
    },
    cost: op => moving(op),
  },
  reverse: {
    name: 'reverse',
    kind: 'view',
    pure: true,
    infer(operands, { dimensions }) {
      const [x] = tensors('reverse', operands);
      reverseChecks(isUnique(dimensions), 2, () => `a dimension occurs twice in ${list(dimensions)}`);
      reverseChecks(
        inRange(dimensions, x.shape.length),
        3,
        () => `${list(dimensions)} are not all dims of ${formatType(x)}`,
      );
      return [x];
    },
    verify: keepsElements(reverseChecks, 1),
    evaluate(op, [x]) {
      const { shape } = x.type;
      const strides = stridesOf(shape);
      let offset = 0;
      for (const d of op.attributes.dimensions) {
        offset += Math.max(shape[d]! - 1, 0) * strides[d]!;
        strides[d] = -strides[d]!;
      }
      return [take(x.type, x, affineIndices(shape, strides, offset))];
    },
    cost: op => moving(op),
  },
  slice: {
    name: 'slice',
    kind: 'view',
    pure: true,
    infer(operands, { startIndices, limitIndices, strides }) {
      const [x] = tensors('slice', operands);
      const rank = x.shape.length;
      const what = (): string =>
        `[${startIndices.map((s, i) => `${s}:${limitIndices[i]}:${strides[i]}`).join(', ')}] of ${formatType(x)}`;
      sliceChecks(
        [startIndices, limitIndices, strides].every(l => l.length === rank),
        2,
        () => `${what()}: expected a start, limit and stride for each dim`,
      );
      sliceChecks(
        x.shape.every(
          (size, d) =>
            0 <= startIndices[d]! &&
            startIndices[d]! <= limitIndices[d]! &&
            limitIndices[d]! <= (size === dynamicDim ? (x.bounds?.[d] ?? Infinity) : size),
        ),
        3,
        () => `${what()}: 0 <= start <= limit <= size must hold`,
      );
      sliceChecks(
        strides.every(s => s > 0),
        4,
        () => `${what()}: strides must be positive`,
      );
      return [
        withShape(
          x,
          startIndices.map((start, d) => Math.ceil((limitIndices[d]! - start) / strides[d]!)),
        ),
      ];
    },
    verify: keepsElements(sliceChecks, 1),
    evaluate(op, [x]) {
      const { startIndices, limitIndices, strides } = op.attributes;
      const operandStrides = stridesOf(x.type.shape);
      const shape = startIndices.map((start, d) => Math.ceil((limitIndices[d]! - start) / strides[d]!));
      const offset = startIndices.reduce((sum, start, d) => sum + start * operandStrides[d]!, 0);
      const indices = affineIndices(
        shape,
        operandStrides.map((s, d) => s * strides[d]!),
        offset,
      );
      return [take(tensorType(x.type.elementType, shape), x, indices)];
    },
    cost: op => moving(op),
  },
};
