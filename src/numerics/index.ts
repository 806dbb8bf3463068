// Numbers below the programs: counter-based random bits.
export * from './philox.ts';
export * from './threefry.ts';
