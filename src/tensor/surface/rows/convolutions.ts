// Convolutions and their transposes, products with weights, and moves of elements between channels and space.
import { convolve, convolveTransposed } from '../../lower/convolution.ts';
import { linear } from '../../lower/matmul.ts';
import { int, intOrInts, optional, paddingOrWord, tensor } from '../params.ts';
import { group, row, type Sample, type UnnamedRow } from '../row.ts';

const facts = {
  forms: ['functional', 'function'],
  dtype: 'promoted',
  gradient: 'smooth',
  throws: ['SHAPE_MISMATCH'],
} as const;
const letters = ['L', 'H, W', 'D, H, W'] as const;
const kernels = ['k', 'kh, kw', 'kd, kh, kw'] as const;
const what = ['sequences', 'images', 'volumes'] as const;
const groups = optional(int('the number of groups of channels that are convolved separately'), 1);
const each = (of: string) => intOrInts(`${of}: one number for all spatial dims, or one for each`);

/** A few spatial dims, with the sizes of the last one. */
const sized = (dtype: string, lead: string, sizes: readonly number[]): string => `${dtype}[${lead},${sizes}]`;
function conv(n: 1 | 2 | 3, example: string): UnnamedRow {
  const at = n - 1;
  const [five, three] = [[5, 4, 4].slice(0, n), [3, 2, 2].slice(0, n)];
  const samples: Sample[] = [
    { input: sized('f32', '2,2', five), weight: sized('f32', '3,2', three) },
    { input: sized('f32', '2', five), weight: sized('f32', '2,2', three), bias: 'f32[2]', padding: 'same' },
    { input: sized('f64', '1,2', five), weight: sized('f64', '2,1', three), bias: 'f64[2]', stride: 2, padding: 1, groups: 2 }, // biome-ignore format: one line
    { input: sized('f32', '1,1', five), weight: sized('f32', '1,1', three), dilation: 2, padding: 2 },
    { input: sized('f32', '1,2', five), weight: sized('f32', '1,1', three) },
    { input: sized('f32', '1,1', three), weight: sized('f32', '1,1', five) },
  ];
  if (n === 2)
    samples.push(
      { input: 'f32[1,1,5,4]', weight: 'f32[1,1,3,2]', stride: [2, 1], padding: [1, 0], dilation: [1, 2] },
      { input: 'bf16[1,1,4,4]', weight: 'bf16[1,1,2,2]', padding: 'valid' },
      { input: 'f32[1,1,4,4]', weight: 'f32[1,1,2,2]', padding: 'same', stride: 2 },
      { input: 'f32[4,4]', weight: 'f32[1,1,2,2]' },
    );
  return row({
    ...facts,
    torch: [`torch.nn.functional.conv${n}d`, `torch.conv${n}d`],
    summary: `Convolution over ${what[at]}.`,
    shape: `[N, O, ${letters[at]}]`,
    throws: ['SHAPE_MISMATCH', 'WRONG_ARGUMENT'],
    example,
    params: {
      input: tensor(`[N, C, ${letters[at]}], or [C, ${letters[at]}]`),
      weight: tensor(`[O, C / groups, ${kernels[at]}]`),
      bias: optional(tensor('[O]')),
      stride: optional(each('the stride of the window'), 1),
      padding: optional(
        paddingOrWord('zeros on each side; `same` for an output of the size of the input, `valid` for none'),
        0,
      ),
      dilation: optional(each('the spacing of the elements of the kernel'), 1),
      groups,
    },
    lower: ({ b }, { input, weight, bias, ...settings }) => convolve(b, n, input, weight, bias, settings),
    samples,
  });
}
function transposed(n: 1 | 2 | 3, example: string): UnnamedRow {
  const at = n - 1;
  const [three, two] = [[3, 2, 2].slice(0, n), [2, 2, 2].slice(0, n)];
  return row({
    ...facts,
    torch: [`torch.nn.functional.conv_transpose${n}d`, `torch.conv_transpose${n}d`],
    summary: `The transpose of \`conv${n}d\`: its gradient with respect to its input.`,
    shape: `[N, O, ${letters[at]}]`,
    throws: ['SHAPE_MISMATCH', 'WRONG_ARGUMENT'],
    example,
    params: {
      input: tensor(`[N, C, ${letters[at]}], or [C, ${letters[at]}]`),
      weight: tensor(`[C, O / groups, ${kernels[at]}]`),
      bias: optional(tensor('[O]')),
      stride: optional(each('the spacing of the windows in the output'), 1),
      padding: optional(each('how much to remove from each side of the output'), 0),
      outputPadding: optional(each('how much to add to one side of the output'), 0),
      groups,
      dilation: optional(each('the spacing of the elements of the kernel'), 1),
    },
    lower: ({ b }, { input, weight, bias, ...settings }) => convolveTransposed(b, n, input, weight, bias, settings),
    samples: [
      { input: sized('f32', '2,2', three), weight: sized('f32', '2,3', two) },
      { input: sized('f32', '2', three), weight: sized('f32', '2,1', two), bias: 'f32[1]', stride: 2, padding: 1 },
      { input: sized('f64', '1,2', three), weight: sized('f64', '2,1', two), groups: 2, stride: 2, outputPadding: 1 },
      { input: sized('f32', '1,1', three), weight: sized('f32', '1,1', two), dilation: 2 },
      { input: sized('f32', '1,1', three), weight: sized('f32', '1,1', two), outputPadding: 1 },
      { input: sized('f32', '1,1', three), weight: sized('f32', '2,1', two) },
    ],
  });
}

export const convolutions = group({
  conv1d: conv(1, 'nn.functional.conv1d(tensor([[[1, 2, 3, 4]]]), tensor([[[1, -1]]])) // [[[-1, -1, -1]]]'),
  conv2d: conv(
    2,
    `const x = randn(1, 3, 32, 32), weight = randn(8, 3, 3, 3);
nn.functional.conv2d(x, weight, { stride: 2, padding: 1 }).shape // [1, 8, 16, 16]`,
  ),
  conv3d: conv(
    3,
    `const x = randn(1, 2, 4, 8, 8), weight = randn(4, 2, 3, 3, 3);
nn.functional.conv3d(x, weight, { padding: 1 }).shape // [1, 4, 4, 8, 8]`,
  ),
  convTranspose1d: transposed(
    1,
    'nn.functional.convTranspose1d(tensor([[[1, 2]]]), tensor([[[1, 1]]]), { stride: 2 }) // [[[1, 1, 2, 2]]]',
  ),
  convTranspose2d: transposed(
    2,
    `const x = randn(1, 8, 4, 4), weight = randn(8, 3, 2, 2);
nn.functional.convTranspose2d(x, weight, { stride: 2 }).shape // [1, 3, 8, 8]`,
  ),
  convTranspose3d: transposed(
    3,
    `const x = randn(1, 4, 2, 2, 2), weight = randn(4, 2, 2, 2, 2);
nn.functional.convTranspose3d(x, weight, { stride: 2 }).shape // [1, 2, 4, 4, 4]`,
  ),
  linear: row({
    ...facts,
    forms: ['functional'],
    torch: ['torch.nn.functional.linear'],
    summary: 'x · weightᵀ + bias.',
    shape: '[…, out]',
    example: 'nn.functional.linear(tensor([1, 2]), tensor([[3, 4]])) // [11]',
    params: { input: tensor('[…, in]'), weight: tensor('[out, in], or [in]'), bias: optional(tensor('[out]')) },
    lower: ({ b }, { input, weight, bias }) => linear(b, input, weight, bias),
    samples: [
      { input: 'f32[2,3]', weight: 'f32[4,3]', bias: 'f32[4]' },
      { input: 'f64[3]', weight: 'f64[2,3]' },
      { input: 'f32[2,2,3]', weight: 'f32[1,3]' },
      { input: 'bf16[2,3]', weight: 'bf16[2,3]', bias: 'bf16[2]' },
      { input: 'f32[2,3]', weight: 'f32[2,4]' },
    ],
  }),
});
