// Constraints on types themselves: sizes, bounds of unknown sizes, quantization, and the elements of futures and tuples.
import { TrenioError } from '../base/errors.ts';
import { integerRange, storageRange } from './ops/quantized-data.ts';
import {
  dynamicDim,
  type ElementType,
  formatType,
  isFloat,
  isInteger,
  maxRank,
  type Quantization,
  type TensorType,
  type Type,
} from './types.ts';

/** @throws {INVALID_OP} which names the type instead of an op, at the first violated constraint */
export function verifyType(type: Type): void {
  switch (type.kind) {
    case 'token':
      return;
    case 'tensor':
      if (type.shape.length > maxRank)
        refuse('a tensor', 'trenio_rank', `${type.shape.length} dims are more than the maximum of ${maxRank}`);
      for (const size of type.shape)
        if (!Number.isInteger(size) || size < dynamicDim) refuse(type, 'trenio_size', `${size} is not a valid size`);
      if (type.bounds !== undefined) verifyBounds(type, type.bounds);
      if (type.quantization !== undefined) verifyQuantization(type, type.quantization);
      return;
    default:
      for (const element of type.elements) {
        if (type.kind === 'future' && element.kind !== 'tensor')
          refuse(type, 'trenio_future', `a future contains tensors, not a ${element.kind}`);
        verifyType(element);
      }
  }
}

function refuse(type: Type | string, constraint: string, detail: string): never {
  throw new TrenioError('INVALID_OP', { op: typeof type === 'string' ? type : formatType(type), constraint, detail });
}

function verifyBounds(type: TensorType, bounds: NonNullable<TensorType['bounds']>): void {
  if (bounds.length !== type.shape.length)
    refuse(type, 'trenio_bounds', `${bounds.length} bounds are given for ${type.shape.length} dims`);
  bounds.forEach((bound, d) => {
    if (bound === undefined) return;
    if (!Number.isInteger(bound) || bound < 0) refuse(type, 'trenio_bounds', `${bound} is not a valid bound`);
    if (type.shape[d] !== dynamicDim) refuse(type, 'trenio_bounds', `dim ${d} is known and cannot have a bound`);
  });
}

/** The smallest number above zero and the largest one. */
const scaleRange: { readonly [T in ElementType]?: readonly [smallest: number, largest: number] } = {
  f16: [2 ** -24, 65504],
  bf16: [2 ** -133, 2 ** 127 * (2 - 2 ** -7)],
  f32: [2 ** -149, 2 ** 127 * (2 - 2 ** -23)],
};

/** Types whose own constraints hold, with their storage types: many types share one. */
const verified = new WeakMap<Quantization, ElementType>();

function verifyQuantization(type: TensorType, q: Quantization): void {
  const require = (condition: boolean, constraint: number, detail: string): void => {
    if (!condition) refuse(type, `quantized_type_c${constraint}`, detail);
  };
  const { elementType } = type;
  if (verified.get(q) !== elementType) {
    require(isInteger(elementType) &&
      !elementType.endsWith('64'), 1, 'the storage type must be an integer of at most 32 bits');
    require(isFloat(q.expressedType), 4, `${q.expressedType} is not a float type`);
    const [least, greatest] = storageRange(q, elementType);
    const [min, max] = integerRange(elementType);
    require(min <= least &&
      least < greatest &&
      greatest <= max, 3, `${least} … ${greatest} is not a range of ${elementType}`);
    require(q.scales.every(s => s > 0), 5, 'scales must be positive');
    require(q.scales.every(Number.isFinite), 6, 'scales must be finite');
    const [smallest, largest] = scaleRange[q.expressedType] ?? [0, Infinity];
    require(q.scales.every(s => smallest <= s && s <= largest), 4, `a scale is out of the range of ${q.expressedType}`);
    require(q.zeroPoints.every(
      z => Number.isInteger(z) && least <= z && z <= greatest,
    ), 7, 'a zero point is out of range');
    require(q.scales.length === q.zeroPoints.length, 9, 'there must be as many zero points as scales');
    require(q.axis !== undefined || q.scales.length === 1, 10, 'a tensor with several scales needs a quantized dim');
    require(q.axis === undefined || q.axis >= 0, 11, `there is no dim ${q.axis}`);
    verified.set(q, elementType);
  }
  if (q.axis === undefined) return;
  const size = type.shape[q.axis];
  require(size !== undefined, 12, `there is no dim ${q.axis}`);
  require(size === dynamicDim || size === q.scales.length, 13, `dim ${q.axis} has ${q.scales.length} scales`);
}
