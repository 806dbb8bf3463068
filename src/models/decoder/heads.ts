// The classifiers of decoders: of sequences (rerankers, reward models), of tokens, and of answers, with Hugging Face's files.
// B batch, T time (tokens), H width.
import { join } from 'node:path';
import { Dropout, init, type Linear } from '../../nn/index.ts';
import type { Tensor } from '../../tensor/index.ts';
import { configError, writeConfigObject } from '../config-file.ts';
import { labelsOf, withLabels } from '../labels.ts';
import { lastTokens } from '../last-tokens.ts';
import { initializeMissing, loadDirectory, saveWeights } from '../pretrained.ts';
import { type AnyTargets, answersOf, classifierLoss, TaskModel, type Tasks } from '../task-model.ts';
import type { NameRule } from '../tensor-names.ts';
import { decoderArchitecture, decoderConfig, decoderLayout, decoderNames } from './architectures.ts';
import { linear } from './block.ts';
import {
  type DecoderFromPretrainedOptions,
  type DecoderInputs,
  DecoderModel,
  quantizer,
  readDecoder,
  tiedNames,
} from './decoder.ts';
import type { DecoderConfig, DecoderConfigInput, DecoderHeadName } from './fields.ts';

/**
 * A decoder with a linear layer in place of the head that predicts tokens.
 * @example
 * const sizes = { vocab_size: 10, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
 * new DecoderForTokenClassification({ model_type: 'llama', num_labels: 3, ...sizes }).model.config.hidden_size // 8
 */
export abstract class DecoderClassifier<T extends keyof Tasks = 'labels'> extends TaskModel<Tensor | DecoderInputs, T> {
  /** The configuration of the model. */
  readonly config: DecoderConfig;
  readonly #head: DecoderHeadName;
  /** The model without the head. */
  model: DecoderModel;
  /** @throws {MODEL_CONFIG_INVALID} where the architecture has no such head */
  constructor(config: DecoderConfigInput, head: DecoderHeadName) {
    super();
    const own = decoderConfig(config);
    const fail = configError('the configuration');
    const { heads, className } = decoderArchitecture(own.model_type, 'the configuration');
    if (!heads.includes(head)) {
      const has = heads.length === 0 ? 'it has none' : `it has ${heads.join(', ')}`;
      throw fail('model_type', `${own.model_type} (${className}) has no head ${head} in transformers; ${has}`);
    }
    this.config = head === 'ForQuestionAnswering' ? own : { ...own, ...labelsOf(own, fail) };
    this.#head = head;
    this.model = new DecoderModel(this.config);
  }
  /** @internal The layer of the head. */
  protected head(outputs: number, bias: boolean): Linear {
    const layout = decoderLayout(this.config);
    return linear(layout, layout.embeddingWidth, outputs, bias);
  }
  /** @internal The names in files that differ from the model's. */
  get tensorNames(): readonly NameRule[] {
    return classifierNames(this.config, this.#head);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    const { className } = decoderArchitecture(this.config.model_type, directory);
    // Hugging Face derives num_labels from id2label and does not write it.
    const { num_labels: _, ...fields } = this.config as Record<string, unknown>;
    await saveWeights(this, directory, this.tensorNames);
    await writeConfigObject(
      join(directory, 'config.json'),
      className.replace(/ForCausalLM|LMHeadModel/, this.#head),
      fields,
    );
  }
}

function classifierNames(config: DecoderConfig, head: DecoderHeadName): readonly NameRule[] {
  const { tokenClassifier, answersPrefix } = decoderArchitecture(config.model_type, 'the configuration');
  const own: NameRule[] = [];
  if (head === 'ForTokenClassification' && tokenClassifier !== undefined)
    own.push({ file: tokenClassifier, model: 'score' });
  // In transformers, the decoder of some classes that find answers is in another field than that of other classes.
  if (head === 'ForQuestionAnswering' && answersPrefix !== undefined)
    own.push({ file: [answersPrefix, 'model'], model: 'model' });
  return [...decoderNames(config), ...own];
}

async function load<M extends DecoderClassifier | DecoderClassifier<'answers'>>(
  make: (config: DecoderConfig) => M,
  directory: string,
  options: DecoderFromPretrainedOptions,
): Promise<M> {
  const { config: own, quantize, rest } = await readDecoder(directory, options);
  const config = decoderConfig(withLabels(own, options.config ?? {}), join(directory, 'config.json'));
  const model = init.skipInit(() => make(config));
  const { basePrefix = 'model.' } = decoderArchitecture(config.model_type, directory);
  const names = {
    basePrefix,
    rules: [...tiedNames(config, 'model.embed_tokens.weight'), ...model.tensorNames],
    mayMiss: (name: string) => !name.startsWith('model.'),
    onModule: quantizer(model, quantize),
  };
  const initialize = (missing: readonly string[]) => initializeMissing(model, missing, config.initializer_range);
  await loadDirectory(model, directory, names, rest, initialize);
  return model;
}

/**
 * A decoder that classifies sequences by their last token, such as a reranker or a reward model: logits [B, num_labels].
 * @example
 * const sizes = { vocab_size: 10, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
 * const model = new DecoderForSequenceClassification({ model_type: 'qwen3', num_key_value_heads: 1, num_labels: 1, ...sizes });
 * model(randint(0, 10, [2, 5])).shape // [2, 1]
 */
export class DecoderForSequenceClassification extends DecoderClassifier {
  /** Computes the logits of the classes. */
  score: Linear;
  constructor(config: DecoderConfigInput) {
    super(config, 'ForSequenceClassification');
    this.score = this.head(this.config.num_labels!, false);
  }
  /**
   * @internal At the last token of each row that is not padding. Padding is the token `pad_token_id` of the configuration;
   * without one, the attention mask says it.
   */
  protected override logitsOf(inputs: Tensor | DecoderInputs): Tensor {
    const given: DecoderInputs = 'inputIds' in inputs ? inputs : { inputIds: inputs };
    return this.score.forward(lastTokens(this.model.forward(given), given, this.config.pad_token_id));
  }
  /** @internal */
  protected override lossOf(logits: Tensor, labels: Tensor): Tensor {
    return classifierLoss(logits, labels, this.config);
  }
  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it. A head that the
   * directory lacks is initialized randomly, with a warning.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {MODEL_ARCHITECTURE_UNKNOWN}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {WEIGHTS_MISSING} (a tensor of the decoder is missing)
   * @throws {FILE_UNREADABLE}
   */
  static fromPretrained(
    directory: string,
    options: DecoderFromPretrainedOptions = {},
  ): Promise<DecoderForSequenceClassification> {
    return load(config => new DecoderForSequenceClassification(config), directory, options);
  }
}

/**
 * A decoder that classifies tokens: logits [B, T, num_labels].
 * @example
 * const sizes = { vocab_size: 10, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
 * const model = new DecoderForTokenClassification({ model_type: 'llama', num_labels: 3, ...sizes });
 * model(randint(0, 10, [2, 5])).shape // [2, 5, 3]
 */
export class DecoderForTokenClassification extends DecoderClassifier {
  /** Applied before the classifier in training. */
  dropout: Dropout;
  /** Computes the logits of the classes. */
  score: Linear;
  constructor(config: DecoderConfigInput) {
    super(config, 'ForTokenClassification');
    this.dropout = new Dropout(this.config.classifier_dropout ?? this.config.hidden_dropout ?? 0.1);
    this.score = this.head(this.config.num_labels!, true);
  }
  /** @internal */
  protected override logitsOf(inputs: Tensor | DecoderInputs): Tensor {
    return this.score.forward(this.dropout.forward(this.model.forward(inputs)));
  }
  /** Like `DecoderForSequenceClassification.fromPretrained`. */
  static fromPretrained(
    directory: string,
    options: DecoderFromPretrainedOptions = {},
  ): Promise<DecoderForTokenClassification> {
    return load(config => new DecoderForTokenClassification(config), directory, options);
  }
}

/**
 * A decoder that finds answers: scores of the first and the last token of the answer.
 * @example
 * const sizes = { vocab_size: 10, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
 * const model = new DecoderForQuestionAnswering({ model_type: 'llama', ...sizes });
 * model(randint(0, 10, [2, 5])).startLogits.shape // [2, 5]
 */
export class DecoderForQuestionAnswering extends DecoderClassifier<'answers'> {
  /** Computes the scores. */
  qa_outputs: Linear;
  constructor(config: DecoderConfigInput) {
    super(config, 'ForQuestionAnswering');
    this.qa_outputs = this.head(2, true);
  }
  /** @internal */
  protected override logitsOf(inputs: Tensor | DecoderInputs): Tensor {
    return this.qa_outputs.forward(this.model.forward(inputs)); // [B, T, 2]
  }
  /** @internal */
  protected override outputsOf(logits: Tensor, targets: AnyTargets): object {
    return answersOf(logits, targets);
  }
  /** Like `DecoderForSequenceClassification.fromPretrained`. */
  static fromPretrained(
    directory: string,
    options: DecoderFromPretrainedOptions = {},
  ): Promise<DecoderForQuestionAnswering> {
    return load(config => new DecoderForQuestionAnswering(config), directory, options);
  }
}
