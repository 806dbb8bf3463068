// Scalar ops that are computed for a block of elements at a time (target/registers.ts says how many), since they look
// coefficients up: one at a time they would be no vector code. Loops with such ops are gone through in blocks.
import type { ElementType } from '../../hlo/types.ts';
import type { ScalarOp } from './scalar-op.ts';

const functions: ReadonlyMap<string, 'erf' | 'tanh'> = new Map([
  ['chlo.erf', 'erf'],
  ['tanh', 'tanh'],
]);

/** The function of a scalar op on a type; undefined for ops that are computed element by element. */
export const blockFunctionOf = (op: ScalarOp, type: ElementType): 'erf' | 'tanh' | undefined =>
  type === 'f32' ? functions.get(op.name) : undefined;
