// Configurations of text encoders: checked, with the defaults of their architectures, and resolved to layouts.
import type * as z from 'zod';
import { checkConfig, checkParameterCount, configError, readConfigObject } from '../config-file.ts';
import { type LayerType, ropeOf } from '../decoder/rope-parameters.ts';
import { checkRope } from '../decoder/rotary.ts';
import { labelsOf } from '../labels.ts';
import { encoderArchitecture, type PartOfHeads } from './architectures.ts';
import { type EncoderConfig, type EncoderConfigInput, encoderConfigSchema } from './fields.ts';
import type { EncoderHeads, EncoderLayerLayout, EncoderLayout, HeadLayout } from './layout.ts';

type Fields = z.input<typeof encoderConfigSchema>;

/**
 * Checks the fields of an encoder's configuration and fills in the defaults of its architecture. Fields may have the names of the
 * architecture's files. `file` is named in errors.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, or inconsistent with another field
 * @throws {MODEL_ARCHITECTURE_UNKNOWN}
 * @example
 * encoderConfig({ model_type: 'distilbert', n_layers: 2 }).num_hidden_layers // 2
 */
export function encoderConfig(fields: EncoderConfigInput, file = 'the configuration'): EncoderConfig {
  const { defaults, fieldNames = {} } = encoderArchitecture(fields.model_type, file);
  const fail = configError(file);
  const given: Record<string, unknown> = { ...fields };
  for (const [name, inFile] of Object.entries(fieldNames)) {
    if (given[inFile] !== undefined) given[name] = given[inFile];
    delete given[inFile];
  }
  const known = checkConfig(encoderConfigSchema, { ...defaults, ...given } as Fields, file);
  const config: EncoderConfig = { ...known, ...labelsOf(known, fail) };
  const { hidden_size: width, num_attention_heads: heads, pad_token_id: padding, vocab_size: vocabulary } = config;
  if (config.attention_head_size === undefined && width % heads !== 0)
    throw fail('hidden_size', `${width} is not a multiple of num_attention_heads, ${heads}`);
  if (padding !== null && padding >= vocabulary)
    throw fail('pad_token_id', `${padding} is not below vocab_size, ${vocabulary}`);
  if (config.layer_types != null && config.layer_types.length !== config.num_hidden_layers)
    throw fail(
      'layer_types',
      `it has ${config.layer_types.length} entries, num_hidden_layers is ${config.num_hidden_layers}`,
    );
  const { num_hidden_groups: groups = 1, conv_kernel_size: kernel = 0, conv_groups: channels = 1 } = config;
  if (groups > config.num_hidden_layers)
    throw fail('num_hidden_groups', `${groups} is more than num_hidden_layers, ${config.num_hidden_layers}`);
  if (kernel > 0 && (kernel % 2 === 0 || width % channels !== 0))
    throw fail('conv_kernel_size', `${kernel} is even, or conv_groups, ${channels}, does not divide hidden_size`);
  const layout = encoderLayout(config);
  if (layout.maxPositions < 1)
    throw fail('max_position_embeddings', `${config.max_position_embeddings} leaves no positions after the padding's`);
  const perLayer = 4 * width ** 2 + 2 * width * config.intermediate_size;
  checkParameterCount(layout.blocks * perLayer + (vocabulary + layout.positionRows) * layout.embeddingWidth, file);
  for (const rope of new Set(layout.layers.map(layer => layer.rope))) if (rope !== undefined) checkRope(rope, file);
  return config;
}

/** The configuration in a file. */
export async function readEncoderConfig(file: string): Promise<EncoderConfig> {
  return encoderConfig((await readConfigObject(file)) as EncoderConfigInput, file);
}

/** The fields under the names of the architecture's files. */
export function fieldsInFile(config: EncoderConfig): object {
  // Hugging Face derives num_labels from id2label and does not write it.
  const { num_labels: _, ...fields } = config as Record<string, unknown>;
  const { fieldNames = {} } = encoderArchitecture(config.model_type, 'the configuration');
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [fieldNames[name] ?? name, value]));
}

/**
 * The parts and sizes of an encoder of this configuration.
 * @example
 * encoderLayout(encoderConfig({ model_type: 'modernbert' })).residual // 'pre-but-first'
 */
export function encoderLayout(config: EncoderConfig): EncoderLayout {
  const { hidden_size: width, num_attention_heads: heads, hidden_dropout_prob: hidden } = config;
  const { differs } = encoderArchitecture(config.model_type, 'the configuration');
  const headDim = config.attention_head_size ?? width / heads;
  return {
    vocabulary: config.vocab_size,
    embeddingWidth: config.embedding_size ?? width,
    width,
    innerWidth: config.intermediate_size,
    heads,
    headDim,
    maxPositions: config.max_position_embeddings,
    positionRows: config.max_position_embeddings,
    countedFrom: undefined,
    tokenTypes: config.type_vocab_size,
    taskTypes: 0,
    paddingIndex: config.pad_token_id ?? undefined,
    projection: 'none',
    zeroPadding: false,
    blocks: config.num_hidden_layers,
    layers: layersOf(config, headDim),
    norm: { eps: config.layer_norm_eps, bias: true },
    residual: 'post',
    distances: { kind: 'none' },
    bias: { attention: true, attentionOutput: true, feedForward: true },
    activation: config.hidden_act,
    gated: false,
    layerScale: undefined,
    dropPath: 0,
    convolution: undefined,
    pooler: true,
    embeddingDropout: hidden,
    dropout: {
      attention: config.attention_probs_dropout_prob,
      attentionOutput: hidden,
      inner: 0,
      output: hidden,
    },
    initializerRange: config.initializer_range,
    ...differs?.(config),
  };
}

/** The layers, with windows and rotations where the architecture has them: ModernBERT. */
function layersOf(config: EncoderConfig, headDim: number): readonly EncoderLayerLayout[] {
  const plain = Array.from({ length: config.num_hidden_layers }, (_, block) => ({
    block,
    window: undefined,
    rope: undefined,
  }));
  const { local_attention: local, global_attn_every_n_layers: every = 3, layer_types: types } = config;
  if (local === undefined) return plain;
  const rope = (layer: LayerType, given: number | null | undefined, theta: number) =>
    ropeOf({ ...config, rope_theta: given ?? undefined }, headDim, { theta }, layer);
  const ropes = {
    full_attention: rope('full_attention', config.global_rope_theta, 160_000),
    sliding_attention: rope('sliding_attention', config.local_rope_theta, 10_000),
  };
  return plain.map(({ block }) => {
    const type: LayerType = types?.[block] ?? (block % every === 0 ? 'full_attention' : 'sliding_attention');
    return { block, window: type === 'full_attention' ? undefined : Math.trunc(local / 2), rope: ropes[type] };
  });
}

/** The heads of an encoder of this configuration. */
export function encoderHeads(config: EncoderConfig): EncoderHeads {
  const dropout = config.classifier_dropout ?? config.hidden_dropout_prob;
  const { heads } = encoderArchitecture(config.model_type, 'the configuration');
  const differences = heads?.(config) ?? {};
  const head = (name: Exclude<PartOfHeads, 'maskedTokens'>, usual: HeadLayout): HeadLayout => ({
    ...usual,
    ...differences[name],
  });
  const plain = { inputDropout: 0, transform: undefined, dropout };
  return {
    maskedTokens: {
      width: config.hidden_size,
      transformBias: true,
      activation: config.hidden_act,
      bias: true,
      tied: config.tie_word_embeddings,
      ...differences.maskedTokens,
    },
    sequence: head('sequence', { ...plain, pool: 'pooler' }),
    tokens: head('tokens', { ...plain, pool: 'each' }),
    answers: head('answers', { ...plain, pool: 'each', dropout: 0 }),
    choices: head('choices', { ...plain, pool: 'pooler' }),
  };
}
