// Running totals along a dim, and differences.
import type { Value } from '../../../hlo/program.ts';
import type { ElementType } from '../../../hlo/types.ts';
import * as elementwise from '../../lower/elementwise.ts';
import * as norms from '../../lower/norms.ts';
import * as totals from '../../lower/running.ts';
import { byName, count, dim, dtype, optional, tensor } from '../params.ts';
import { type Context, group, row, spellings, type UnnamedRow } from '../row.ts';

const input = tensor('the tensor');
const facts = { shape: 'the shape of the input', throws: ['BAD_DIM'] } as const;
const dtypeOption = byName(optional(dtype('the data type to convert the elements to first')));
const cast = ({ b }: Context, x: Value, type: ElementType | undefined): Value =>
  type === undefined ? x : elementwise.convert(b, x, type);
const cost = 'The cost is linear.';

const total = (name: 'cumsum' | 'cumprod', summary: string, example: string): UnnamedRow =>
  row({
    ...facts,
    forms: ['method', 'function', 'inPlace'],
    torch: spellings(name),
    summary,
    details: cost,
    dtype: 'total',
    gradient: 'smooth',
    example,
    params: { input, dim: dim('the dim'), dtype: dtypeOption },
    lower: (c, { input, dim, dtype }) => totals.cumulative(c.b, name, cast(c, input, dtype), dim, dtype !== undefined),
  });
const extreme = (name: 'cummax' | 'cummin', word: string, example: string): UnnamedRow =>
  row({
    ...facts,
    forms: ['method', 'function'],
    torch: spellings(name),
    summary: `The cumulative ${word} along a dim, and its index: the last one of equal elements.`,
    details: `Once an element is NaN, so are all later results. ${cost}`,
    dtype: 'same',
    gradient: 'almost everywhere',
    example,
    params: { input, dim: dim('the dim') },
    result: ['values', 'indices'],
    lower: ({ b }, { input, dim }) => totals.runningExtreme(b, name, input, dim),
  });

export const runningRows = group({
  cumsum: total('cumsum', 'The cumulative sum along a dim.', 'tensor([1, 2, 3]).cumsum(0) // [1, 3, 6]'),
  cumprod: total('cumprod', 'The cumulative product along a dim.', 'tensor([2, 3, 4]).cumprod(0) // [2, 6, 24]'),
  cummax: extreme('cummax', 'largest', 'tensor([1, 3, 2]).cummax(0).values // [1, 3, 3]'),
  cummin: extreme('cummin', 'smallest', 'tensor([3, 1, 2]).cummin(0).values // [3, 1, 1]'),
  logcumsumexp: row({
    ...facts,
    forms: ['method', 'function'],
    differs: 'The gradient of elements that are minus infinity is finite; in PyTorch it is NaN.',
    summary: 'The logarithm of the cumulative sum of exponentials along a dim, without overflow.',
    details: cost,
    dtype: 'float',
    gradient: 'smooth',
    example: 'tensor([0, 0]).logcumsumexp(0) // [0, 0.693…]',
    params: { input, dim: dim('the dim') },
    lower: ({ b }, { input, dim }) => totals.runningLogSumExp(b, input, dim),
  }),
  diff: row({
    ...facts,
    forms: ['method', 'function'],
    gradient: 'smooth',
    summary: 'The differences of adjacent elements along a dim.',
    shape: 'the shape of the input, with `n` fewer at `dim`',
    dtype: 'same',
    example: 'tensor([1, 4, 9]).diff() // [3, 5]',
    params: { input, n: optional(count('the number of times'), 1), dim: optional(dim('the dim'), -1) },
    lower: ({ b }, { input, n, dim }) => norms.differences(b, input, n, dim),
  }),
});
