// Programs of one example as programs of many: see batch.ts.
export { type BatchOptions, batchOp } from './batch.ts';
export { type Image, inFull, moveDim } from './rule.ts';
