// The plans of all architectures of models/: what stays whole on every rank.
import { beforeEach, expect, test } from 'vitest';
import { decoderArchitectures } from '../../models/decoder/architectures.ts';
import { encoderArchitectures } from '../../models/encoder/architectures.ts';
import {
  DecoderForCausalLM,
  EncoderForSequenceClassification,
  Seq2SeqForConditionalGeneration,
  VisionForImageClassification,
} from '../../models/index.ts';
import { seq2SeqArchitectures } from '../../models/seq2seq/architectures.ts';
import { visionArchitectures } from '../../models/vision/architectures.ts';
import type { Module } from '../../nn/index.ts';
import { type Device, placements, setDefaultDevice } from '../../tensor/index.ts';
import { deviceOfRanks } from '../../tensor/placement/ranks-backend.testing.ts';
import { parallelize } from './parallelize.ts';

const width = 32;
const sizes = {
  vocab_size: 64,
  hidden_size: width,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  intermediate_size: 2 * width,
  max_position_embeddings: 64,
  pad_token_id: 0,
};
const grouped = {
  ...sizes,
  num_key_value_heads: 2,
  head_dim: 8,
  num_experts: 4,
  num_local_experts: 4,
  num_experts_per_tok: 2,
  moe_intermediate_size: width,
};
const twoStacks = {
  vocab_size: 64,
  max_position_embeddings: 64,
  ...{ d_model: width, d_ff: 2 * width, d_kv: 8, num_layers: 2, num_heads: 4 },
  ...{ encoder_layers: 2, decoder_layers: 2, encoder_attention_heads: 4, decoder_attention_heads: 4 },
  ...{ encoder_ffn_dim: 2 * width, decoder_ffn_dim: 2 * width },
  ...{
    pad_token_id: 0,
    max_source_positions: 64,
    max_target_positions: 64,
    num_mel_bins: 8,
    decoder_start_token_id: 1,
  },
};
const table: { readonly [model: string]: () => Module } = {
  ...Object.fromEntries(
    Object.keys(decoderArchitectures).map(model_type => [
      `decoder ${model_type}`,
      () => new DecoderForCausalLM({ model_type, ...grouped } as never),
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(encoderArchitectures).map(model_type => [
      `encoder ${model_type}`,
      () => new EncoderForSequenceClassification({ model_type, ...sizes } as never),
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(seq2SeqArchitectures).map(model_type => [
      `seq2seq ${model_type}`,
      () => new Seq2SeqForConditionalGeneration({ model_type, ...twoStacks } as never),
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(visionArchitectures).map(model_type => [
      `vision ${model_type}`,
      () => new VisionForImageClassification({ model_type, ...sizes, image_size: 16, patch_size: 8 } as never),
    ]),
  ),
};

/** Small layers: positions, patches, projections of embeddings, features of sounds, heads of classifiers. */
const isSmall = /position|\.project\.|patch_embeddings|pooler|features\.|transform\.dense/;

let device: Device;
beforeEach(() => {
  device = deviceOfRanks({ tp: 2 });
  setDefaultDevice(device);
});
test.each(Object.keys(table))('%s', name => {
  const model = table[name]!();
  parallelize(model, device.mesh);
  const isWhole = (parameter: ReturnType<Module['parameters']>[number]) =>
    placements(parameter).every(({ kind }) => kind === 'replicate');
  const whole = Array.from(model.namedParameters()).flatMap(([path, parameter]) =>
    parameter.numel() >= width * width && isWhole(parameter) ? [path] : [],
  );
  expect(whole.filter(path => !isSmall.test(path))).toEqual([]);
});
