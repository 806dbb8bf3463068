// Gradients on demand, and custom autograd functions: autograd.grad, autograd.Function … See ../README.md.
export {
  CustomFunction as Function,
  type Definition,
  FunctionContext,
  FunctionContext as FunctionCtx,
  type Gradient,
  type Gradients,
  onceDifferentiable,
} from './function.ts';
export * as functional from './functional.ts';
export { backward, type GradOptions, type GradTensors, grad } from './grad.ts';
export { type GradcheckOptions, gradcheck, gradgradcheck, type TensorFunction } from './gradcheck.ts';
