// The encoder of T5, mT5 or UMT5 alone, as image generators and embedding models use it. B batch, S sequence, H width.
import { join } from 'node:path';
import { Embedding, init, Module } from '../../nn/index.ts';
import type { Tensor } from '../../tensor/index.ts';
import { configError, readConfigObject, writeConfigObject } from '../config-file.ts';
import { loadDirectory, saveWeights } from '../pretrained.ts';
import type { NameRule } from '../tensor-names.ts';
import { type Seq2SeqConfig, type Seq2SeqConfigInput, seq2SeqArchitecture, seq2SeqConfig } from './architectures.ts';
import {
  checkTokens,
  type Seq2SeqFromPretrainedOptions,
  type Seq2SeqInputs,
  Seq2SeqStack,
  seq2SeqLayout,
} from './seq2seq.ts';

/** The field `model` of `Seq2SeqForConditionalGeneration` without a decoder, so that tensors have the same names. */
class EncoderPart extends Module {
  shared: Embedding;
  encoder: Seq2SeqStack;
  constructor(config: Seq2SeqConfig) {
    super();
    const layout = seq2SeqLayout(config);
    this.shared = new Embedding(layout.vocabulary, layout.width, { std: layout.initializerRange });
    this.encoder = new Seq2SeqStack(layout, 'encoder');
  }
  override forward(ids: Tensor, attentionMask: Tensor | undefined): Tensor {
    return this.encoder.forward(this.shared.forward(ids), attentionMask);
  }
}

/**
 * The encoder of T5, mT5 or UMT5 without its decoder: hidden states of tokens.
 * @example
 * const tiny = { vocab_size: 10, d_model: 8, d_kv: 4, d_ff: 16, num_heads: 2, num_layers: 1 };
 * new Seq2SeqTextEncoder({ model_type: 't5', ...tiny })(randint(0, 10, [2, 5])).shape // [2, 5, 8]
 */
export class Seq2SeqTextEncoder extends Module {
  /** The configuration of the model. */
  readonly config: Seq2SeqConfig;
  /** The token embeddings and the encoder. */
  model: Module;
  readonly #part: EncoderPart;
  /** @throws {MODEL_CONFIG_INVALID} @throws {MODEL_ARCHITECTURE_UNKNOWN} */
  constructor(config: Seq2SeqConfigInput) {
    super();
    this.config = seq2SeqConfig(config);
    if (!textEncoderTypes.includes(this.config.model_type))
      throw configError('the configuration')(
        'model_type',
        `${this.config.model_type} has no encoder of its own in transformers; ${textEncoderTypes.join(', ')} have one`,
      );
    this.#part = new EncoderPart(this.config);
    this.model = this.#part;
  }
  /**
   * Token ids [B, S], or inputs by name → hidden states [B, S, H].
   * @throws {SHAPE_MISMATCH}
   */
  override forward(inputs: Tensor | (Pick<Seq2SeqInputs, 'attentionMask'> & { readonly inputIds: Tensor })): Tensor {
    const { inputIds, attentionMask } = 'inputIds' in inputs ? inputs : { inputIds: inputs, attentionMask: undefined };
    checkTokens(this.config.model_type, seq2SeqLayout(this.config), inputIds, attentionMask);
    return this.#part.forward(inputIds, attentionMask);
  }
  /**
   * The encoder of a directory with config.json and model.safetensors (or its shards), with or without a decoder. Throws the
   * errors of `Seq2SeqForConditionalGeneration.fromPretrained`.
   */
  static async fromPretrained(
    directory: string,
    options: Seq2SeqFromPretrainedOptions = {},
  ): Promise<Seq2SeqTextEncoder> {
    const file = join(directory, 'config.json');
    const { config: given, ...rest } = options;
    const config = seq2SeqConfig({ ...((await readConfigObject(file)) as Seq2SeqConfigInput), ...given }, file);
    const model = init.skipInit(() => new Seq2SeqTextEncoder(config));
    const isIgnored = (name: string): boolean => name.startsWith('decoder.');
    await loadDirectory(model, directory, { basePrefix: 'model.', rules: model.tensorNames, isIgnored }, rest);
    return model;
  }
  /** @internal The names in files that differ from the model's. */
  get tensorNames(): readonly NameRule[] {
    return seq2SeqArchitecture(this.config.model_type, 'the configuration').names(this.config);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    const { className } = seq2SeqArchitecture(this.config.model_type, directory);
    await saveWeights(this, directory, this.tensorNames);
    const name = className.replace('ForConditionalGeneration', 'EncoderModel');
    await writeConfigObject(join(directory, 'config.json'), name, this.config);
  }
}

/** The types whose encoder has a class in transformers. */
export const textEncoderTypes: readonly string[] = ['t5', 'mt5', 'umt5'];
