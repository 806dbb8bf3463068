// BERT with its two pre-training heads (Devlin et al., 2019): masked tokens, and next-sentence prediction. Hugging
// Face's parameter names. B batch, S sequence, P predictions of a sequence, H hidden size, V vocabulary.
import { join } from 'node:path';
import { TrenioError } from '../base/errors.ts';
import { functional as F, LayerNorm, type Linear, Module, Parameter } from '../nn/index.ts';
import { arange, type Tensor, userLocation, zeros } from '../tensor/index.ts';
import { activationOf } from './activations.ts';
import { type BertInputs, BertModel, type FromPretrainedOptions } from './bert.ts';
import { writeConfigObject } from './config-file.ts';
import { fieldsInFile } from './encoder/encoder-config.ts';
import { type BertConfig, type BertConfigInput, bertConfig, readBertConfig } from './hf-config.ts';
import { normalLinear } from './layers.ts';
import { loadDirectory, saveWeights } from './pretrained.ts';
import { TaskModel } from './task-model.ts';

/** The inputs of `BertForPreTraining`. */
export interface BertPretrainingInputs extends BertInputs {
  /** The positions that are predicted [B, P], integers. Default: all of them, P = S. */
  readonly maskedPositions?: Tensor | undefined;
}

/** The outputs of `BertForPreTraining`. */
export interface BertPretrainingOutput {
  /** Scores of each token of the vocabulary, [B, P, V]. */
  readonly predictionLogits: Tensor;
  /** Scores of "follows" (0) and "does not follow" (1), [B, 2]. */
  readonly seqRelationshipLogits: Tensor;
}

const linear = (config: BertConfig, outFeatures: number): Linear =>
  normalLinear(config.initializer_range, config.hidden_size, outFeatures);

class PredictionTransform extends Module {
  dense: Linear;
  LayerNorm: LayerNorm;
  readonly #activation: (x: Tensor) => Tensor;
  constructor(config: BertConfig) {
    super();
    this.dense = linear(config, config.hidden_size);
    this.LayerNorm = new LayerNorm(config.hidden_size, { eps: config.layer_norm_eps });
    this.#activation = activationOf(config.hidden_act);
  }
  override forward(x: Tensor): Tensor {
    return this.LayerNorm.forward(this.#activation(this.dense.forward(x)));
  }
}

/** It shares its weight with the token embedding, so only the bias is a parameter here. */
class PredictionHead extends Module {
  transform: PredictionTransform;
  bias: Parameter;
  constructor(config: BertConfig) {
    super();
    this.transform = new PredictionTransform(config);
    this.bias = new Parameter(zeros(config.vocab_size));
  }
  /** x [B, P, H] and the token embedding [V, H] → [B, P, V] */
  override forward(x: Tensor, tokens: Tensor): Tensor {
    return F.linear(this.transform.forward(x), tokens, this.bias);
  }
}

class PretrainingHeads extends Module {
  predictions: PredictionHead;
  seq_relationship: Linear;
  constructor(config: BertConfig) {
    super();
    this.predictions = new PredictionHead(config);
    this.seq_relationship = linear(config, 2);
  }
  override forward(x: Tensor, pooled: Tensor, tokens: Tensor): BertPretrainingOutput {
    return {
      predictionLogits: this.predictions.forward(x, tokens),
      seqRelationshipLogits: this.seq_relationship.forward(pooled),
    };
  }
}

/**
 * BERT with the heads of its pre-training: masked tokens and next sentence.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * const model = new BertForPreTraining(sizes);
 * const output = model.forward({ inputIds: randint(0, 10, [2, 5]), maskedPositions: tensor([[1], [3]], { dtype: 'i32' }) });
 * output.predictionLogits.shape // [2, 1, 10]
 */
export class BertForPreTraining extends Module {
  /** The configuration of the model. */
  readonly config: BertConfig;
  /** The encoder. */
  bert: BertModel;
  /** The heads: `predictions` and `seq_relationship`. */
  cls: Module;
  readonly #heads: PretrainingHeads;
  constructor(config: BertConfigInput = {}) {
    super();
    this.config = bertConfig(config);
    this.bert = new BertModel(this.config);
    this.#heads = new PretrainingHeads(this.config);
    this.cls = this.#heads;
  }
  /**
   * Scores of the tokens at the masked positions, and of the second text following the first.
   * @throws {SHAPE_MISMATCH}
   * @throws {SEQUENCE_TOO_LONG}
   */
  override forward(inputs: BertPretrainingInputs): BertPretrainingOutput {
    const { lastHiddenState, poolerOutput } = this.bert.forward(inputs);
    const chosen = rowsAt(lastHiddenState, inputs.maskedPositions);
    return this.#heads.forward(chosen, poolerOutput, this.bert.embeddings.word_embeddings.weight);
  }

  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it. Heads that the
   * directory lacks are initialized randomly, with a warning.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {FILE_UNREADABLE}
   * @throws {WEIGHTS_MISSING} (a tensor of the encoder is missing)
   */
  static async fromPretrained(directory: string, options: FromPretrainedOptions = {}): Promise<BertForPreTraining> {
    return loadHeads(config => new BertForPreTraining(config), directory, options);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    await saveWeights(this, directory);
    await writeConfigObject(join(directory, 'config.json'), 'BertForPreTraining', fieldsInFile(this.config));
  }
}

class NextSentenceHead extends Module {
  seq_relationship: Linear;
  constructor(config: BertConfig) {
    super();
    this.seq_relationship = linear(config, 2);
  }
  override forward(pooled: Tensor): Tensor {
    return this.seq_relationship.forward(pooled);
  }
}

/**
 * BERT with the head that predicts whether the second text follows the first: logits [B, 2], "follows" (0) and "does not" (1).
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * new BertForNextSentencePrediction(sizes).forward({ inputIds: randint(0, 10, [2, 5]) }).shape // [2, 2]
 */
export class BertForNextSentencePrediction extends TaskModel<BertInputs> {
  /** The configuration of the model. */
  readonly config: BertConfig;
  /** The encoder. */
  bert: BertModel;
  /** The head: `seq_relationship`. */
  cls: Module;
  readonly #head: NextSentenceHead;
  constructor(config: BertConfigInput = {}) {
    super();
    this.config = bertConfig(config);
    this.bert = new BertModel(this.config);
    this.#head = new NextSentenceHead(this.config);
    this.cls = this.#head;
  }
  /** @internal */
  protected override logitsOf(inputs: BertInputs): Tensor {
    return this.#head.forward(this.bert.forward(inputs).poolerOutput);
  }
  /** As `BertForPreTraining.fromPretrained`, from a directory of either class. */
  static async fromPretrained(
    directory: string,
    options: FromPretrainedOptions = {},
  ): Promise<BertForNextSentencePrediction> {
    return loadHeads(config => new BertForNextSentencePrediction(config), directory, options);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    await saveWeights(this, directory);
    const file = join(directory, 'config.json');
    await writeConfigObject(file, 'BertForNextSentencePrediction', fieldsInFile(this.config));
  }
}

async function loadHeads<M extends Module>(
  make: (config: BertConfig) => M,
  directory: string,
  { config: given, ...rest }: FromPretrainedOptions,
): Promise<M> {
  const config = bertConfig({ ...(await readBertConfig(join(directory, 'config.json'))), ...given });
  const model = make(config);
  const mayMiss = (name: string): boolean => name.startsWith('cls.');
  await loadDirectory(model, directory, { basePrefix: 'bert.', mayMiss }, rest);
  return model;
}

/** The rows of x [B, S, H] at positions [B, P] → [B, P, H]. */
function rowsAt(x: Tensor, positions: Tensor | undefined): Tensor {
  if (positions === undefined) return x;
  const [batch, length, width] = x.shape as readonly [number, number, number];
  if (positions.ndim !== 2 || positions.shape[0] !== batch)
    throw new TrenioError(
      'SHAPE_MISMATCH',
      {
        op: 'BERT',
        left: `[${x.shape.join(', ')}]`,
        right: `[${positions.shape.join(', ')}]`,
        detail: 'the masked positions have two dims, batch and predictions',
      },
      { location: userLocation() },
    );
  const starts = arange(0, batch * length, length, { dtype: 'i32' }).reshape(batch, 1); // [B, 1]
  const rows = positions.to('i32').add(starts).reshape(-1); // [B · P]
  return x
    .reshape(batch * length, width)
    .indexSelect(0, rows)
    .reshape(batch, positions.shape[1]!, width);
}

/** Labels with this value are ignored. */
const ignored = -100;

/**
 * The loss of BERT's pre-training: the mean cross entropy of the masked tokens, plus that of "follows" or not. `labels` [B, P]
 * are the tokens at the masked positions; -100 is ignored. `nextSentenceLabels` [B] are 0 where the second text follows the
 * first.
 * @throws {SHAPE_MISMATCH}
 * @example
 * const output = { predictionLogits: zeros(1, 2, 4), seqRelationshipLogits: zeros(1, 2) };
 * const labels = tensor([[3, -100]], { dtype: 'i32' });
 * bertPretrainingLoss(output, labels, tensor([0], { dtype: 'i32' })) // 2.0794…
 */
export function bertPretrainingLoss(
  { predictionLogits, seqRelationshipLogits }: BertPretrainingOutput,
  labels: Tensor,
  nextSentenceLabels: Tensor,
): Tensor {
  const vocabulary = predictionLogits.shape.at(-1)!;
  const masked = F.crossEntropy(predictionLogits.reshape(-1, vocabulary), labels.reshape(-1), {
    ignoreIndex: ignored,
  });
  return masked.add(F.crossEntropy(seqRelationshipLogits, nextSentenceLabels));
}
