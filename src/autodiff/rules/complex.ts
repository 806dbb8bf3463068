// Gradient rules of complex numbers and Fourier transforms. The cotangent of a complex value z = x + iy is
//
//   ∂L/∂x − i·∂L/∂y
//
// so that the rules of holomorphic functions (products, exponentials, contractions …) match those of real ones: the cotangent
// times the derivative. It is the conjugate of PyTorch's gradient; gradients of tensors are conjugated when
// they enter and leave this folder.
import type { Builder } from '../../hlo/builder.ts';
import { conjugated } from '../../hlo/ops/matrices.ts';
import { shapeOf, type TensorValue, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, tensorType } from '../../hlo/types.ts';
import { scale } from '../constants.ts';
import type { GradientRule, GradientTable } from '../rule.ts';

const real = (b: Builder, x: Value): TensorValue => b.emit1('real', [x], {});
/** A real value as a complex one. */
export const asComplex = (b: Builder, x: Value): TensorValue => b.emit1('complex', [x, b.like(x, 0)], {});
const isComplex = (type: ElementType): boolean => type.startsWith('complex');

/** |z| has the slope z̄ / |z|, and 0 at 0. */
export function complexAbs(b: Builder, g: Value, z: Value, size: Value): Value {
  const isZero = b.compare('EQ', size, b.like(size, 0));
  const slope = b.select(isZero, b.like(size, 0), b.divide(g, b.select(isZero, b.like(size, 1), size)));
  return b.multiply(asComplex(b, slope), conjugated(b, z));
}
/** Converts between real and complex types: drops the imaginary part, or sets it to 0. */
export function ofConvert(b: Builder, g: Value, from: ElementType): Value {
  const type = tensorTypeOf(g).elementType;
  if (isComplex(type) === isComplex(from)) return b.convert(g, from);
  if (isComplex(type)) return b.convert(real(b, g), from);
  // the parts of complex numbers have at least 32 bits
  return b.convert(asComplex(b, type === 'f64' ? g : b.convert(g, 'f32')), from);
}

/** A transform is a symmetric matrix: the cotangent is transformed too. */
const fftRule: GradientRule<'fft'> = ({ builder: b, op, cotangents: [g] }) => {
  const { fftType, fftLength } = op.attributes;
  const [x] = op.operands;
  if (fftType === 'FFT' || fftType === 'IFFT') return [b.emit1('fft', [g], op.attributes)];
  const length = fftLength.at(-1)!;
  const shape = shapeOf(g);
  if (fftType === 'RFFT') {
    // the half of the spectrum that was not computed has no cotangent
    const zero = b.fill(tensorTypeOf(g).elementType, [], 0);
    const low = shape.map(() => 0);
    const whole = b.pad(g, zero, low, low.with(-1, length - shape.at(-1)!));
    return [real(b, b.emit1('fft', [whole], { fftType: 'FFT', fftLength }))];
  }
  // elements with a conjugate counterpart count twice
  const half = b.emit1('fft', [g], { fftType: 'RFFT', fftLength });
  const index = b.iota(tensorType('i32', shapeOf(half)), shapeOf(half).length - 1);
  const isFirst = b.compare('EQ', index, b.like(index, 0));
  const isMiddle = b.compare('EQ', b.add(index, index), b.like(index, length));
  const count = fftLength.reduce((n, d) => n * d, 1);
  const once = scale(b, half, 1 / count);
  const conjugate = conjugated(b, b.select(b.binary('or', isFirst, isMiddle), once, b.add(once, once)));
  return [b.convert(conjugate, tensorTypeOf(x).elementType)];
};

export const complexRules = {
  fft: fftRule,
  real: ({ builder, cotangents: [g] }) => [asComplex(builder, g)],
  imag: ({ builder: b, cotangents: [g] }) => [b.emit1('complex', [b.like(g, 0), b.negate(g)], {})],
  complex: ({ builder: b, cotangents: [g], op, needs }) => [
    needs(op.operands[0]) ? real(b, g) : undefined,
    needs(op.operands[1]) ? b.negate(b.emit1('imag', [g], {})) : undefined,
  ],
} satisfies Partial<GradientTable>;
