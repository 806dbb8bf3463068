// The start of a run, and its settings as stored in run.json, with the effect of changing each of them on resume.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunSettings, SettingEffect } from 'trenio';
import type { Corpus } from './documents.ts';
import { flagOf, type Options } from './options.ts';

/** A job that was requeued before its first checkpoint starts over. */
export function beginOf({ output, resume, startOver }: Options): 'resume' | 'start-over' | 'new' {
  if (startOver) return 'start-over';
  const checkpoints = join(output, 'checkpoints');
  const hasSome = existsSync(checkpoints) && readdirSync(checkpoints).some(name => name.startsWith('checkpoint-'));
  return resume && hasSome ? 'resume' : 'new';
}

const isPowerOfTwo = (n: number): boolean => Number.isInteger(Math.log2(n));

/** For `run.record`. */
export function runSettings(
  { output: _, resume: __, startOver: ___, ...options }: Options,
  { checksum }: Corpus,
  { ranks, accumulation }: { readonly ranks: number; readonly accumulation: number },
): [RunSettings, Readonly<Record<string, SettingEffect>>] {
  const given = Object.fromEntries(Object.entries(options).map(([key, value]) => [flagOf(key), value ?? null]));
  const settings: RunSettings = { ...given, ranks, 'micro-batches a step': ranks * accumulation, text: checksum };
  // The same micro-batches give the same bits on any number of ranks, if both numbers are powers of two.
  const spread: SettingEffect = isPowerOfTwo(ranks) && isPowerOfTwo(accumulation) ? 'harmless' : 'changes results';
  return [
    settings,
    {
      ranks: spread,
      'gradient-accumulation': spread,
      'global-batch': 'harmless', // its effect is in "micro-batches a step"
      data: 'harmless', // names only: the content is compared by checksum
      vocab: 'harmless',
      init: 'harmless',
      'save-every': 'harmless',
      layers: 'refused',
      hidden: 'refused',
      heads: 'refused',
    },
  ];
}
