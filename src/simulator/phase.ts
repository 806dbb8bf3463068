// The phases of a step.
/** The phases of a step. */
export const phases = [
  'forward',
  'backward',
  'recompute',
  'tensor-parallel collectives',
  'pipeline send/recv',
  'pipeline bubble',
  'gradient collectives',
  'optimizer',
  'overhead',
  'data loading',
] as const;
/** A phase of a step. */
export type Phase = (typeof phases)[number];
