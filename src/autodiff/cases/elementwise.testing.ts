// Random cases of the elementwise ops. Arguments stay away from corners and poles, where the result of a rule is a convention.
import type { BinaryName, UnaryName } from '../../hlo/attributes.ts';
import type { Literal } from '../../hlo/literal.ts';
import type { Case } from '../finite-differences.testing.ts';
import type { Random } from '../random.testing.ts';

export type MakeCase = (r: Random) => Case;

const unary =
  (
    name: UnaryName,
    sample: (r: Random, shape: readonly number[]) => Literal = (r, shape) => r.tensor(shape),
  ): MakeCase =>
  r => ({ args: [sample(r, r.shape())], build: (b, [x]) => [b.unary(name, x!)] });
const positive = (r: Random, shape: readonly number[]): Literal => r.tensor(shape, 0.4, 2.5);

const binary =
  (
    name: BinaryName,
    left: (r: Random, shape: readonly number[]) => Literal = (r, shape) => r.tensor(shape),
    right: (r: Random, shape: readonly number[]) => Literal = left,
  ): MakeCase =>
  r => {
    const shape = r.shape();
    return { args: [left(r, shape), right(r, shape)], build: (b, [x, y]) => [b.binary(name, x!, y!)] };
  };
const awayFromZero = (r: Random, shape: readonly number[]): Literal => r.signed(shape, 0.5, 2);

export const elementwiseCases = {
  abs: unary('abs', awayFromZero),
  cbrt: unary('cbrt', awayFromZero),
  cosine: unary('cosine'),
  exponential: unary('exponential'),
  exponential_minus_one: unary('exponential_minus_one'),
  log: unary('log', positive),
  log_plus_one: unary('log_plus_one', positive),
  logistic: unary('logistic'),
  negate: unary('negate'),
  rsqrt: unary('rsqrt', positive),
  sine: unary('sine'),
  sqrt: unary('sqrt', positive),
  tan: unary('tan', (r, shape) => r.tensor(shape, -1, 1)),
  tanh: unary('tanh'),
  'chlo.erf': unary('chlo.erf'),

  add: binary('add'),
  atan2: binary('atan2', awayFromZero),
  divide: binary('divide', awayFromZero),
  maximum: binary('maximum'),
  minimum: binary('minimum'),
  multiply: r =>
    r.chance(0.2) ? { args: [r.tensor([3])], build: (b, [x]) => [b.multiply(x!, x!)] } : binary('multiply')(r),
  power: r => {
    if (r.chance(0.5)) return binary('power', positive, (q, shape) => q.tensor(shape))(r);
    const exponent = r.pick([0, 1, 2, 3, -1, -2]);
    return { args: [awayFromZero(r, r.shape())], build: (b, [x]) => [b.binary('power', x!, b.like(x!, exponent))] };
  },
  remainder: binary('remainder', (r, shape) => r.tensor(shape, -5, 5), awayFromZero),
  subtract: binary('subtract'),

  select: r => {
    const shape = r.shape();
    const args = [r.booleans(r.chance(0.3) ? [] : shape), r.tensor(shape), r.tensor(shape)];
    return { args, build: (b, [p, x, y]) => [b.select(p!, x!, y!)] };
  },
  clamp: r => {
    const shape = r.shape();
    const bound = r.chance(0.5) ? [] : shape;
    // Sometimes the lower bound exceeds the upper bound; then the result is the upper bound.
    const args = [r.tensor(bound, -1.5, r.chance(0.3) ? 1 : 0), r.tensor(shape), r.tensor(bound, 0, 1.5)];
    return { args, build: (b, values) => [b.emit1('clamp', values, {})] };
  },
  convert: r => ({
    args: [r.tensor(r.shape())],
    build: (b, [x]) => [b.convert(b.convert(x!, 'f32'), 'f64')],
    step: 0.1,
    tolerance: 1e-4,
  }),
  reduce_precision: r => ({
    args: [r.tensor(r.shape())],
    build: (b, [x]) => [b.emit1('reduce_precision', [x!], { exponentBits: 11, mantissaBits: 30 })],
    step: 0.1,
    tolerance: 1e-5,
  }),
  optimization_barrier: r => ({
    args: [r.tensor(r.shape()), r.tensor(r.shape())],
    build: (b, values) => b.emit('optimization_barrier', values, {}),
  }),
} satisfies Record<string, MakeCase>;
