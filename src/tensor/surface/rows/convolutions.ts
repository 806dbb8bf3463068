// Convolutions and their transposes, products with weights, and moves of elements between channels and space.
import { convolve, convolveTransposed } from '../../lower/convolution.ts';
import { linear } from '../../lower/matmul.ts';
import { int, intOrInts, optional, paddingOrWord, tensor } from '../params.ts';
import { group, row, type UnnamedRow } from '../row.ts';

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

function conv(n: 1 | 2 | 3, example: string): UnnamedRow {
  const at = n - 1;
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
  });
}
function transposed(n: 1 | 2 | 3, example: string): UnnamedRow {
  const at = n - 1;
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
    summary: 'x · weightᵀ + bias.',
    shape: '[…, out]',
    example: 'nn.functional.linear(tensor([1, 2]), tensor([[3, 4]])) // [11]',
    params: { input: tensor('[…, in]'), weight: tensor('[out, in], or [in]'), bias: optional(tensor('[out]')) },
    lower: ({ b }, { input, weight, bias }) => linear(b, input, weight, bias),
  }),
});
