// Reverse-mode gradients over programs. See README.md.
export { type BackpropagateOptions, backpropagate } from './backpropagate.ts';
export { type BatchOptions, batchOp, type Image, inFull, moveDim } from './batching/index.ts';
export { type GradientOptions, grad, gradients } from './gradient.ts';
export { type RecomputedPart, type RecomputePolicy, recomputePolicies } from './rematerialize.ts';
export type { GradientContext, GradientRule, GradientTable, NoGradient, Seed } from './rule.ts';
export { gradientTable } from './rules.ts';
