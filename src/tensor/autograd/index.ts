// Gradients on demand, and functions with gradients of their own: autograd.grad, autograd.Function … See ../README.md.
export { CustomFunction as Function, FunctionContext, onceDifferentiable } from './function.ts';
export * as functional from './functional.ts';
export { backward, type GradOptions, grad } from './grad.ts';
export { type GradcheckOptions, gradcheck, gradgradcheck } from './gradcheck.ts';
