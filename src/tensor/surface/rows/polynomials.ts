// Orthogonal polynomials of a degree.
import { type FamilyName, polynomial } from '../../lower/orthogonal-polynomials.ts';
import { operand } from '../params.ts';
import { group, row, type UnnamedRow } from '../row.ts';

const names: Readonly<Record<FamilyName, readonly [torch: string, name: string]>> = {
  chebyshevT: ['chebyshev_polynomial_t', 'Chebyshev polynomial of the first kind'],
  chebyshevU: ['chebyshev_polynomial_u', 'Chebyshev polynomial of the second kind'],
  chebyshevV: ['chebyshev_polynomial_v', 'Chebyshev polynomial of the third kind'],
  chebyshevW: ['chebyshev_polynomial_w', 'Chebyshev polynomial of the fourth kind'],
  hermiteH: ['hermite_polynomial_h', "physicist's Hermite polynomial"],
  hermiteHe: ['hermite_polynomial_he', "probabilist's Hermite polynomial"],
  laguerreL: ['laguerre_polynomial_l', 'Laguerre polynomial'],
  legendreP: ['legendre_polynomial_p', 'Legendre polynomial'],
};
const call = (torch: string): string => torch.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
function of(family: FamilyName, value: string, isShifted = false): UnnamedRow {
  const [plain, name] = names[family];
  const torch = isShifted ? `shifted_${plain}` : plain;
  return row({
    forms: ['special'],
    torch: [`torch.special.${torch}`],
    summary: `The ${isShifted ? 'shifted ' : ''}${name} of degree n${isShifted ? ', of 2x − 1' : ''}; 0 for a degree below 0.`,
    details:
      'By its recurrence, in a loop up to the largest degree. Above degree 100,000 it is NaN, except for Chebyshev polynomials in [−1, 1].',
    shape: 'the shape of both together',
    dtype: 'promotedFloat',
    gradient: 'smooth',
    throws: ['SHAPE_MISMATCH'],
    uncompared: ['input', 'n'],
    differs: 'Gradients flow to x; PyTorch raises an error.',
    example: `special.${call(torch)}(tensor([0.5]), 2) // [${value}]`,
    params: {
      input: operand('where it is taken'),
      n: operand('the degree; parts of it behind the point do not count'),
    },
    lower: (c, { input, n }) => polynomial(c, `special.${call(torch)}`, family, isShifted, input, n),
  });
}
export const polynomialRows = group({
  chebyshevPolynomialT: of('chebyshevT', '-0.5'),
  chebyshevPolynomialU: of('chebyshevU', '0'),
  chebyshevPolynomialV: of('chebyshevV', '-1'),
  chebyshevPolynomialW: of('chebyshevW', '1'),
  shiftedChebyshevPolynomialT: of('chebyshevT', '-1', true),
  shiftedChebyshevPolynomialU: of('chebyshevU', '-1', true),
  shiftedChebyshevPolynomialV: of('chebyshevV', '-1', true),
  shiftedChebyshevPolynomialW: of('chebyshevW', '-1', true),
  hermitePolynomialH: of('hermiteH', '-1'),
  hermitePolynomialHe: of('hermiteHe', '-0.75'),
  laguerrePolynomialL: of('laguerreL', '0.125'),
  legendrePolynomialP: of('legendreP', '-0.125'),
});
