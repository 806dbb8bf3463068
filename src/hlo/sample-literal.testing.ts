// Values for samples and tests: varied but deterministic. Not part of the product.
import { type Literal, literal } from './literal.ts';
import { type ElementType, elementCount, isFloat, numberKind } from './types.ts';

/** A literal with varied values: floats in about -2 … 2, integers in -8 … 8 or 0 … 16. */
export function sampleLiteral(elementType: ElementType, shape: readonly number[], seed = 1): Literal {
  let state = (seed * 2654435761) >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const complex = numberKind(elementType) === 'complex';
  const values = Array.from({ length: elementCount(shape) * (complex ? 2 : 1) }, () => {
    if (complex || isFloat(elementType)) return next() * 4 - 2;
    if (elementType === 'i1') return next() < 0.5;
    return Math.floor(next() * 17) - (elementType.startsWith('u') ? 0 : 8);
  });
  return literal(elementType, shape, values);
}
