import { expect, test } from 'vitest';
import { hasSameBits, targetOf } from '../../../compiler/index.ts';
import { Builder } from '../../../hlo/builder.ts';
import { type Module, moduleOf, type Value } from '../../../hlo/program.ts';
import { dynamicDim, type ElementType, tensorType } from '../../../hlo/types.ts';
import { isWorthCompiling, kernelsMs, startsFromKernels } from './tier-policy.ts';

function program(
  make: (b: Builder, x: Value) => Value,
  shape: readonly number[] = [8, 8],
  type: ElementType = 'f32',
): Module {
  const b = new Builder();
  const x = b.argument(tensorType(type, shape), 0);
  const result = make(b, x);
  return moduleOf({ name: 'main', body: { args: [x], ops: b.ops, results: [result] }, aliases: [undefined] });
}
const target = targetOf('avx2');
const product = (b: Builder, x: Value): Value =>
  b.dotGeneral(x, x, {
    lhsBatchingDimensions: [],
    rhsBatchingDimensions: [],
    lhsContractingDimensions: [1],
    rhsContractingDimensions: [0],
  });
const exponential = (b: Builder, x: Value): Value => b.unary('exponential', x);

test('elementwise ops and sums have the same bits from kernels and from machine code', () => {
  expect(hasSameBits(program((b, x) => b.sum(b.add(b.unary('tanh', x), x), [1])))).toBe(true);
  expect(hasSameBits(program((b, x) => b.add(x, x), [8], 'f64'))).toBe(true);
  expect(hasSameBits(program(exponential, [8], 'bf16'))).toBe(true);
});
test('products of two-byte floats, functions of the C library, complex numbers and unknown sizes may have other bits', () => {
  expect(hasSameBits(program(product))).toBe(true);
  expect(hasSameBits(program(product, [8, 8], 'bf16'))).toBe(false);
  expect(hasSameBits(program((b, x) => b.binary('power', x, x)))).toBe(false);
  expect(hasSameBits(program(exponential, [8], 'f64'))).toBe(false);
  expect(hasSameBits(program((b, x) => b.add(x, x), [8], 'complex<f32>'))).toBe(false);
  expect(hasSameBits(program((b, x) => b.unary('negate', x), [dynamicDim]))).toBe(false);
});
test('a program starts from its kernels if a step takes less than its compilation', () => {
  expect(startsFromKernels(program(exponential), target)).toBe(true);
  expect(startsFromKernels(program(exponential, [32_768, 32_768]), target)).toBe(false);
  const [small, large] = [program(exponential, [1_000_000]), program(exponential, [10_000_000])];
  expect(kernelsMs(large)).toBeGreaterThan(7 * kernelsMs(small));
  const type = tensorType('ui32', [10_000_000]);
  const random = program((b, x) => b.emit('rng_bit_generator', [x], { rngAlgorithm: 'PHILOX', type })[1], [3], 'ui64');
  expect(kernelsMs(random)).toBeGreaterThan(100);
});
test('the C compiler starts with the third run, or as soon as runs take long', () => {
  expect([0, 1, 2, 3].map(runs => isWorthCompiling(runs, runs, 1))).toEqual([false, false, true, true]);
  expect(isWorthCompiling(0, 0, 1000)).toBe(true);
  expect(isWorthCompiling(1, 1000, 1)).toBe(true);
});
