// The modified Bessel functions of the first kind of orders 0 and 1, scaled by exp(-|x|) or not, with their gradients.
//
// Order 0 is a Chebyshev series in x / 2 - 2 up to 8, and one in 32 / x - 2 beyond, as in Cephes (S. L. Moshier, i0.c). The
// coefficients were recomputed with 40 digits.
import type { Builder } from '../../hlo/builder.ts';
import { Formula } from '../../hlo/ops/special-functions/formula.ts';
import type { Value } from '../../hlo/program.ts';
import type { Context } from '../surface/row.ts';
import { withGradient } from './linalg/batches.ts';

const near = [
  -4.4153416464793395e-18, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15,
  -1.1685332877993451e-14, 7.676185498604936e-14, -4.856446783111929e-13, 2.95505266312964e-12, -1.726826291441556e-11,
  9.675809035373237e-11, -5.189795601635263e-10, 2.6598237246823866e-9, -1.300025009986248e-8, 6.046995022541919e-8,
  -2.670793853940612e-7, 1.1173875391201037e-6, -4.4167383584587505e-6, 1.6448448070728896e-5, -5.754195010082104e-5,
  0.00018850288509584165, -0.0005763755745385824, 0.0016394756169413357, -0.004324309995050576, 0.010546460394594998,
  -0.02373741480589947, 0.04930528423967071, -0.09490109704804764, 0.17162090152220877, -0.3046826723431984,
  0.6767952744094761,
];
const far = [
  -7.233180487874754e-18, -4.830504485944182e-18, 4.46562142029676e-17, 3.461222867697461e-17, -2.8276239805165836e-16,
  -3.425485619677219e-16, 1.7725601330565263e-15, 3.8116806693526224e-15, -9.554846698828307e-15,
  -4.150569347287222e-14, 1.54008621752141e-14, 3.8527783827421426e-13, 7.180124451383666e-13, -1.7941785315068062e-12,
  -1.3215811840447713e-11, -3.1499165279632416e-11, 1.1889147107846439e-11, 4.94060238822497e-10, 3.3962320257083865e-9,
  2.266668990498178e-8, 2.0489185894690638e-7, 2.8913705208347567e-6, 6.889758346916825e-5, 0.0033691164782556943,
  0.8044904110141088,
];

function scaledZero(b: Builder, x: Value): Value {
  const f = new Formula(b, x);
  const size = f.abs(x);
  const inner = f.chebyshev(near, f.subtract(f.multiply(0.5, f.minimum(size, 8)), 2));
  const outer = f.maximum(size, 8);
  const beyond = f.divide(f.chebyshev(far, f.subtract(f.divide(32, outer), 2)), f.sqrt(outer));
  return f.select(f.compare('LE', size, 8), inner, beyond);
}
const scaledOne = (b: Builder, x: Value): Value => b.emit1('chlo.bessel_i1e', [x], {});
/** y / x, and `atZero` where x is 0. */
function overX(f: Formula, y: Value, x: Value, atZero: number): Value {
  const isZero = f.compare('EQ', x, 0);
  return f.select(isZero, atZero, f.divide(y, f.select(isZero, 1, x)));
}
export type BesselKind = 'i0' | 'i0e' | 'i1' | 'i1e';
/** I₀ and I₁; with `e` times exp(-|x|). */
export function bessel(c: Context, kind: BesselKind, x: Value): Value {
  const computed = (b: Builder): Value => {
    const scaled = kind.startsWith('i0') ? scaledZero(b, x) : scaledOne(b, x);
    return kind.endsWith('e') ? scaled : b.multiply(scaled, b.unary('exponential', b.unary('abs', x)));
  };
  return withGradient(c, 'Bessel', [x], [computed(c.b)], ({ c: back, b, cotangents: [g], results: [y] }) => {
    const f = new Formula(b, x);
    const zero = (): Value => bessel(back, kind.endsWith('e') ? 'i0e' : 'i0', x);
    const one = (): Value => bessel(back, kind.endsWith('e') ? 'i1e' : 'i1', x);
    const slope = kind.startsWith('i0') ? one() : f.subtract(zero(), overX(f, y!, x, 0.5));
    return [f.multiply(g!, kind.endsWith('e') ? f.subtract(slope, f.multiply(f.sign(x), y!)) : slope)];
  })[0]!;
}
