// Bessel functions of other kinds, and the Airy function.
import type { Value } from '../../../hlo/program.ts';
import { bessel } from '../../lower/bessel.ts';
import { airy, besselJ, besselK, besselY, sphericalJ0 } from '../../lower/bessel-second.ts';
import { ofFloats } from '../../lower/elementary.ts';
import { tensor } from '../params.ts';
import { type Context, group, row, type UnnamedRow } from '../row.ts';

const exact = "PyTorch's own values in f64 are off by up to 1e-7 between 3 and 30; these are exact to 1e-15.";
const noGradient = 'Gradients flow; PyTorch raises an error.';
function smooth(
  torch: string,
  summary: string,
  example: string,
  body: (c: Context, x: Value) => Value,
  differs = noGradient,
): UnnamedRow {
  return row({
    forms: ['special'],
    torch: [`torch.special.${torch}`],
    summary,
    example,
    shape: 'the shape of the input',
    dtype: 'float',
    gradient: 'smooth',
    uncompared: ['input'],
    differs,
    params: { input: tensor('the tensor') },
    lower: (c, { input }) => ofFloats(c.b, input, x => body(c, x)),
  });
}
const kinds = { J: 'first', Y: 'second' } as const;
const jy = (kind: 'J' | 'Y', order: 0 | 1, value: string): UnnamedRow =>
  smooth(
    `bessel_${kind.toLowerCase()}${order}`,
    `The Bessel function of the ${kinds[kind]} kind of order ${order}${kind === 'Y' ? ': −∞ at 0, NaN below' : ''}.`,
    `special.bessel${kind}${order}(tensor([1])) // [${value}]`,
    (c, x) => (kind === 'J' ? besselJ : besselY)(c, order, x),
    `${noGradient} ${exact}`,
  );
const k = (order: 0 | 1, isScaled: boolean, value: string): UnnamedRow =>
  smooth(
    `${isScaled ? 'scaled_' : ''}modified_bessel_k${order}`,
    `The modified Bessel function of the second kind of order ${order}${isScaled ? ', times exp(x)' : ''}: ∞ at 0, NaN below.`,
    `special.${isScaled ? 'scaledModified' : 'modified'}BesselK${order}(tensor([1])) // [${value}]`,
    (c, x) => besselK(c, order, isScaled, x),
  );
const i = (order: 0 | 1, value: string): UnnamedRow =>
  smooth(
    `modified_bessel_i${order}`,
    `The modified Bessel function of the first kind of order ${order}; the same as \`i${order}\`.`,
    `special.modifiedBesselI${order}(tensor([1])) // [${value}]`,
    (c, x) => bessel(c, order === 0 ? 'i0' : 'i1', x),
  );

export const besselRows = group({
  besselJ0: jy('J', 0, '0.765…'),
  besselJ1: jy('J', 1, '0.440…'),
  besselY0: jy('Y', 0, '0.088…'),
  besselY1: jy('Y', 1, '-0.781…'),
  modifiedBesselI0: i(0, '1.266…'),
  modifiedBesselI1: i(1, '0.565…'),
  modifiedBesselK0: k(0, false, '0.421…'),
  modifiedBesselK1: k(1, false, '0.601…'),
  scaledModifiedBesselK0: k(0, true, '1.144…'),
  scaledModifiedBesselK1: k(1, true, '1.636…'),
  sphericalBesselJ0: smooth(
    'spherical_bessel_j0',
    'sin(x) / x, 1 at 0: the spherical Bessel function of the first kind of order 0.',
    'special.sphericalBesselJ0(tensor([0])) // [1]',
    ({ b }, x) => sphericalJ0(b, x),
  ),
  airyAi: smooth(
    'airy_ai',
    'The Airy function Ai.',
    'special.airyAi(tensor([0])) // [0.355…]',
    ({ b }, x) => airy(b, x),
    `${noGradient} ${exact}`,
  ),
});
