// Pooling: windows over spatial dims.
import * as pooling from '../../lower/pooling.ts';
import { flag, int, intOrInts, optional, outputSizes, tensor } from '../params.ts';
import { group, row, type Sample, type UnnamedRow } from '../row.ts';

const facts = { forms: ['functional'], dtype: 'same' } as const;
const letters = ['L', 'H, W', 'D, H, W'] as const;
const what = ['sequences', 'images', 'volumes'] as const;
const each = (of: string) => intOrInts(`${of}: one number for all spatial dims, or one for each`);
const input = (at: number) => tensor(`[N, C, ${letters[at]}], or [C, ${letters[at]}]`);
const kernelSize = each('the size of the windows');
const stride = { ...optional(each('the stride of the windows')), fallbackText: 'the size of the windows' };
const padding = optional(each('what is added on each side'), 0);
const ceilMode = optional(flag('whether the last window may extend beyond the edge'), false);

/** Inputs of n spatial dims. */
const sized = (n: number, dtype: string, lead: string, sizes: readonly number[]): string =>
  `${dtype}[${lead},${sizes.slice(0, n)}]`;
function poolSamples(n: number): Sample[] {
  const x = (dtype: string, lead: string): string => sized(n, dtype, lead, [5, 4, 4]);
  return [
    { input: x('f32', '1,2'), kernelSize: 2 },
    { input: x('f64', '1'), kernelSize: 3, stride: 2, padding: 1 },
    { input: x('f32', '1,1'), kernelSize: 2, stride: 3, ceilMode: true },
    { input: x('f32', '1,1'), kernelSize: 9 },
    { input: x('f32', '1,1'), kernelSize: 2, padding: 2 },
  ];
}
function maxPool(n: 1 | 2 | 3): UnnamedRow {
  return row({
    ...facts,
    torch: [`torch.nn.functional.max_pool${n}d`],
    summary: `The largest element of each window of ${what[n - 1]}.`,
    details: 'Among equal elements, the first gets the gradient.',
    shape: `[N, C, ${letters[n - 1]}]`,
    gradient: 'almost everywhere',
    throws: ['SHAPE_MISMATCH'],
    example: `nn.functional.maxPool${n}d(x, 3, { stride: 2, padding: 1 })`,
    params: {
      input: input(n - 1),
      kernelSize,
      stride,
      padding,
      dilation: optional(each('the spacing of the elements of a window'), 1),
      ceilMode,
    },
    lower: ({ b }, { input, kernelSize, ...options }) => pooling.maxPool(b, n, input, kernelSize, options),
    samples: [
      ...poolSamples(n),
      { input: sized(n, 'f32', '1,1', [5, 4, 4]), kernelSize: 2, dilation: 2, stride: 1 },
      ...(n === 2 ? [{ input: 'bf16[1,1,4,4]', kernelSize: [3, 2], stride: [1, 2], padding: [1, 0] }] : []),
    ],
  });
}
function avgPool(n: 1 | 2 | 3): UnnamedRow {
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
    example: `nn.functional.avgPool${n}d(x, 3, { stride: 2 })`,
  } as const;
  const samples = [
    ...poolSamples(n),
    { input: sized(n, 'f32', '1,1', [5, 4, 4]), kernelSize: 3, padding: 1, countIncludePad: false },
  ];
  if (n === 1)
    return row({
      ...facetsOf,
      params,
      lower: ({ b }, { input, kernelSize, ...options }) => pooling.avgPool(b, n, input, kernelSize, options),
      samples,
    });
  return row({
    ...facetsOf,
    params: {
      ...params,
      divisorOverride: optional(int('the divisor of the sums, instead of the size of the window')),
    },
    lower: ({ b }, { input, kernelSize, ...options }) => pooling.avgPool(b, n, input, kernelSize, options),
    samples: [...samples, { input: sized(n, 'f32', '1,1', [4, 4, 4]), kernelSize: 2, divisorOverride: 3 }],
  });
}
function adaptive(n: 1 | 2 | 3, kind: 'avg' | 'max'): UnnamedRow {
  const name = kind === 'avg' ? 'adaptiveAvgPool' : 'adaptiveMaxPool';
  return row({
    ...facts,
    torch: [`torch.nn.functional.adaptive_${kind}_pool${n}d`],
    modules: [
      {
        name: `Adaptive${kind === 'avg' ? 'Avg' : 'Max'}Pool${n}d`,
        settings: ['outputSize'],
        prints: ['outputSize'],
      },
    ],
    summary: `The ${kind === 'avg' ? 'mean' : 'largest element'} of windows that cover ${what[n - 1]} evenly.`,
    details: undefined,
    shape: '[N, C, …outputSize]',
    gradient: kind === 'avg' ? 'smooth' : 'almost everywhere',
    throws: ['SHAPE_MISMATCH', 'WRONG_ARGUMENT'],
    example: `nn.functional.${name}${n}d(x, 1)`,
    params: { input: input(n - 1), outputSize: outputSizes('the number of windows') },
    lower: ({ b }, { input, outputSize }) =>
      (kind === 'avg' ? pooling.adaptiveAvgPool : pooling.adaptiveMaxPool)(b, n, input, outputSize),
    samples: [
      { input: sized(n, 'f32', '1,2', [4, 4, 2]), outputSize: 2 },
      { input: sized(n, 'f64', '1', [5, 4, 3]), outputSize: 3 },
      { input: sized(n, 'f32', '1,1', [4, 2, 2]), outputSize: 1 },
      ...(n === 1 ? [] : [{ input: sized(n, 'f32', '1,1', [4, 5, 2]), outputSize: [2, null, 1].slice(0, n) }]),
      { input: sized(n, 'f32', '1,1', [4, 2, 2]), outputSize: [2, 2, 2, 2] },
    ],
  });
}

export const poolingRows = group({
  maxPool1d: maxPool(1),
  maxPool2d: maxPool(2),
  maxPool3d: maxPool(3),
  avgPool1d: avgPool(1),
  avgPool2d: avgPool(2),
  avgPool3d: avgPool(3),
  adaptiveAvgPool1d: adaptive(1, 'avg'),
  adaptiveAvgPool2d: adaptive(2, 'avg'),
  adaptiveAvgPool3d: adaptive(3, 'avg'),
  adaptiveMaxPool1d: adaptive(1, 'max'),
  adaptiveMaxPool2d: adaptive(2, 'max'),
  adaptiveMaxPool3d: adaptive(3, 'max'),
});
