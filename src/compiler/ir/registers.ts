// How values are held while they are computed. The same on every machine, so that the bits of elementwise results are, too:
// low-precision floats are an f32 that is rounded after every op.
import { type ElementType, elementBytes, isFloat } from '../../hlo/types.ts';

/** Floats that an f32 register holds. */
export const isFloatRegister = (type: ElementType): boolean => isFloat(type) && type !== 'f64';
/** Bytes of a value in a register. */
export const registerBytes = (type: ElementType): number => (isFloatRegister(type) ? 4 : elementBytes(type));
