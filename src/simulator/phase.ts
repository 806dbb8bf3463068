// What the time of a step is spent on.
/** What the time of a step is spent on. */
export const phases = [
  'forward',
  'backward',
  'recompute',
  'tensor-parallel exchange',
  'pipeline exchange',
  'pipeline bubble',
  'gradient exchange',
  'optimizer',
  'overhead',
] as const;
/** What the time of a step is spent on. */
export type Phase = (typeof phases)[number];
