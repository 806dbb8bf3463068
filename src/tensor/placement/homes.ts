// The rank along a pipeline that has a parameter and the state of its optimizer.
import type { TensorImpl } from '../tensor-impl.ts';

const homes = new WeakMap<TensorImpl, number>();

export const setHome = (x: TensorImpl, home: number): void => void homes.set(x, home);
/** Undefined for a tensor that every rank has. */
export const homeOf = (x: TensorImpl): number | undefined => homes.get(x);
