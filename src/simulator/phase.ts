// What the time of a step is spent on.
/** What the time of a step is spent on. */
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
] as const;
/** What the time of a step is spent on. */
export type Phase = (typeof phases)[number];
