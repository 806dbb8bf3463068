// The classifiers of GPT-2: of sequences, of tokens and of answers, with Hugging Face's files. B batch, T time (tokens).
import { join } from 'node:path';
import { Dropout, init, type Linear } from '../nn/index.ts';
import type { Tensor } from '../tensor/index.ts';
import { configError, writeConfigObject } from './config-file.ts';
import { GPT2Model, type Gpt2FromPretrainedOptions, type Gpt2Inputs, gpt2TiedNames } from './gpt2.ts';
import { type Gpt2Config, type Gpt2ConfigInput, gpt2Config, readGpt2Config } from './gpt2-config.ts';
import { labelsOf, withLabels } from './labels.ts';
import { lastTokens } from './last-tokens.ts';
import { normalLinear } from './layers.ts';
import { initializeMissing, loadDirectory, saveWeights } from './pretrained.ts';
import { type AnyTargets, answersOf, classifierLoss, TaskModel, type Tasks } from './task-model.ts';

abstract class Gpt2Classifier<T extends keyof Tasks = 'labels'> extends TaskModel<Tensor | Gpt2Inputs, T> {
  /** The configuration of the model. */
  readonly config: Gpt2Config;
  /** The model without the head. */
  transformer: GPT2Model;
  constructor(config: Gpt2ConfigInput) {
    super();
    const own = gpt2Config(config);
    this.config = { ...own, ...labelsOf(own, configError('the GPT-2 configuration')) };
    this.transformer = new GPT2Model(this.config);
  }
  /** @internal The layer of the head. */
  protected head(outputs: number, bias: boolean): Linear {
    const { initializer_range: std, n_embd } = this.config;
    return normalLinear(std, n_embd, outputs, bias);
  }
  /** Writes config.json and model.safetensors into a directory, each of them atomically. */
  async savePretrained(directory: string): Promise<void> {
    const { num_labels: _, ...fields } = this.config as Record<string, unknown>;
    await saveWeights(this, directory);
    await writeConfigObject(join(directory, 'config.json'), this.constructor.name, fields);
  }
}

async function load<M extends Gpt2Classifier | Gpt2Classifier<'answers'>>(
  make: (config: Gpt2Config) => M,
  directory: string,
  { config: given = {}, ...options }: Gpt2FromPretrainedOptions,
): Promise<M> {
  const inFile = await readGpt2Config(join(directory, 'config.json'));
  const config = gpt2Config(withLabels({ ...inFile, ...given }, given) as Gpt2ConfigInput, directory);
  const model = init.skipInit(() => make(config));
  const names = {
    basePrefix: 'transformer.',
    rules: gpt2TiedNames(config, 'transformer.wte.weight'),
    mayMiss: (name: string) => !name.startsWith('transformer.'),
  };
  const initialize = (missing: readonly string[]) => initializeMissing(model, missing, config.initializer_range);
  await loadDirectory(model, directory, names, options, initialize);
  return model;
}

/**
 * GPT-2 that classifies sequences by their last token: logits [B, num_labels].
 * @example
 * const sizes = { n_embd: 8, n_layer: 1, n_head: 2, vocab_size: 10, n_positions: 16 };
 * new GPT2ForSequenceClassification({ ...sizes, num_labels: 3 })(randint(0, 10, [2, 5])).shape // [2, 3]
 */
export class GPT2ForSequenceClassification extends Gpt2Classifier {
  /** Computes the logits of the classes. */
  score: Linear;
  constructor(config: Gpt2ConfigInput = {}) {
    super(config);
    this.score = this.head(this.config.num_labels!, false);
  }
  /**
   * @internal At the last token of each row that is not padding. Padding is the token `pad_token_id` of the configuration;
   * without one, the attention mask says it.
   */
  protected override logitsOf(inputs: Tensor | Gpt2Inputs): Tensor {
    const given: Gpt2Inputs = 'inputIds' in inputs ? inputs : { inputIds: inputs };
    return this.score.forward(lastTokens(this.transformer.forward(given), given, this.config.pad_token_id));
  }
  /** @internal */
  protected override lossOf(logits: Tensor, labels: Tensor): Tensor {
    return classifierLoss(logits, labels, this.config);
  }
  /** Like `DecoderForSequenceClassification.fromPretrained`. */
  static fromPretrained(
    directory: string,
    options: Gpt2FromPretrainedOptions = {},
  ): Promise<GPT2ForSequenceClassification> {
    return load(config => new GPT2ForSequenceClassification(config), directory, options);
  }
}

/**
 * GPT-2 that classifies tokens: logits [B, T, num_labels].
 * @example
 * const sizes = { n_embd: 8, n_layer: 1, n_head: 2, vocab_size: 10, n_positions: 16 };
 * new GPT2ForTokenClassification({ ...sizes, num_labels: 3 })(randint(0, 10, [2, 5])).shape // [2, 5, 3]
 */
export class GPT2ForTokenClassification extends Gpt2Classifier {
  /** Applied before the classifier in training. */
  dropout: Dropout;
  /** Computes the logits of the classes. */
  classifier: Linear;
  constructor(config: Gpt2ConfigInput = {}) {
    super(config);
    this.dropout = new Dropout(this.config.classifier_dropout ?? 0.1);
    this.classifier = this.head(this.config.num_labels!, true);
  }
  /** @internal */
  protected override logitsOf(inputs: Tensor | Gpt2Inputs): Tensor {
    return this.classifier.forward(this.dropout.forward(this.transformer.forward(inputs)));
  }
  /** Like `DecoderForSequenceClassification.fromPretrained`. */
  static fromPretrained(
    directory: string,
    options: Gpt2FromPretrainedOptions = {},
  ): Promise<GPT2ForTokenClassification> {
    return load(config => new GPT2ForTokenClassification(config), directory, options);
  }
}

/**
 * GPT-2 that finds answers: scores of the first and the last token of the answer.
 * @example
 * const sizes = { n_embd: 8, n_layer: 1, n_head: 2, vocab_size: 10, n_positions: 16 };
 * new GPT2ForQuestionAnswering(sizes)(randint(0, 10, [2, 5])).startLogits.shape // [2, 5]
 */
export class GPT2ForQuestionAnswering extends Gpt2Classifier<'answers'> {
  /** Computes the scores. */
  qa_outputs: Linear;
  constructor(config: Gpt2ConfigInput = {}) {
    super(config);
    this.qa_outputs = this.head(2, true);
  }
  /** @internal */
  protected override logitsOf(inputs: Tensor | Gpt2Inputs): Tensor {
    return this.qa_outputs.forward(this.transformer.forward(inputs)); // [B, T, 2]
  }
  /** @internal */
  protected override outputsOf(logits: Tensor, targets: AnyTargets): object {
    return answersOf(logits, targets);
  }
  /** Like `DecoderForSequenceClassification.fromPretrained`. */
  static fromPretrained(directory: string, options: Gpt2FromPretrainedOptions = {}): Promise<GPT2ForQuestionAnswering> {
    return load(config => new GPT2ForQuestionAnswering(config), directory, options);
  }
}
