// Orthogonal polynomials of a degree: by their recurrence, in a loop up to the largest degree. Above degree 100,000 they are NaN,
// except for Chebyshev polynomials in [−1, 1]. The parts of a degree behind the point do not count. Gradients flow to x, where
// PyTorch raises an error.
import type { Value } from '../../src/hlo/program.ts';
import { notATensor } from '../../src/tensor/check-arguments.ts';
import { contextOf } from '../../src/tensor/distributions/distribution.ts';
import { record, Tensor } from '../../src/tensor/tensor.ts';
import { type FamilyName, polynomial } from './polynomial-recurrence.ts';

const ofDegree =
  (name: string, family: FamilyName, isShifted = false) =>
  (input: Tensor | number, n: Tensor | number): Tensor => {
    const call = `special.${name}`;
    for (const [argument, value] of Object.entries({ input, n }))
      if (!(value instanceof Tensor) && typeof value !== 'number')
        throw notATensor({ call, argument }, value, 'a tensor or a number');
    const tensors = [input, n].filter(value => value instanceof Tensor);
    return record(name, tensors, (b, values, trace) => {
      const operandOf = (given: Tensor | number): Value | number =>
        given instanceof Tensor ? values[tensors.indexOf(given)]! : given;
      return polynomial(contextOf(tensors[0]!, b, trace), call, family, isShifted, operandOf(input), operandOf(n));
    });
  };

/**
 * The Chebyshev polynomial of the first kind of degree n; 0 for a degree below 0. PyTorch:
 * `torch.special.chebyshev_polynomial_t`.
 * @example
 * special.chebyshevPolynomialT(tensor([0.5]), 2) // [-0.5]
 */
export const chebyshevPolynomialT = ofDegree('chebyshevPolynomialT', 'chebyshevT');
/**
 * The Chebyshev polynomial of the second kind of degree n; 0 for a degree below 0. PyTorch:
 * `torch.special.chebyshev_polynomial_u`.
 * @example
 * special.chebyshevPolynomialU(tensor([0.5]), 2) // [0]
 */
export const chebyshevPolynomialU = ofDegree('chebyshevPolynomialU', 'chebyshevU');
/**
 * The Chebyshev polynomial of the third kind of degree n; 0 for a degree below 0. PyTorch:
 * `torch.special.chebyshev_polynomial_v`.
 * @example
 * special.chebyshevPolynomialV(tensor([0.5]), 2) // [-1]
 */
export const chebyshevPolynomialV = ofDegree('chebyshevPolynomialV', 'chebyshevV');
/**
 * The Chebyshev polynomial of the fourth kind of degree n; 0 for a degree below 0. PyTorch:
 * `torch.special.chebyshev_polynomial_w`.
 * @example
 * special.chebyshevPolynomialW(tensor([0.5]), 2) // [1]
 */
export const chebyshevPolynomialW = ofDegree('chebyshevPolynomialW', 'chebyshevW');
/**
 * The shifted Chebyshev polynomial of the first kind of degree n, of 2x − 1; 0 for a degree below 0. PyTorch:
 * `torch.special.shifted_chebyshev_polynomial_t`.
 * @example
 * special.shiftedChebyshevPolynomialT(tensor([0.5]), 2) // [-1]
 */
export const shiftedChebyshevPolynomialT = ofDegree('shiftedChebyshevPolynomialT', 'chebyshevT', true);
/**
 * The shifted Chebyshev polynomial of the second kind of degree n, of 2x − 1; 0 for a degree below 0. PyTorch:
 * `torch.special.shifted_chebyshev_polynomial_u`.
 * @example
 * special.shiftedChebyshevPolynomialU(tensor([0.5]), 2) // [-1]
 */
export const shiftedChebyshevPolynomialU = ofDegree('shiftedChebyshevPolynomialU', 'chebyshevU', true);
/**
 * The shifted Chebyshev polynomial of the third kind of degree n, of 2x − 1; 0 for a degree below 0. PyTorch:
 * `torch.special.shifted_chebyshev_polynomial_v`.
 * @example
 * special.shiftedChebyshevPolynomialV(tensor([0.5]), 2) // [-1]
 */
export const shiftedChebyshevPolynomialV = ofDegree('shiftedChebyshevPolynomialV', 'chebyshevV', true);
/**
 * The shifted Chebyshev polynomial of the fourth kind of degree n, of 2x − 1; 0 for a degree below 0. PyTorch:
 * `torch.special.shifted_chebyshev_polynomial_w`.
 * @example
 * special.shiftedChebyshevPolynomialW(tensor([0.5]), 2) // [-1]
 */
export const shiftedChebyshevPolynomialW = ofDegree('shiftedChebyshevPolynomialW', 'chebyshevW', true);
/**
 * The physicist's Hermite polynomial of degree n; 0 for a degree below 0. PyTorch:
 * `torch.special.hermite_polynomial_h`.
 * @example
 * special.hermitePolynomialH(tensor([0.5]), 2) // [-1]
 */
export const hermitePolynomialH = ofDegree('hermitePolynomialH', 'hermiteH');
/**
 * The probabilist's Hermite polynomial of degree n; 0 for a degree below 0. PyTorch:
 * `torch.special.hermite_polynomial_he`.
 * @example
 * special.hermitePolynomialHe(tensor([0.5]), 2) // [-0.75]
 */
export const hermitePolynomialHe = ofDegree('hermitePolynomialHe', 'hermiteHe');
/**
 * The Laguerre polynomial of degree n; 0 for a degree below 0. PyTorch:
 * `torch.special.laguerre_polynomial_l`.
 * @example
 * special.laguerrePolynomialL(tensor([0.5]), 2) // [0.125]
 */
export const laguerrePolynomialL = ofDegree('laguerrePolynomialL', 'laguerreL');
/**
 * The Legendre polynomial of degree n; 0 for a degree below 0. PyTorch:
 * `torch.special.legendre_polynomial_p`.
 * @example
 * special.legendrePolynomialP(tensor([0.5]), 2) // [-0.125]
 */
export const legendrePolynomialP = ofDegree('legendrePolynomialP', 'legendreP');
