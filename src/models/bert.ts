// BERT (Devlin et al., 2019): the `bert` row of the text-encoder table (encoder/), with Hugging Face's class names. Post-norm
// encoder, erf GELU, learned positions. B batch, S sequence, H hidden size.
import type { Tensor } from '../tensor/index.ts';
import { type EncoderInputs, EncoderModel } from './encoder/encoder.ts';
import { type EncoderFromPretrainedOptions, loadEncoder } from './encoder/files.ts';
import { EncoderForSequenceClassification } from './encoder/heads.ts';
import { type BertConfigInput, bertConfig } from './hf-config.ts';

export {
  EncoderAttention as BertAttention,
  EncoderIntermediate as BertIntermediate,
  EncoderLayer as BertLayer,
  EncoderOutput as BertOutput,
  EncoderSelfAttention as BertSelfAttention,
} from './encoder/block.ts';
export {
  EncoderBlocks as BertEncoder,
  EncoderEmbeddings as BertEmbeddings,
  EncoderPooler as BertPooler,
} from './encoder/encoder.ts';

/** The inputs of BERT models. */
export type BertInputs = EncoderInputs;

/** Options of `fromPretrained`. */
export type FromPretrainedOptions = EncoderFromPretrainedOptions;

/**
 * BERT without a head: embeddings, encoder and pooler.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * const model = new BertModel(sizes).eval();
 * model(randint(0, 10, [2, 5])).lastHiddenState.shape // [2, 5, 8]
 */
export class BertModel extends EncoderModel {
  constructor(config: BertConfigInput = {}) {
    super(bertConfig(config));
  }
  /** Token ids [B, S], or inputs by name → hidden states [B, S, H] and the pooled first token [B, H]. */
  override forward(inputs: Tensor | BertInputs): {
    /** The hidden states of the last layer, [batch, tokens, hidden]. */
    readonly lastHiddenState: Tensor;
    /** The pooled output, [batch, hidden]. */
    readonly poolerOutput: Tensor;
  } {
    const { lastHiddenState, poolerOutput } = super.forward(inputs);
    return { lastHiddenState, poolerOutput: poolerOutput! };
  }
}

/**
 * BERT with a classifier on the pooled first token: logits [B, num_labels].
 * @example
 * ```ts no-run
 * const model = await BertForSequenceClassification.fromPretrained('bert-base-uncased');
 * ```
 */
export class BertForSequenceClassification extends EncoderForSequenceClassification {
  /** The encoder. */
  declare bert: BertModel;
  constructor(config: BertConfigInput = {}) {
    super(bertConfig(config), own => new BertModel(own));
  }
  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it. Weights of a
   * base model load too: the classifier is then randomly initialized, with a warning.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {FILE_UNREADABLE}
   * @throws {WEIGHTS_MISSING} (a tensor other than the classifier's is missing)
   */
  static override fromPretrained(
    directory: string,
    options: FromPretrainedOptions = {},
  ): Promise<BertForSequenceClassification> {
    const make = (config: BertConfigInput) => new BertForSequenceClassification(config);
    return loadEncoder(make, 'ForSequenceClassification', directory, options);
  }
}
