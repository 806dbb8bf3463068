// Random numbers: sampled within the program, so that each call of a compiled function gets new ones.

import { TrenioError } from '../../../base/errors.ts';
import type { Value } from '../../../hlo/program.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import { isFloat } from '../../../hlo/types.ts';
import { wrongArgument } from '../../check-arguments.ts';
import * as elementwise from '../../lower/elementwise.ts';
import * as random from '../../lower/random.ts';
import * as rejection from '../../lower/rejection.ts';
import { broadcastTo } from '../../lower/shapes.ts';
import { dtypeName } from '../../types/dtype.ts';
import { byName, flag, generator, int, number, operand, optional, spelled, tensor } from '../params.ts';
import { type Context, group, overloaded, row, variant } from '../row.ts';

const input = tensor('the tensor');
const by = byName(optional(generator('where random numbers come from; the seed of the device by default')));
const seeded = 'A function of the seed and the step: the same on any number of threads, ranks and micro-batches.';
const facts = { dtype: 'same', gradient: 'none', shape: 'the shape of the input', details: seeded } as const;
/** The gradient is zeros, as PyTorch defines it for samples. */
const flat = { gradient: 'almost everywhere' } as const;
const fills = { ...facts, forms: ['inPlace'] } as const;
/** In the type of the tensor that is filled. */
const like = ({ b }: Context, input: Value, made: Value): Value => b.convert(made, tensorTypeOf(input).elementType);
const shape = (input: Value): readonly number[] => tensorTypeOf(input).shape;
function floats(c: Context, op: string, input: Value): void {
  const { elementType } = tensorTypeOf(input);
  if (isFloat(elementType)) return;
  throw new TrenioError(
    'BAD_DTYPE',
    { op, got: dtypeName(elementType), expected: 'a floating-point type' },
    { location: c.b.location },
  );
}
function positive(c: Context, call: string, argument: string, value: number, most = Number.POSITIVE_INFINITY): void {
  if (value > 0 && value < most) return;
  const expected = most === 1 ? 'a number between 0 and 1' : 'a positive number';
  throw new TrenioError(
    'WRONG_ARGUMENT',
    { call, argument, got: String(value), expected, fix: `give ${expected}` },
    { location: c.b.location },
  );
}

export const randomRows = group({
  bernoulli: overloaded({
    ...facts,
    ...flat,
    forms: ['method', 'function'],
    summary: '1 with a probability given by each element, or by one number for all, else 0.',
    throws: ['BAD_DTYPE'],
    example: 'tensor([0, 1, 1]).bernoulli() // [0, 1, 1]',
    variants: [
      variant({
        params: { input: tensor('the probabilities'), generator: by },
        lower: (c, { input, generator }) => random.bernoulli({ ...c, generator }, input),
      }),
      variant({
        params: { input, p: operand('the probability, or one for each element'), generator: by },
        lower: (c, { input, p, generator }) => {
          const { elementType } = tensorTypeOf(input);
          const given = typeof p === 'object' ? p : c.b.fill('f32', [], Number(p));
          const all = broadcastTo(c.b, elementwise.toFloat(c.b, given), shape(input));
          return c.b.convert(random.bernoulli({ ...c, generator }, all), elementType);
        },
      }),
    ],
  }),
  multinomial: row({
    ...facts,
    forms: ['method', 'function'],
    summary:
      'Indices sampled from the multinomial distribution given by a vector of weights, or by each row of a matrix.',
    details: `Weights need not sum to 1. ${seeded}`,
    shape: '[samples], or [rows, samples]',
    dtype: 'index',
    throws: ['BAD_DTYPE', 'SHAPE_MISMATCH', 'OUT_OF_RANGE'],
    differs:
      'Negative weights, or weights that are all 0, raise no error, because compiled programs cannot raise errors.',
    example: 'tensor([0, 0, 1]).multinomial(2, { replacement: true }) // [2, 2]',
    params: {
      input: tensor('the weights'),
      numSamples: int('the number of samples'),
      replacement: optional(flag('sample with replacement: an index may occur more than once'), false),
      generator: by,
    },
    lower: (c, { input, numSamples, replacement, generator }) =>
      random.multinomial({ ...c, generator }, input, numSamples, replacement),
  }),
  poisson: row({
    ...facts,
    ...flat,
    forms: ['function'],
    summary: 'Samples of Poisson distributions with the rates given by the elements.',
    throws: ['BAD_DTYPE'],
    example: 'poisson(tensor([0, 4])).shape // [2]',
    differs: 'A negative rate gives NaN, because compiled programs cannot raise errors.',
    params: { input: tensor('the rates'), generator: optional(generator('where random numbers come from')) },
    lower: (c, { input, generator }) => {
      floats(c, 'poisson', input);
      const made = like(c, input, rejection.poisson({ ...c, generator }, input));
      c.stop(made);
      return made;
    },
  }),
  binomial: row({
    ...facts,
    forms: ['function'],
    summary: 'The number of successes in `count` trials with success probability `prob`.',
    shape: 'the broadcast shape of the operands',
    throws: ['BAD_DTYPE', 'SHAPE_MISMATCH'],
    example: 'binomial(tensor([10, 10]), tensor([0, 1])) // [0, 10]',
    params: {
      count: tensor('the numbers of trials, as floats'),
      prob: tensor('the probabilities'),
      generator: optional(generator('where random numbers come from')),
    },
    lower: (c, { count, prob, generator }) => {
      floats(c, 'binomial', count);
      floats(c, 'binomial', prob);
      const [n, p] = elementwise.unify(c.b, 'binomial', count, prob);
      return like(c, n, rejection.binomial({ ...c, generator }, n, p));
    },
  }),
  normal: row({
    ...fills,
    torch: ['Tensor.normal_'],
    summary: 'Samples of a normal distribution with this mean and standard deviation.',
    throws: ['BAD_DTYPE'],
    example: `manualSeed(0);
empty(1000).normal_(5, 2).mean().round() // 5`,
    params: {
      input,
      mean: optional(number('the mean'), 0),
      std: optional(number('the standard deviation'), 1),
      generator: by,
    },
    lower: (c, { input, mean, std, generator }) => {
      floats(c, 'normal_', input);
      return like(c, input, random.fillers.normal({ ...c, generator }, shape(input), mean, std));
    },
  }),
  uniform: row({
    ...fills,
    torch: ['Tensor.uniform_'],
    summary: 'Random numbers, uniform in [from, to).',
    throws: ['BAD_DTYPE'],
    example: `manualSeed(0);
empty(1000).uniform_(2, 4).mean().round() // 3`,
    params: {
      input,
      from: optional(number('the lower bound'), 0),
      to: optional(number('the upper bound'), 1),
      generator: by,
    },
    lower: (c, { input, from, to, generator }) => {
      floats(c, 'uniform_', input);
      if (from > to) throw wrongArgument({ call: 'uniform_', argument: 'from' }, from, `at most \`to\`, ${to}`);
      return like(c, input, random.fillers.uniform({ ...c, generator }, shape(input), from, to));
    },
  }),
  exponential: row({
    ...fills,
    torch: ['Tensor.exponential_'],
    summary: 'Samples of an exponential distribution.',
    throws: ['BAD_DTYPE', 'WRONG_ARGUMENT'],
    example: `manualSeed(0);
empty(1000).exponential_(0.5).mean().round() // 2`,
    params: { input, lambd: optional(number('the rate'), 1), generator: by },
    lower: (c, { input, lambd, generator }) => {
      floats(c, 'exponential_', input);
      positive(c, 'exponential_', 'lambd', lambd);
      return like(c, input, random.fillers.exponential({ ...c, generator }, shape(input), lambd));
    },
  }),
  geometric: row({
    ...fills,
    torch: ['Tensor.geometric_'],
    summary: 'Random numbers of trials up to the first success, from 1.',
    throws: ['WRONG_ARGUMENT'],
    example: `manualSeed(0);
empty(1000).geometric_(0.5).mean().round() // 2`,
    params: { input, p: number('the probability of success'), generator: by },
    lower: (c, { input, p, generator }) => {
      positive(c, 'geometric_', 'p', p, 1);
      return like(c, input, random.fillers.geometric({ ...c, generator }, shape(input), p));
    },
  }),
  cauchy: row({
    ...fills,
    torch: ['Tensor.cauchy_'],
    summary: 'Samples of a Cauchy distribution.',
    throws: ['BAD_DTYPE', 'WRONG_ARGUMENT'],
    example: `manualSeed(0);
empty(1000).cauchy_(3).median().round() // 3`,
    params: {
      input,
      median: optional(number('the median'), 0),
      sigma: optional(number('half the width at half the maximum'), 1),
      generator: by,
    },
    lower: (c, { input, median, sigma, generator }) => {
      floats(c, 'cauchy_', input);
      positive(c, 'cauchy_', 'sigma', sigma);
      return like(c, input, random.fillers.cauchy({ ...c, generator }, shape(input), median, sigma));
    },
  }),
  logNormal: row({
    ...fills,
    torch: ['Tensor.log_normal_'],
    summary: 'Samples of a log-normal distribution: their logarithms are normal with this mean and standard deviation.',
    throws: ['BAD_DTYPE', 'WRONG_ARGUMENT'],
    example: `manualSeed(0);
empty(1000).logNormal_(0, 0.25).median().round() // 1`,
    params: {
      input,
      mean: optional(number('the mean of the logarithms'), 1),
      std: optional(number('their standard deviation'), 2),
      generator: by,
    },
    lower: (c, { input, mean, std, generator }) => {
      floats(c, 'logNormal_', input);
      positive(c, 'logNormal_', 'std', std);
      return like(c, input, random.fillers.logNormal({ ...c, generator }, shape(input), mean, std));
    },
  }),
  random: row({
    ...fills,
    torch: ['Tensor.random_'],
    summary: 'Random integers in [from, to).',
    throws: ['WRONG_ARGUMENT'],
    example: 'empty(100).random_(0, 10).lt(10).all() // true',
    differs: 'Both bounds must be given, at most 2³² apart.',
    params: {
      input,
      from: int('the lower bound'),
      to: spelled('to', int('the upper bound (exclusive)')),
      generator: by,
    },
    lower: (c, { input, from, to, generator }) => {
      positive(c, 'random_', 'to - from', to - from, 2 ** 32 + 1);
      return like(c, input, random.fillers.random({ ...c, generator }, shape(input), from, to));
    },
  }),
});
