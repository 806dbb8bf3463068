// Counts whose number depends on data: the tensor is read, and the result is uploaded.
import { TrenioError } from '../../../base/errors.ts';
import { bytesOf, type LiteralData, numberAt, zeros } from '../../../hlo/literal.ts';
import { type ElementType, isFloat, tensorType } from '../../../hlo/types.ts';
import { wrongArgument } from '../../check-arguments.ts';
import { userLocation } from '../../location.ts';
import { formatShape } from '../../lower/shapes.ts';
import type { Traced } from '../../traced.ts';
import { count, optional, tensor } from '../params.ts';
import { group, type Maker, runRow } from '../row.ts';

export const binRows = group({
  bincount: runRow({
    forms: ['method', 'function'],
    summary: 'How often each of 0, 1, 2 … occurs in a vector of integers, or the sum of the weights there.',
    details: 'The vector is read immediately, because the shape of the result depends on it. Not differentiable.',
    shape: '[the largest number + 1], or [minlength] if that is larger',
    dtype: 'given',
    gradient: 'none',
    throws: ['BAD_DTYPE', 'SHAPE_MISMATCH', 'WRONG_ARGUMENT'],
    example: "tensor([1, 3, 1], { dtype: 'int64' }).bincount() // [0, 2, 0, 1]",
    params: {
      input: tensor('the numbers, from 0 on'),
      weights: optional(tensor('the weight of each; 1 by default')),
      minlength: optional(count('the minimum length of the result'), 0),
    },
    run: (maker, { input, weights, minlength }) => binCounts(maker, input, weights, minlength),
  }),
});

function binCounts(maker: Maker, input: Traced, weights: Traced | undefined, minlength: number): Traced {
  const location = userLocation();
  if (
    isFloat(input.type.elementType) ||
    input.type.elementType.startsWith('complex') ||
    input.type.elementType === 'i1'
  )
    throw new TrenioError('BAD_DTYPE', { op: 'bincount', got: input.dtype, expected: 'integers' }, { location });
  if (input.shape.length !== 1)
    throw wrongArgument({ call: 'bincount', argument: 'input' }, input, 'a tensor with one dim');
  const size = input.shape[0]!;
  if (weights !== undefined && formatShape(weights.shape) !== formatShape(input.shape))
    throw wrongArgument({ call: 'bincount', argument: 'weights' }, weights, 'a tensor of the shape of the input');
  const numbers = input.literal();
  const given = weights?.literal();
  let most = -1;
  for (let i = 0; i < size; i++) {
    const x = numberAt(numbers, i);
    if (x < 0) throw wrongArgument({ call: 'bincount', argument: 'input' }, x, 'numbers of at least 0');
    most = Math.max(most, x);
  }
  const shape = [Math.max(most + 1, minlength)];
  const totals = zeros(tensorType('f64', shape)).data as Float64Array;
  for (let i = 0; i < size; i++) totals[numberAt(numbers, i)]! += given === undefined ? 1 : numberAt(given, i);
  const type = tensorType(weights === undefined ? 'i64' : weights.type.elementType === 'f32' ? 'f32' : 'f64', shape);
  const buffer = input.device.backend.upload(type, bytesOf({ type, data: inType(type.elementType, totals) }));
  return maker.make({ device: input.device, type, op: 'bincount', buffer, location });
}
const inType = (type: ElementType, totals: Float64Array): LiteralData =>
  type === 'i64' ? BigInt64Array.from(totals, BigInt) : type === 'f32' ? Float32Array.from(totals) : totals;
