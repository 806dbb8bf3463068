// Pooling: windows over spatial dims.
import * as pooling from '../../lower/pooling.ts';
import { exactly, flag, int, intOrInts, optional, outputSizes, tensor } from '../params.ts';
import { group, overloaded, row, type UnnamedRow, variant } from '../row.ts';

const facts = { forms: ['functional'], dtype: 'same' } as const;
const letters = ['L', 'H, W', 'D, H, W'] as const;
const what = ['sequences', 'images', 'volumes'] as const;
const each = (of: string) => intOrInts(`${of}: one number for all spatial dims, or one for each`);
const input = (at: number) => tensor(`[N, C, ${letters[at]}], or [C, ${letters[at]}]`);
const kernelSize = each('the size of the windows');
const stride = { ...optional(each('the stride of the windows')), fallbackText: 'the size of the windows' };
const padding = optional(each('the padding of each side'), 0);
const indexed = 'With `returnIndices`, also the index of each largest element among the flattened spatial dims.';
const noIndices = exactly('whether the indices of the largest elements are returned too', false);
const withIndices = exactly('true: the indices of the largest elements are returned too', true);
const ceilMode = optional(flag('whether the last window may extend beyond the edge'), false);

function maxPool(n: 1 | 2 | 3, example: string): UnnamedRow {
  const params = {
    input: input(n - 1),
    kernelSize,
    stride,
    padding,
    dilation: optional(each('the spacing of the elements of a window'), 1),
    ceilMode,
  };
  return overloaded({
    ...facts,
    torch: [`torch.nn.functional.max_pool${n}d`],
    summary: `The largest element of each window of ${what[n - 1]}.`,
    details: `Among equal elements, the first gets the gradient. ${indexed}`,
    shape: `[N, C, ${letters[n - 1]}]`,
    gradient: 'almost everywhere',
    throws: ['SHAPE_MISMATCH'],
    example,
    variants: [
      variant({
        params: { ...params, returnIndices: optional(noIndices) },
        lower: ({ b }, { input, kernelSize, ...options }) => pooling.maxPool(b, n, input, kernelSize, options),
      }),
      variant({
        params: { ...params, returnIndices: withIndices },
        result: ['values', 'indices'],
        lower: ({ b }, { input, kernelSize, ...options }) => [
          pooling.maxPool(b, n, input, kernelSize, options),
          pooling.maxPoolIndices(b, n, input, kernelSize, options),
        ],
      }),
    ],
  });
}
function avgPool(n: 1 | 2 | 3, example: string): UnnamedRow {
  const params = {
    input: input(n - 1),
    kernelSize,
    stride,
    padding,
    ceilMode,
    countIncludePad: optional(flag('whether the zeros of the padding count in the mean'), true),
  };
  const facetsOf = {
    ...facts,
    torch: [`torch.nn.functional.avg_pool${n}d`],
    summary: `The mean of each window of ${what[n - 1]}.`,
    details: undefined,
    shape: `[N, C, ${letters[n - 1]}]`,
    gradient: 'smooth',
    throws: ['SHAPE_MISMATCH'],
    example,
  } as const;
  if (n === 1)
    return row({
      ...facetsOf,
      params,
      lower: ({ b }, { input, kernelSize, ...options }) => pooling.avgPool(b, n, input, kernelSize, options),
    });
  return row({
    ...facetsOf,
    params: {
      ...params,
      divisorOverride: optional(int('the divisor of the sums, instead of the size of the window')),
    },
    lower: ({ b }, { input, kernelSize, ...options }) => pooling.avgPool(b, n, input, kernelSize, options),
  });
}
function adaptive(n: 1 | 2 | 3, kind: 'avg' | 'max', example: string, moduleExample?: string): UnnamedRow {
  const params = { input: input(n - 1), outputSize: outputSizes('the number of windows') };
  const about = {
    ...facts,
    torch: [`torch.nn.functional.adaptive_${kind}_pool${n}d`],
    modules:
      moduleExample === undefined
        ? []
        : [
            {
              name: `AdaptiveAvgPool${n}d`,
              example: moduleExample,
              settings: ['outputSize'],
              prints: ['outputSize'],
            },
          ],
    summary: `The ${kind === 'avg' ? 'mean' : 'largest element'} of windows that cover ${what[n - 1]} evenly.`,
    shape: '[N, C, …outputSize]',
    throws: ['SHAPE_MISMATCH', 'WRONG_ARGUMENT'],
    example,
  } as const;
  if (kind === 'avg')
    return row({
      ...about,
      details: undefined,
      gradient: 'smooth',
      params,
      lower: ({ b }, { input, outputSize }) => pooling.adaptiveAvgPool(b, n, input, outputSize),
    });
  return overloaded({
    ...about,
    details: indexed,
    gradient: 'almost everywhere',
    variants: [
      variant({
        params: { ...params, returnIndices: optional(noIndices) },
        lower: ({ b }, { input, outputSize }) => pooling.adaptiveMaxPool(b, n, input, outputSize),
      }),
      variant({
        params: { ...params, returnIndices: withIndices },
        result: ['values', 'indices'],
        lower: ({ b }, { input, outputSize }) => pooling.adaptiveMaxPoolIndices(b, n, input, outputSize),
      }),
    ],
  });
}

export const poolingRows = group({
  maxPool1d: maxPool(1, 'nn.functional.maxPool1d(tensor([[1, 5, 2, 4]]), 2) // [[5, 4]]'),
  maxPool2d: maxPool(2, 'nn.functional.maxPool2d(tensor([[[1, 2, 5, 6], [3, 4, 7, 8]]]), 2) // [[[4, 8]]]'),
  maxPool3d: maxPool(
    3,
    'nn.functional.maxPool3d(randn(1, 4, 8, 8, 8), 3, { stride: 2, padding: 1 }).shape // [1, 4, 4, 4, 4]',
  ),
  avgPool1d: avgPool(1, 'nn.functional.avgPool1d(tensor([[1, 5, 2, 4]]), 2) // [[3, 3]]'),
  avgPool2d: avgPool(2, 'nn.functional.avgPool2d(tensor([[[1, 2, 5, 6], [3, 4, 7, 8]]]), 2) // [[[2.5, 6.5]]]'),
  avgPool3d: avgPool(3, 'nn.functional.avgPool3d(randn(1, 4, 8, 8, 8), 2).shape // [1, 4, 4, 4, 4]'),
  adaptiveAvgPool1d: adaptive(
    1,
    'avg',
    'nn.functional.adaptiveAvgPool1d(tensor([[1, 5, 2, 4]]), 2) // [[3, 3]]',
    'new nn.AdaptiveAvgPool1d(2)(tensor([[1, 5, 2, 4]])) // [[3, 3]]',
  ),
  adaptiveAvgPool2d: adaptive(
    2,
    'avg',
    'nn.functional.adaptiveAvgPool2d(tensor([[[1, 2], [3, 6]]]), 1) // [[[3]]]',
    `const x = randn(2, 8, 7, 7);
new nn.AdaptiveAvgPool2d([1, 1])(x).shape // [2, 8, 1, 1]`,
  ),
  adaptiveAvgPool3d: adaptive(
    3,
    'avg',
    'nn.functional.adaptiveAvgPool3d(randn(1, 4, 5, 7, 9), 2).shape // [1, 4, 2, 2, 2]',
    'new nn.AdaptiveAvgPool3d(2)(randn(1, 4, 5, 7, 9)).shape // [1, 4, 2, 2, 2]',
  ),
  adaptiveMaxPool1d: adaptive(1, 'max', 'nn.functional.adaptiveMaxPool1d(tensor([[1, 5, 2, 4]]), 2) // [[5, 4]]'),
  adaptiveMaxPool2d: adaptive(2, 'max', 'nn.functional.adaptiveMaxPool2d(tensor([[[1, 2], [3, 6]]]), 1) // [[[6]]]'),
  adaptiveMaxPool3d: adaptive(
    3,
    'max',
    'nn.functional.adaptiveMaxPool3d(randn(1, 4, 5, 7, 9), 2).shape // [1, 4, 2, 2, 2]',
  ),
});
