// Bessel functions of other kinds, and the Airy function. Values of PyTorch in f64 are off by up to 1e-7 between 3 and 30; these
// are exact to 1e-15. Gradients flow, where PyTorch raises an error.
import type { Value } from '../../src/hlo/program.ts';
import { contextOf } from '../../src/tensor/distributions/distribution.ts';
import { bessel } from '../../src/tensor/lower/bessel.ts';
import { ofFloats } from '../../src/tensor/lower/elementary.ts';
import type { Context } from '../../src/tensor/surface/row.ts';
import { record, type Tensor } from '../../src/tensor/tensor.ts';
import { airy, besselJ, besselK, besselY, sphericalJ0 } from './bessel-formulas.ts';

const ofElements =
  (name: string, lower: (c: Context, x: Value) => Value) =>
  (input: Tensor): Tensor =>
    record(name, [input], (b, [x], trace) => ofFloats(b, x!, inner => lower(contextOf(input, b, trace), inner)));

/**
 * The Bessel function of the first kind of order 0. PyTorch: `torch.special.bessel_j0`.
 * @example
 * special.besselJ0(tensor([1])) // [0.765…]
 */
export const besselJ0 = ofElements('besselJ0', (c, x) => besselJ(c, 0, x));
/**
 * The Bessel function of the first kind of order 1. PyTorch: `torch.special.bessel_j1`.
 * @example
 * special.besselJ1(tensor([1])) // [0.440…]
 */
export const besselJ1 = ofElements('besselJ1', (c, x) => besselJ(c, 1, x));
/**
 * The Bessel function of the second kind of order 0: −∞ at 0, NaN below. PyTorch: `torch.special.bessel_y0`.
 * @example
 * special.besselY0(tensor([1])) // [0.088…]
 */
export const besselY0 = ofElements('besselY0', (c, x) => besselY(c, 0, x));
/**
 * The Bessel function of the second kind of order 1: −∞ at 0, NaN below. PyTorch: `torch.special.bessel_y1`.
 * @example
 * special.besselY1(tensor([1])) // [-0.781…]
 */
export const besselY1 = ofElements('besselY1', (c, x) => besselY(c, 1, x));
/**
 * The modified Bessel function of the first kind of order 0; the same as `i0`. PyTorch: `torch.special.modified_bessel_i0`.
 * @example
 * special.modifiedBesselI0(tensor([1])) // [1.266…]
 */
export const modifiedBesselI0 = ofElements('modifiedBesselI0', (c, x) => bessel(c, 'i0', x));
/**
 * The modified Bessel function of the first kind of order 1; the same as `i1`. PyTorch: `torch.special.modified_bessel_i1`.
 * @example
 * special.modifiedBesselI1(tensor([1])) // [0.565…]
 */
export const modifiedBesselI1 = ofElements('modifiedBesselI1', (c, x) => bessel(c, 'i1', x));
/**
 * The modified Bessel function of the second kind of order 0: ∞ at 0, NaN below. PyTorch: `torch.special.modified_bessel_k0`.
 * @example
 * special.modifiedBesselK0(tensor([1])) // [0.421…]
 */
export const modifiedBesselK0 = ofElements('modifiedBesselK0', (c, x) => besselK(c, 0, false, x));
/**
 * The modified Bessel function of the second kind of order 1: ∞ at 0, NaN below. PyTorch: `torch.special.modified_bessel_k1`.
 * @example
 * special.modifiedBesselK1(tensor([1])) // [0.601…]
 */
export const modifiedBesselK1 = ofElements('modifiedBesselK1', (c, x) => besselK(c, 1, false, x));
/**
 * The modified Bessel function of the second kind of order 0, times exp(x): ∞ at 0, NaN below. PyTorch:
 * `torch.special.scaled_modified_bessel_k0`.
 * @example
 * special.scaledModifiedBesselK0(tensor([1])) // [1.144…]
 */
export const scaledModifiedBesselK0 = ofElements('scaledModifiedBesselK0', (c, x) => besselK(c, 0, true, x));
/**
 * The modified Bessel function of the second kind of order 1, times exp(x): ∞ at 0, NaN below. PyTorch:
 * `torch.special.scaled_modified_bessel_k1`.
 * @example
 * special.scaledModifiedBesselK1(tensor([1])) // [1.636…]
 */
export const scaledModifiedBesselK1 = ofElements('scaledModifiedBesselK1', (c, x) => besselK(c, 1, true, x));
/**
 * sin(x) / x, 1 at 0: the spherical Bessel function of the first kind of order 0. PyTorch: `torch.special.spherical_bessel_j0`.
 * @example
 * special.sphericalBesselJ0(tensor([0])) // [1]
 */
export const sphericalBesselJ0 = ofElements('sphericalBesselJ0', ({ b }, x) => sphericalJ0(b, x));
/**
 * The Airy function Ai. PyTorch: `torch.special.airy_ai`.
 * @example
 * special.airyAi(tensor([0])) // [0.355…]
 */
export const airyAi = ofElements('airyAi', ({ b }, x) => airy(b, x));
