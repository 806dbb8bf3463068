// The modified Bessel function of the first kind and order one, scaled: e^(-|x|)·I₁(x). Chebyshev series of the Cephes
// library (S. L. Moshier, i1.c and i1f.c): one for |x| ≤ 8, one in 1/x beyond; f32 uses the last terms of the f64 series.
import type { Value } from '../../program.ts';
import type { Formula } from './formula.ts';

const near = [
  2.7779141127610464e-18, -2.111421214358166e-17, 1.5536319577362005e-16, -1.1055969477353862e-15,
  7.600684294735408e-15, -5.042185504727912e-14, 3.223793365945575e-13, -1.9839743977649436e-12, 1.1736186298890901e-11,
  -6.663489723502027e-11, 3.625590281552117e-10, -1.8872497517228294e-9, 9.381537386495773e-9, -4.445059128796328e-8,
  2.0032947535521353e-7, -8.568720264695455e-7, 0.0000034702513081376785, -0.000013273163656039436,
  0.00004781565107550054, -0.00016176081582589674, 0.0005122859561685758, -0.0015135724506312532, 0.004156422944312888,
  -0.010564084894626197, 0.024726449030626516, -0.05294598120809499, 0.1026436586898471, -0.17641651835783406,
  0.25258718644363365,
];
const far = [
  7.517296310842105e-18, 4.414348323071708e-18, -4.6503053684893586e-17, -3.209525921993424e-17, 2.96262899764595e-16,
  3.3082023109209285e-16, -1.8803547755107825e-15, -3.8144030724370075e-15, 1.0420276984128802e-14,
  4.272440016711951e-14, -2.1015418427726643e-14, -4.0835511110921974e-13, -7.198551776245908e-13,
  2.0356285441470896e-12, 1.4125807436613782e-11, 3.2526035830154884e-11, -1.8974958123505413e-11,
  -5.589743462196584e-10, -3.835380385964237e-9, -2.6314688468895196e-8, -2.512236237870209e-7,
  -0.000003882564808877691, -0.00011058893876262371, -0.009761097491361469, 0.7785762350182801,
];
const nearTermsF32 = 17;
const farTermsF32 = 7;

export function besselI1e(f: Formula, x: Value): Value {
  const isWide = f.elementType === 'f64';
  const size = f.abs(x);
  // Each series is evaluated for every element, clamped to the end of its range for elements outside of it, so that slopes stay
  // finite.
  const [inner, outer] = [f.minimum(size, 8), f.maximum(size, 8)];
  const nearSeries = f.chebyshev(isWide ? near : near.slice(-nearTermsF32), f.subtract(f.multiply(0.5, inner), 2));
  const farSeries = f.chebyshev(isWide ? far : far.slice(-farTermsF32), f.subtract(f.divide(32, outer), 2));
  const beyond = f.multiply(f.sign(x), f.divide(farSeries, f.sqrt(outer)));
  return f.select(f.compare('LE', size, 8), f.multiply(x, nearSeries), beyond);
}
