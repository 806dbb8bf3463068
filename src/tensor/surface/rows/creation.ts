// New tensors: constants and ranges. They are leaves with their own memory.
import { bytesOf, literal } from '../../../hlo/literal.ts';
import { type ElementType, isFloat, tensorType } from '../../../hlo/types.ts';
import type { Device } from '../../device.ts';
import { device as defaultDevice } from '../../devices.ts';
import { elementIn } from '../../element-in.ts';
import { userLocation } from '../../location.ts';
import type { Scalar } from '../../lower/elementwise.ts';
import type { Traced } from '../../traced.ts';
import { filled } from '../../types/filled.ts';
import {
  byName,
  count,
  device,
  dtype,
  finite,
  flag,
  int,
  newShape,
  newSizes,
  optional,
  scalar,
  tensor,
} from '../params.ts';
import { group, type Maker, runRow, type UnnamedRow } from '../row.ts';

const typed = (fallbackText: string) => ({ ...byName(optional(dtype('the data type'))), fallbackText });
const options = (dtypeText: string, deviceText = 'the default device') => ({
  dtype: typed(dtypeText),
  device: { ...byName(optional(device('the device'))), fallbackText: deviceText },
  requiresGrad: byName(optional(flag('whether `backward()` accumulates its gradient'), false)),
});
const free = options("'float32'");
const like = options('that of the tensor', 'that of the tensor');

interface Made {
  readonly dtype: ElementType;
  readonly device: Device | undefined;
  readonly requiresGrad: boolean;
}
type Elements = ReturnType<typeof filled>;
function upload(
  { make }: Maker,
  op: string,
  shape: readonly number[],
  made: Made,
  elements: (of: ReturnType<typeof tensorType>) => Elements,
): Traced {
  const device = made.device ?? defaultDevice();
  const type = tensorType(made.dtype, shape);
  const buffer = device.backend.upload(type, elements(type));
  const result = make({ device, type, op, buffer, location: userLocation() });
  return made.requiresGrad ? result.requiresGrad_() : result;
}
/** Real numbers as elements: truncated for integers, as in PyTorch; with an imaginary part of 0 for complex types. */
function elementsOf(type: ElementType, values: readonly number[]): readonly number[] {
  if (type.startsWith('complex')) return values.flatMap(value => [value, 0]);
  return isFloat(type) || type === 'i1' ? values : values.map(Math.trunc);
}
const constant = (maker: Maker, op: string, shape: readonly number[], value: Scalar, made: Made): Traced =>
  upload(maker, op, shape, made, type => filled(type, elementIn(op, 'fillValue', type.elementType, value)));
const listed = (maker: Maker, op: string, shape: readonly number[], values: readonly number[], made: Made): Traced =>
  upload(maker, op, shape, made, ({ elementType }) =>
    bytesOf(literal(elementType, shape, elementsOf(elementType, values))),
  );

const facts = { dtype: 'given', gradient: 'none', details: undefined } as const;
const sized = { ...facts, forms: ['function'], shape: 'the sizes' } as const;
const liked = { ...facts, forms: ['function'], shape: 'the shape of the tensor' } as const;
const news = { ...facts, forms: ['method'], shape: 'the sizes' } as const;
const neverUninitialized = 'Zeros: memory is never uninitialized.';
const numbersAreFloats =
  'JavaScript has one number type: without `dtype`, a number gives float32, where PyTorch gives int64 for an int; a bigint gives int64.';
const typeOfScalar = (value: Scalar): ElementType =>
  typeof value === 'boolean' ? 'i1' : typeof value === 'bigint' ? 'i64' : 'f32';

function sizedRow(name: string, value: number, summary: string): UnnamedRow {
  return runRow({
    ...sized,
    torch: [`torch.${name}`],
    summary,
    throws: ['NO_GRADIENT_HERE'],
    example: `${name}(2, 3) // ${value === 0 ? '[[0, 0, 0], [0, 0, 0]]' : '[[1, 1, 1], [1, 1, 1]]'}`,
    params: { size: newSizes('the sizes'), ...free },
    run: (maker, { size, dtype = 'f32', ...made }) => constant(maker, name, size, value, { dtype, ...made }),
  });
}
function likeRow(torch: string, name: string, value: number, summary: string): UnnamedRow {
  return runRow({
    ...liked,
    torch: [`torch.${torch}`],
    summary,
    example: `${name}(tensor([[1, 2]])).shape // [1, 2]`,
    params: { input: tensor('the tensor'), ...like },
    run: (maker, { input, dtype = input.type.elementType, device = input.device, requiresGrad }) =>
      constant(maker, name, input.shape, value, { dtype, device, requiresGrad }),
  });
}
function newRow(torch: string, name: string, value: number, summary: string): UnnamedRow {
  return runRow({
    ...news,
    torch: [`Tensor.${torch}`],
    summary: `${summary}, with the data type and device of this tensor by default.`,
    example: `tensor([1, 2], { dtype: 'int32' }).${name}(2, 2).dtype // 'int32'`,
    params: { input: tensor('the tensor'), size: newSizes('the sizes'), ...like },
    run: (maker, { input, size, dtype = input.type.elementType, device = input.device, requiresGrad }) =>
      constant(maker, name, size, value, { dtype, device, requiresGrad }),
  });
}

const start = finite('the first number');
const end = finite('the last number');
const steps = count('the number of values');
const spaced = { ...facts, forms: ['function'], shape: '[steps]' } as const;
const part = (from: number, to: number, n: number, i: number): number =>
  n === 1 ? from : 2 * i < n ? from + ((to - from) * i) / (n - 1) : to - ((to - from) * (n - 1 - i)) / (n - 1);

const matrix = {
  row: count('the number of rows'),
  col: count('the number of columns'),
  offset: optional(int('the diagonal: 0 is the main diagonal, 1 the one above it'), 0),
  dtype: typed("'int64'"),
  device: free.device,
};
function triangleRow(
  name: string,
  torch: string,
  isInside: (row: number, col: number, offset: number) => boolean,
  what: string,
): UnnamedRow {
  return runRow({
    ...facts,
    forms: ['function'],
    torch: [`torch.${torch}`],
    summary: `The row and column indices of the ${what} triangle of a matrix, row by row.`,
    shape: '[2, count]',
    example: `${name}(2, 2).toArray() // ${name === 'trilIndices' ? '[[0, 1, 1], [0, 0, 1]]' : '[[0, 0, 1], [0, 1, 1]]'}`,
    params: matrix,
    run: (maker, { row, col, offset, dtype = 'i64', device }) => {
      const rows: number[] = [];
      const cols: number[] = [];
      for (let i = 0; i < row; i++)
        for (let j = 0; j < col; j++)
          if (isInside(i, j, offset)) {
            rows.push(i);
            cols.push(j);
          }
      return listed(maker, name, [2, rows.length], [...rows, ...cols], { dtype, device, requiresGrad: false });
    },
  });
}

export const creation = group({
  zeros: sizedRow('zeros', 0, 'Zeros.'),
  ones: sizedRow('ones', 1, 'Ones.'),
  empty: sizedRow('empty', 0, neverUninitialized),
  full: runRow({
    ...sized,
    summary: 'A tensor filled with one value.',
    differs: numbersAreFloats,
    throws: ['NO_GRADIENT_HERE'],
    example: 'full([2], 0.5) // [0.5, 0.5]',
    params: {
      size: newShape('the sizes'),
      fillValue: scalar('the value'),
      ...options("'float32' for a number, 'int64' for a bigint, 'bool' for a boolean"),
    },
    run: (maker, { size, fillValue, dtype = typeOfScalar(fillValue), ...made }) =>
      constant(maker, 'full', size, fillValue, { dtype, ...made }),
  }),
  zerosLike: likeRow('zeros_like', 'zerosLike', 0, 'Zeros with the shape of another tensor.'),
  onesLike: likeRow('ones_like', 'onesLike', 1, 'Ones with the shape of another tensor.'),
  emptyLike: likeRow(
    'empty_like',
    'emptyLike',
    0,
    'Zeros with the shape of another tensor: memory is never uninitialized.',
  ),
  fullLike: runRow({
    ...liked,
    summary: 'A tensor filled with one value, with the shape of another tensor.',
    example: 'fullLike(tensor([1, 2]), 7) // [7, 7]',
    params: { input: tensor('the tensor'), fillValue: scalar('the value'), ...like },
    run: (maker, { input, fillValue, dtype = input.type.elementType, device = input.device, requiresGrad }) =>
      constant(maker, 'fullLike', input.shape, fillValue, { dtype, device, requiresGrad }),
  }),
  newZeros: newRow('new_zeros', 'newZeros', 0, 'Zeros'),
  newOnes: newRow('new_ones', 'newOnes', 1, 'Ones'),
  newEmpty: newRow('new_empty', 'newEmpty', 0, 'Zeros, as memory is never uninitialized'),
  newFull: runRow({
    ...news,
    summary: 'A tensor filled with one value, with the data type and device of this tensor by default.',
    example: "tensor([1, 2], { dtype: 'int32' }).newFull([2], 7) // [7, 7]",
    params: { input: tensor('the tensor'), size: newShape('the sizes'), fillValue: scalar('the value'), ...like },
    run: (maker, { input, size, fillValue, dtype = input.type.elementType, device = input.device, requiresGrad }) =>
      constant(maker, 'newFull', size, fillValue, { dtype, device, requiresGrad }),
  }),
  linspace: runRow({
    ...spaced,
    summary: 'Evenly spaced numbers from `start` to `end`, both included.',
    example: 'linspace(0, 1, 3) // [0, 0.5, 1]',
    params: { start, end, steps, ...free },
    run: (maker, { start, end, steps, dtype = 'f32', ...made }) =>
      listed(
        maker,
        'linspace',
        [steps],
        Array.from({ length: steps }, (_, i) => part(start, end, steps, i)),
        { dtype, ...made },
      ),
  }),
  logspace: runRow({
    ...spaced,
    summary: 'Powers of `base` with evenly spaced exponents from `start` to `end`, both included.',
    example: 'logspace(0, 2, 3) // [1, 10, 100]',
    params: {
      start: finite('the first exponent'),
      end: finite('the last exponent'),
      steps,
      base: optional(finite('the base'), 10),
      ...free,
    },
    run: (maker, { start, end, steps, base, dtype = 'f32', ...made }) =>
      listed(
        maker,
        'logspace',
        [steps],
        Array.from({ length: steps }, (_, i) => base ** part(start, end, steps, i)),
        { dtype, ...made },
      ),
  }),
  eye: runRow({
    ...facts,
    forms: ['function'],
    summary: 'A matrix with ones on the main diagonal and zeros elsewhere.',
    shape: '[n, m]',
    example: 'eye(2) // [[1, 0], [0, 1]]',
    params: {
      n: count('the number of rows'),
      m: { ...optional(count('the number of columns')), fallbackText: '`n`' },
      ...free,
    },
    run: (maker, { n, m = n, dtype = 'f32', ...made }) =>
      listed(
        maker,
        'eye',
        [n, m],
        Array.from({ length: n * m }, (_, i) => (i % m === Math.floor(i / m) ? 1 : 0)),
        { dtype, ...made },
      ),
  }),
  trilIndices: triangleRow('trilIndices', 'tril_indices', (i, j, offset) => j - i <= offset, 'lower'),
  triuIndices: triangleRow('triuIndices', 'triu_indices', (i, j, offset) => j - i >= offset, 'upper'),
});
