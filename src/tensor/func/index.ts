// Transformations of functions: func.grad, func.vmap, func.jvp … as in torch.func. See ../README.md.
export { type Fn, type FuncOptions, type GradientOf, grad, gradAndValue, valueAndGrad, vjp } from './grad.ts';
export { hessian, type JacobianOptions, jacfwd, jacrev } from './jacobian.ts';
export { jvp } from './jvp.ts';
export type { Randomness } from './randomness.ts';
export { type Dims, type VmapOptions, vmap } from './vmap.ts';
