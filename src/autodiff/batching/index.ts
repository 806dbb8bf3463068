// Turns programs for one example into programs for many: see batch.ts.
export { type BatchOptions, batchFunc, batchOp } from './batch.ts';
export { type Image, inFull, moveDim } from './rule.ts';
