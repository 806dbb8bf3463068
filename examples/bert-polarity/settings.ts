// The settings of a run, as stored in run.json, and the effect of changing each of them on resume.
import type { BertConfig, DeviceMesh, RunSettings, SettingEffect } from 'trenio';
import { flagOf, type Options } from './options.ts';
import type { Reviews } from './reviews.ts';

/** Settings of the model: the trained weights do not fit another model. */
const architecture = [
  'vocab_size',
  'hidden_size',
  'num_hidden_layers',
  'num_attention_heads',
  'intermediate_size',
  'hidden_act',
  'max_position_embeddings',
  'type_vocab_size',
] as const satisfies readonly (keyof BertConfig)[];

const isPowerOfTwo = (n: number): boolean => Number.isInteger(Math.log2(n));

/** The settings and the effects of changing them, for `run.record`. */
export function runSettings(
  options: Options,
  config: BertConfig,
  { checksums }: Reviews,
  made: { readonly learningRate: number; readonly maxLength: number; readonly mesh: DeviceMesh },
): [RunSettings, Readonly<Record<string, SettingEffect>>] {
  // The folder may be moved, and the way a run was started does not matter. The model is described by its own fields.
  const { output: _, resume: __, startOver: ___, layers, hidden, heads, intermediate, ...others } = options;
  const given = Object.fromEntries(Object.entries(others).map(([key, value]) => [flagOf(key), value ?? null]));
  const ranks = made.mesh.size();
  const settings: RunSettings = {
    ...given,
    'learning-rate': made.learningRate,
    'max-length': made.maxLength,
    ranks,
    'micro-batches a step': made.mesh.size('data') * options.gradientAccumulation,
    'training reviews': checksums.training,
    'validation reviews': checksums.validation,
    vocabulary: checksums.vocabulary,
    ...Object.fromEntries(architecture.map(field => [field, config[field]])),
  };
  // The same micro-batches give the same bits on any number of ranks, if both numbers are powers of two.
  const spread: SettingEffect =
    isPowerOfTwo(ranks) && isPowerOfTwo(options.gradientAccumulation) ? 'harmless' : 'changes results';
  const effects: Record<string, SettingEffect> = {
    ranks: spread,
    'gradient-accumulation': spread,
    vocabulary: 'refused',
    ...Object.fromEntries(architecture.map(field => [field, 'refused' as const])),
  };
  // Names only: the contents are compared by checksum.
  for (const name of ['data', 'validation', 'model', 'vocab', 'machine', 'price-per-hour', 'save-every'])
    effects[name] = 'harmless';
  return [settings, effects];
}
