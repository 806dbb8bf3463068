// How values are held while they are computed. The same on every CPU, so that the bits of a result are, too: low-precision floats
// are an f32 that is rounded after every op, and reductions keep as many partial results as the widest vectors have.
import { type ElementType, elementBytes, isFloat } from '../../../hlo/types.ts';

/** Floats that an f32 register holds. */
export const isFloatRegister = (type: ElementType): boolean => isFloat(type) && type !== 'f64';
/** Bytes of a value in a register. */
export const registerBytes = (type: ElementType): number => (isFloatRegister(type) ? 4 : elementBytes(type));

/** The number of f32 in the widest vector: gcc keeps them in a register if a separate loop processes them. */
export const vectorLanes = 16;
/** Elements that a function computed by blocks takes at a time (ir/math/index.ts). */
export const blockElements = 16;
