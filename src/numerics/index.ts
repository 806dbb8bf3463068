// Numerical utilities that do not depend on programs: random bits, number formats, functions.
export * as complex from './complex.ts';
export * from './double-double.ts';
export * from './fma.ts';
export * from './formats.ts';
export * from './philox.ts';
export * from './rounding.ts';
export * from './small-floats.ts';
export * from './threefry.ts';
