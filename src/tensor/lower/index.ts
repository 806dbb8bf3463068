// Lowerings of tensor calls to ops, for layers that record several calls as a single one.
export * from './activation.ts';
export * from './collectives.ts';
export { convPadding } from './convolution.ts';
export * from './elementwise.ts';
export * from './matmul.ts';
export * from './move.ts';
export * from './narrow.ts';
export { type AvgPool, attributesOf, contractDims, type MaxPool, type OutputSize, windowsOf } from './pooling.ts';
export * from './reduce.ts';
export * from './shapes.ts';
export * from './sizes.ts';
