// The targets that programs are printed for. Cache sizes are fixed, so that the C is the same on every machine; the number
// of cores and threads is not part of a target.
import { type Target, targetOf } from './trenio.ts';

const caches = { l1Bytes: 32 * 1024, l2Bytes: 1024 * 1024 } as const;

export const targets = {
  amx: targetOf('amx', caches),
  'avx512-bf16': targetOf('avx512', { ...caches, bf16: 'pairs' }),
  avx512: targetOf('avx512', caches),
  avx2: targetOf('avx2', { ...caches, f16: true }),
  sve: targetOf('sve', caches),
  neon: targetOf('neon', caches),
  generic: targetOf('generic', caches),
} as const satisfies Record<string, Target>;
export type TargetName = keyof typeof targets;
export const targetNames = Object.keys(targets) as readonly TargetName[];
