// Well-known models by name, with the shapes that their authors published. No weights.
import { TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import type { TransformerConfig } from '../workload.ts';

type Shape = Pick<TransformerConfig, 'layers' | 'hidden' | 'heads'> & Partial<TransformerConfig>;

const base = (name: string, shape: Shape): TransformerConfig => ({
  kind: 'transformer',
  name,
  keyValueHeads: shape.heads,
  headSize: shape.hidden / shape.heads,
  feedForward: 4 * shape.hidden,
  gated: false,
  activation: 'gelu',
  normalization: 'layer-norm',
  biases: true,
  causal: true,
  dropout: true,
  vocabulary: 50257,
  positions: 1024,
  segments: 0,
  tiedHead: true,
  head: { kind: 'causal-lm' },
  patches: undefined,
  experts: undefined,
  ...shape,
});

/**
 * Devlin et al. 2019: masked language model with next-sentence prediction. 15 % of the tokens are predicted: 20 of 128, 80 of
 * 512.
 */
const bert = (name: string, shape: Shape): TransformerConfig =>
  base(name, {
    causal: false,
    vocabulary: 30522,
    positions: 512,
    segments: 2,
    head: { kind: 'masked-lm', predictionsPerSample: sequence => Math.ceil(0.15625 * sequence) },
    ...shape,
  });
const gpt = (name: string, shape: Shape): TransformerConfig => base(name, { positions: 2048, ...shape });
/** Touvron et al. 2023: RMS norm, SwiGLU, rotary positions, no biases, no dropout. */
const llama = (name: string, shape: Shape): TransformerConfig =>
  base(name, {
    gated: true,
    activation: 'silu',
    normalization: 'rms-norm',
    biases: false,
    dropout: false,
    vocabulary: 32000,
    positions: 0,
    tiedHead: false,
    ...shape,
  });
const llama3Small = (name: string, shape: Shape): TransformerConfig =>
  llama(name, { keyValueHeads: 8, feedForward: 8192, vocabulary: 128256, tiedHead: true, ...shape });
/** Like Llama; biases of queries, keys and values are not counted. */
const qwen = (name: string, shape: Shape): TransformerConfig =>
  llama(name, { keyValueHeads: 8, vocabulary: 151936, ...shape });
/** Dosovitskiy et al. 2021. */
const vit = (name: string, patchSize: number, shape: Shape): TransformerConfig =>
  base(name, {
    causal: false,
    dropout: false,
    vocabulary: 0,
    positions: (224 / patchSize) ** 2 + 1,
    head: { kind: 'classifier', classes: 1000 },
    patches: { imageSize: 224, patchSize, channels: 3 },
    ...shape,
  });

const presets: readonly TransformerConfig[] = [
  bert('bert-small', { layers: 4, hidden: 512, heads: 8 }),
  bert('bert-base', { layers: 12, hidden: 768, heads: 12 }),
  bert('bert-large', { layers: 24, hidden: 1024, heads: 16 }),
  bert('bert-base-classifier', {
    layers: 12,
    hidden: 768,
    heads: 12,
    head: { kind: 'classifier', classes: 2 },
  }),
  gpt('gpt2', { layers: 12, hidden: 768, heads: 12, positions: 1024 }),
  gpt('gpt2-medium', { layers: 24, hidden: 1024, heads: 16, positions: 1024 }),
  gpt('gpt2-large', { layers: 36, hidden: 1280, heads: 20, positions: 1024 }),
  gpt('gpt2-xl', { layers: 48, hidden: 1600, heads: 25, positions: 1024 }),
  // Brown et al. 2020, table 2.1; 23B and 46B as in AWS's Megatron examples.
  gpt('gpt3-1.3b', { layers: 24, hidden: 2048, heads: 16 }),
  gpt('gpt3-6.7b', { layers: 32, hidden: 4096, heads: 32 }),
  gpt('gpt3-13b', { layers: 40, hidden: 5120, heads: 40 }),
  gpt('gpt3-23b', { layers: 28, hidden: 8192, heads: 64 }),
  gpt('gpt3-46b', { layers: 56, hidden: 8192, heads: 64 }),
  gpt('gpt3-175b', { layers: 96, hidden: 12288, heads: 96 }),
  // Korthikanti et al. 2022, table 3.
  gpt('megatron-22b', { layers: 48, hidden: 6144, heads: 64, vocabulary: 51200 }),
  gpt('megatron-175b', { layers: 96, hidden: 12288, heads: 96, vocabulary: 51200 }),
  gpt('megatron-530b', { layers: 105, hidden: 20480, heads: 128, vocabulary: 51200 }),
  gpt('megatron-1t', { layers: 128, hidden: 25600, heads: 160, vocabulary: 51200 }),
  llama('llama2-7b', { layers: 32, hidden: 4096, heads: 32, feedForward: 11008 }),
  llama('llama2-13b', { layers: 40, hidden: 5120, heads: 40, feedForward: 13824 }),
  llama('llama2-70b', { layers: 80, hidden: 8192, heads: 64, keyValueHeads: 8, feedForward: 28672 }),
  llama('llama3-8b', { layers: 32, hidden: 4096, heads: 32, keyValueHeads: 8, feedForward: 14336, vocabulary: 128256 }),
  llama('llama3-70b', {
    layers: 80,
    hidden: 8192,
    heads: 64,
    keyValueHeads: 8,
    feedForward: 28672,
    vocabulary: 128256,
  }),
  llama('llama3-405b', {
    layers: 126,
    hidden: 16384,
    heads: 128,
    keyValueHeads: 8,
    feedForward: 53248,
    vocabulary: 128256,
  }),
  // Llama 3.2 Herd, Qwen2.5 (arXiv:2412.15115) and Qwen3 (arXiv:2505.09388), as in their config.json.
  llama3Small('llama3.2-1b', { layers: 16, hidden: 2048, heads: 32 }),
  llama3Small('llama3.2-3b', { layers: 28, hidden: 3072, heads: 24 }),
  qwen('qwen2.5-0.5b', { layers: 24, hidden: 896, heads: 14, keyValueHeads: 2, feedForward: 4864, tiedHead: true }),
  qwen('qwen2.5-1.5b', { layers: 28, hidden: 1536, heads: 12, keyValueHeads: 2, feedForward: 8960, tiedHead: true }),
  qwen('qwen2.5-3b', { layers: 36, hidden: 2048, heads: 16, keyValueHeads: 2, feedForward: 11008, tiedHead: true }),
  qwen('qwen2.5-7b', { layers: 28, hidden: 3584, heads: 28, keyValueHeads: 4, feedForward: 18944, vocabulary: 152064 }),
  qwen('qwen2.5-14b', { layers: 48, hidden: 5120, heads: 40, feedForward: 13824, vocabulary: 152064 }),
  qwen('qwen2.5-32b', { layers: 64, hidden: 5120, heads: 40, feedForward: 27648, vocabulary: 152064 }),
  qwen('qwen2.5-72b', { layers: 80, hidden: 8192, heads: 64, feedForward: 29568, vocabulary: 152064 }),
  qwen('qwen3-0.6b', { layers: 28, hidden: 1024, heads: 16, headSize: 128, feedForward: 3072, tiedHead: true }),
  qwen('qwen3-8b', { layers: 36, hidden: 4096, heads: 32, feedForward: 12288 }),
  qwen('qwen3-32b', { layers: 64, hidden: 5120, heads: 64, headSize: 128, feedForward: 25600 }),
  qwen('qwen3-30b-a3b', {
    ...{ layers: 48, hidden: 2048, heads: 32, headSize: 128, keyValueHeads: 4, feedForward: 768 },
    experts: { count: 128, perToken: 8 },
  }),
  llama('mistral-7b', { layers: 32, hidden: 4096, heads: 32, keyValueHeads: 8, feedForward: 14336 }),
  // Jiang et al. 2024.
  llama('mixtral-8x7b', {
    layers: 32,
    hidden: 4096,
    heads: 32,
    keyValueHeads: 8,
    feedForward: 14336,
    experts: { count: 8, perToken: 2 },
  }),
  vit('vit-base', 16, { layers: 12, hidden: 768, heads: 12 }),
  vit('vit-large', 16, { layers: 24, hidden: 1024, heads: 16 }),
];

const byName = new Map(presets.map(preset => [preset.name, preset]));
/** The names of the preset models: `bert-large`, `llama3-8b` … */
export const modelNames: readonly string[] = presets.map(preset => preset.name);

/** `meta-llama/Llama-3.1-8B-Instruct` as `llama3-8b`: without owner, release and tuning, which do not change the shape. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/-(instruct|chat|hf|it|uncased|v0\.1)(?=-|$)/g, '')
    .replace(/(?<!bert|vit)-base$/, '')
    .replace(/^(meta-)?llama-([23])(?:\.[13])?(\.2)?-/, 'llama$2$3-')
    .replace(/^(vit-.*)-patch16-224$/, '$1');

/**
 * A preset by its name, or by that on the hub.
 * @throws {UNKNOWN_MODEL} with the nearest name
 * @example
 * simulator.modelOf('llama3-8b').layers // 32
 */
export function modelOf(name: string): TransformerConfig {
  const found = byName.get(name.toLowerCase()) ?? byName.get(plainName(name));
  if (found === undefined)
    throw new TrenioError('UNKNOWN_MODEL', { model: name, nearest: nearestName(name, modelNames), known: modelNames });
  return found;
}
