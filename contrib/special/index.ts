// All of torch.special: the functions of `trenio`, Bessel and Airy functions, orthogonal polynomials.
export * from '../../src/tensor/generated/special.ts';
export * from './bessel.ts';
export * from './polynomials.ts';
