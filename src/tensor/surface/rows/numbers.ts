// Less common functions of one or two operands, slopes and running integrals.
import { shapeOf, type Value } from '../../../hlo/program.ts';
import { conj, imag, isComplex } from '../../lower/complex.ts';
import * as elementwise from '../../lower/elementwise.ts';
import { vectorNorm } from '../../lower/linalg/norms.ts';
import { matmul } from '../../lower/matmul.ts';
import * as move from '../../lower/move.ts';
import { inWide } from '../../lower/narrow.ts';
import * as numbers from '../../lower/numbers.ts';
import { running } from '../../lower/running.ts';
import { broadcastTo, mismatch } from '../../lower/shapes.ts';
import { byName, dim, dims, int, number, operand, optional, scalar, tensor } from '../params.ts';
import { group, row } from '../row.ts';

const input = tensor('the tensor');
const other = tensor('the other tensor');
const facts = {
  forms: ['method', 'function', 'inPlace'],
  shape: 'the broadcast shape of the operands',
  gradient: 'smooth',
  throws: ['SHAPE_MISMATCH'],
} as const;

export const numberRows = group({
  positive: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'The tensor itself: +x.',
    shape: 'the shape of the input',
    dtype: 'same',
    throws: [],
    example: 'tensor([-1]).positive() // [-1]',
    params: { input },
    lower: ({ b }, { input }) => b.reshape(input, shapeOf(input)),
  }),
  copysign: row({
    ...facts,
    summary: 'The magnitude of the input with the sign of the other operand.',
    dtype: 'promotedFloat',
    gradient: 'almost everywhere',
    example: 'tensor([1, -2]).copysign(tensor([-1, 1])) // [-1, 2]',
    params: { input, other: operand('the operand with the sign') },
    lower: ({ b }, { input, other }) => numbers.copySign(b, input, other),
  }),
  signbit: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'Whether the sign bit is set, including that of zeros.',
    shape: 'the shape of the input',
    dtype: 'boolean',
    gradient: 'none',
    throws: [],
    example: 'tensor([-0, 1]).signbit() // [true, false]',
    params: { input },
    lower: ({ b }, { input }) => numbers.signBit(b, input),
  }),
  isreal: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'Whether the imaginary part is 0; true for all real numbers.',
    shape: 'the shape of the input',
    dtype: 'boolean',
    gradient: 'none',
    throws: [],
    example: 'tensor([1]).isreal() // [true]',
    params: { input },
    lower: ({ b }, { input }) => {
      if (!isComplex(input)) return b.fill('i1', shapeOf(input), true);
      const part = imag(b, 'isreal', input);
      return b.compare('EQ', part, b.like(part, 0));
    },
  }),
  heaviside: row({
    ...facts,
    summary:
      'The Heaviside step function: 0 where the input is negative, 1 where it is positive, `values` where it is 0.',
    dtype: 'same',
    gradient: 'none',
    throws: ['SHAPE_MISMATCH', 'BAD_DTYPE'],
    example: 'tensor([-1, 0, 1]).heaviside(tensor([0.5])) // [0, 0.5, 1]',
    params: { input, values: tensor('the values at 0') },
    lower: ({ b }, { input, values }) => numbers.heaviside(b, input, values),
  }),
  gcd: row({
    ...facts,
    summary: 'The greatest common divisor of integers.',
    dtype: 'promoted',
    gradient: 'none',
    throws: ['SHAPE_MISMATCH', 'BAD_DTYPE'],
    example: "tensor([12], { dtype: 'int32' }).gcd(tensor([18], { dtype: 'int32' })) // [6]",
    params: { input, other },
    lower: ({ b }, { input, other }) => numbers.greatestDivisor(b, 'gcd', input, other),
  }),
  lcm: row({
    ...facts,
    summary: 'The least common multiple of integers.',
    dtype: 'promoted',
    gradient: 'none',
    throws: ['SHAPE_MISMATCH', 'BAD_DTYPE'],
    example: "tensor([4], { dtype: 'int32' }).lcm(tensor([6], { dtype: 'int32' })) // [12]",
    params: { input, other },
    lower: ({ b }, { input, other }) => numbers.leastMultiple(b, input, other),
  }),
  nextafter: row({
    ...facts,
    summary: 'The next representable number in the direction of the other operand.',
    dtype: 'promoted',
    gradient: 'none',
    example: 'tensor([1]).nextafter(tensor([2])) // [1.00000012]',
    params: { input, other },
    lower: ({ b }, { input, other }) => b.emit1('chlo.next_after', elementwise.unify(b, 'nextafter', input, other), {}),
  }),
  ldexp: row({
    ...facts,
    summary: 'input · 2^other.',
    differs:
      'The gradient is that of the formula also for integers as exponents, where PyTorch’s is 0 for negative ones.',
    dtype: 'promotedFloat',
    example: "tensor([1]).ldexp(tensor([3], { dtype: 'int32' })) // [8]",
    params: { input, other },
    lower: ({ b }, { input, other }) => {
      const [x, y] = elementwise.unify(b, 'ldexp', input, other, true);
      return b.multiply(x, b.binary('power', b.like(y, 2), y));
    },
  }),
  logaddexp2: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'log₂(2^input + 2^other), without overflow.',
    dtype: 'promotedFloat',
    example: 'tensor([1000]).logaddexp2(tensor([1000])) // [1001]',
    params: { input, other },
    lower: ({ b }, { input, other }) => numbers.logAddExp2(b, input, other),
  }),
  floatPower: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'The input raised to a power, in float64.',
    dtype: 'given',
    example: `const cube = tensor([2]).floatPower(3); // [8]
cube.dtype // 'float64'`,
    params: { input, exponent: operand('the exponent') },
    lower: ({ b }, { input, exponent }) => {
      const wide = (x: Value): Value => b.convert(x, isComplex(x) ? 'complex<f64>' : 'f64');
      return elementwise.power(b, wide(input), typeof exponent === 'object' ? wide(exponent) : exponent);
    },
  }),
  dist: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'The p-norm of the difference.',
    shape: 'no dims',
    dtype: 'promoted',
    example: 'tensor([3, 0]).dist(tensor([0, 4])) // 5',
    params: { input, other, p: optional(number('the order of the norm'), 2) },
    lower: ({ b }, { input, other, p }) =>
      vectorNorm(b, elementwise.binary(b, 'subtract', 'dist', input, other), p, undefined, false),
  }),
  vdot: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'The dot product of two vectors, with the first one conjugated.',
    shape: 'no dims',
    dtype: 'same',
    example: 'tensor([1, 2]).vdot(tensor([3, 4])) // 11',
    params: { input, other },
    lower: ({ b }, { input, other }) => {
      const [x, y] = [move.onlyRank(b, 'vdot', input, 1), move.onlyRank(b, 'vdot', other, 1)];
      if (shapeOf(x)[0] !== shapeOf(y)[0])
        throw mismatch(b, 'vdot', shapeOf(x), shapeOf(y), 'the lengths must be equal');
      return matmul(b, conj(b, x), y);
    },
  }),
  addr: row({
    ...facts,
    summary: 'The outer product of two vectors, added to a matrix: beta · input + alpha · vec1 · vec2ᵀ.',
    shape: '[rows, columns]',
    dtype: 'same',
    example: 'zeros([2, 2]).addr(tensor([1, 2]), tensor([3, 4])) // [[3, 4], [6, 8]]',
    params: {
      input,
      vec1: tensor('the column'),
      vec2: tensor('the row'),
      beta: byName(optional(scalar('the factor for the input'), 1)),
      alpha: byName(optional(scalar('the factor for the product'), 1)),
    },
    lower: ({ b }, { input, vec1, vec2, beta, alpha }) => {
      const [u, v] = [move.onlyRank(b, 'addr', vec1, 1), move.onlyRank(b, 'addr', vec2, 1)];
      const size = [shapeOf(u)[0]!, shapeOf(v)[0]!];
      const outer = b.multiply(b.broadcastInDim(u, [0], size), b.broadcastInDim(v, [1], size));
      return elementwise.binary(
        b,
        'add',
        'addr',
        broadcastTo(b, elementwise.scaled(b, input, beta) as typeof input, size),
        elementwise.scaled(b, outer, alpha),
      );
    },
  }),
  addbmm: row({
    ...facts,
    summary: 'beta · input + alpha · the sum of the products of two batches of matrices.',
    shape: '[rows, columns]',
    dtype: 'same',
    example: `const x = ones([3, 2, 4]);
zeros([2, 2]).addbmm(x, x.transpose(1, 2)) // [[12, 12], [12, 12]]`,
    params: {
      input,
      batch1: tensor('the left matrices'),
      batch2: tensor('the right matrices'),
      beta: byName(optional(scalar('the factor for the input'), 1)),
      alpha: byName(optional(scalar('the factor for the sum'), 1)),
    },
    lower: ({ b }, { input, batch1, batch2, beta, alpha }) => {
      const [x, y] = [move.onlyRank(b, 'addbmm', batch1, 3), move.onlyRank(b, 'addbmm', batch2, 3)];
      const total = b.sum(matmul(b, x, y), [0]);
      return elementwise.binary(
        b,
        'add',
        'addbmm',
        elementwise.scaled(b, input, beta),
        elementwise.scaled(b, total, alpha),
      );
    },
  }),
  cumulativeTrapezoid: row({
    ...facts,
    forms: ['function'],
    summary: 'The cumulative integral along a dim by the trapezoidal rule, with a constant spacing dx.',
    shape: 'the shape of y with one entry less at the dim',
    dtype: 'float',
    throws: ['BAD_DIM'],
    example: 'cumulativeTrapezoid(tensor([1, 2, 3])) // [1.5, 4]',
    differs: 'Only with a constant spacing: there is no x.',
    params: {
      y: tensor('the values'),
      dx: byName(optional(number('the step'), 1)),
      dim: byName(optional(dim('the dim'), -1)),
    },
    lower: ({ b }, { y, dx, dim }) => {
      const [areas, at] = numbers.runningTrapezoid(b, y, dx, dim);
      return inWide(b, areas, w => running(b, [w], at, (c, [p], [q]) => [c.add(p!, q!)])[0]!);
    },
  }),
  gradient: row({
    ...facts,
    forms: ['function'],
    result: 'list',
    summary: 'The gradient along each dim by central differences, one-sided at the ends.',
    shape: 'the shape of the input, once for each dim',
    dtype: 'float',
    throws: ['BAD_DIM', 'SHAPE_MISMATCH'],
    example: 'const [dx] = gradient(tensor([1, 4, 9])); // [3, 4, 5]',
    differs: 'The spacing along each dim is constant: one number.',
    params: {
      input,
      spacing: byName(optional(number('the distance between adjacent points'), 1)),
      dim: byName(optional(dims('the dim or dims; all of them by default'))),
      edgeOrder: byName(optional(int('the order of the differences at the ends: 1 or 2'), 1)),
    },
    lower: ({ b }, { input, spacing, dim, edgeOrder }) => {
      const all = dim === undefined ? shapeOf(input).map((_, d) => d) : typeof dim === 'number' ? [dim] : dim;
      return all.map(d => numbers.slopesAlong(b, input, d, spacing, edgeOrder));
    },
  }),
});
