// Activations: functions that layers apply to their results.

import * as elementwise from '../../lower/elementwise.ts';
import { inWide } from '../../lower/narrow.ts';
import * as reductions from '../../lower/reduce.ts';
import { byName, continuousType, dim, oneOf, optional, tensor } from '../params.ts';
import { group, row } from '../row.ts';

const input = tensor('the tensor');
const facts = { shape: 'the shape of the input', dtype: 'same', gradient: 'smooth' } as const;
const over = dim('the dim along which the results sum to 1');
const converted = byName(optional(continuousType('the data type to convert the input to first')));

export const activations = group({
  relu: row({
    ...facts,
    modules: [{ name: 'ReLU', example: 'new nn.ReLU()(tensor([-1, 0, 2])) // [0, 0, 2]', settings: [], inplace: true }],
    forms: ['method', 'function', 'inPlace', 'functional'],
    summary: 'max(x, 0): negative elements become 0.',
    gradient: 'almost everywhere',
    example: 'tensor([-1, 2]).relu() // [0, 2]',
    params: { input },
    lower: ({ b }, { input }) => elementwise.relu(b, input),
  }),
  gelu: row({
    ...facts,
    torch: ['torch.nn.functional.gelu'],
    modules: [
      {
        name: 'GELU',
        example: 'new nn.GELU()(tensor([-1, 0, 1])) // [-0.1586…, 0, 0.8413…]',
        settings: ['approximate'],
        prints: ['approximate'],
      },
    ],
    forms: ['method', 'functional'],
    summary: 'x · Φ(x), where Φ is the cumulative distribution function of the standard normal distribution.',
    example: `tensor([-1, 0, 1]).gelu() // [-0.1586…, 0, 0.8413…]
tensor([-1, 0, 1]).gelu('tanh') // [-0.1588…, 0, 0.8411…]`,
    params: {
      input,
      approximate: optional(
        oneOf('`tanh` for the approximation of Hendrycks and Gimpel (2016)', ['none', 'tanh']),
        'none',
      ),
    },
    lower: ({ b }, { input, approximate }) =>
      (approximate === 'tanh' ? elementwise.geluTanh : elementwise.geluErf)(b, elementwise.toFloat(b, input)),
  }),
  silu: row({
    ...facts,
    modules: [
      {
        name: 'SiLU',
        example: 'new nn.SiLU()(tensor([-1, 0, 1])) // [-0.2689…, 0, 0.731…]',
        settings: [],
        inplace: true,
      },
    ],
    forms: ['functional'],
    summary: 'x · sigmoid(x).',
    example: 'nn.functional.silu(tensor([-1, 0, 1])) // [-0.2689…, 0, 0.731…]',
    params: { input },
    lower: ({ b }, { input }) => inWide(b, input, w => b.multiply(w, b.unary('logistic', w))),
  }),
  softmax: row({
    ...facts,
    modules: [
      {
        name: 'Softmax',
        example: 'new nn.Softmax(1)(tensor([[0, 0], [0, Math.log(3)]])) // [[0.5, 0.5], [0.25, 0.75]]',
        settings: ['dim'],
        defaults: { dim: -1 },
        prints: ['dim'],
      },
    ],
    forms: ['method', 'function', 'functional'],
    summary: 'exp(x) divided by its sum along a dim: positive numbers that sum to 1.',
    throws: ['BAD_DIM'],
    example: 'tensor([[0, 0], [0, Math.log(3)]]).softmax(-1) // [[0.5, 0.5], [0.25, 0.75]]',
    params: { input, dim: over, dtype: converted },
    lower: ({ b, stop }, { input, dim, dtype }) =>
      reductions.softmax(b, dtype === undefined ? input : elementwise.convert(b, input, dtype), dim, stop),
  }),
  logSoftmax: row({
    ...facts,
    modules: [
      {
        name: 'LogSoftmax',
        example: 'new nn.LogSoftmax(1)(tensor([[0, 0]])) // [[-0.6931…, -0.6931…]]',
        settings: ['dim'],
        defaults: { dim: -1 },
        prints: ['dim'],
      },
    ],
    forms: ['method', 'function', 'functional'],
    summary: 'The logarithm of softmax, accurate where softmax underflows.',
    throws: ['BAD_DIM'],
    example: 'tensor([0, Math.log(3)]).logSoftmax(-1) // [-1.3862…, -0.2876…]',
    params: { input, dim: over, dtype: converted },
    lower: ({ b, stop }, { input, dim, dtype }) =>
      reductions.logSoftmax(b, dtype === undefined ? input : elementwise.convert(b, input, dtype), dim, stop),
  }),
});
