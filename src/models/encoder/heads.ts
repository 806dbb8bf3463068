// The heads of text encoders: masked tokens, classes of sequences and of tokens, answers, and choices, with Hugging Face's files.
// B batch, S sequence, H width, V vocabulary, C choices.
import { TrenioError } from '../../base/errors.ts';
import { Dropout, functional as F, type LayerNorm, type Linear, Module, Parameter } from '../../nn/index.ts';
import { arange, type Tensor, userLocation, zeros } from '../../tensor/index.ts';
import type { HiddenActivation } from '../activation-names.ts';
import { activationOf } from '../activations.ts';
import { normalLinear } from '../layers.ts';
import { type AnyTargets, answersOf, classifierLoss, TaskModel, type Tasks } from '../task-model.ts';
import type { NameRule } from '../tensor-names.ts';
import { type EncoderHeadName, encoderArchitecture } from './architectures.ts';
import { layerNorm } from './block.ts';
import { type EncoderInputs, EncoderModel, type EncoderOutputs, encoderInputs } from './encoder.ts';
import { encoderConfig, encoderHeads, encoderLayout } from './encoder-config.ts';
import type { EncoderConfig, EncoderConfigInput } from './fields.ts';
import {
  type EncoderFromPretrainedOptions,
  encoderNames,
  loadEncoder,
  saveEncoder,
  saveEncoderConfig,
} from './files.ts';
import type { HeadLayout } from './layout.ts';

/** A linear layer, an activation and an optional norm. */
class Transform extends Module {
  dense: Linear;
  norm: LayerNorm | undefined;
  readonly #activation: (x: Tensor) => Tensor;
  constructor(
    config: EncoderConfig,
    width: number,
    options: { readonly bias: boolean; readonly activation: HiddenActivation; readonly norm: boolean },
  ) {
    super();
    this.dense = normalLinear(config.initializer_range, config.hidden_size, width, options.bias);
    this.norm = options.norm ? layerNorm(encoderLayout(config), width) : undefined;
    this.#activation = activationOf(options.activation);
  }
  override forward(x: Tensor): Tensor {
    const active = this.#activation(this.dense.forward(x));
    return this.norm === undefined ? active : this.norm.forward(active);
  }
}

/**
 * A model with a head: the encoder is in the field that its architecture names, such as `bert`.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * new EncoderForMaskedLM({ model_type: 'roberta', ...sizes }).baseModel.config.hidden_size // 8
 */
export abstract class EncoderWithHead<T extends keyof Tasks = 'labels'> extends TaskModel<Tensor | EncoderInputs, T> {
  /** The configuration of the model. */
  readonly config: EncoderConfig;
  readonly #prefix: string;
  readonly #head: EncoderHeadName;
  constructor(config: EncoderConfigInput, head: EncoderHeadName, makeEncoder: (config: EncoderConfig) => EncoderModel) {
    super();
    this.config = encoderConfig(config);
    this.#head = head;
    this.#prefix = encoderArchitecture(this.config.model_type, 'the configuration').prefix;
    this.addModule(this.#prefix, makeEncoder(this.config));
  }
  /** The encoder. */
  get baseModel(): EncoderModel {
    return (this as unknown as Readonly<Record<string, EncoderModel>>)[this.#prefix]!;
  }
  /** @internal The names in files that differ from the model's. */
  get tensorNames(): readonly NameRule[] {
    return encoderNames(this.config, this.#head);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    await saveEncoder(this, this.config, this.#head, directory);
  }
  /** Writes config.json into a directory. */
  async saveConfig(directory: string): Promise<void> {
    await saveEncoderConfig(this.config, this.#head, directory);
  }
}

/**
 * A text encoder with the head that predicts masked tokens.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * const model = new EncoderForMaskedLM({ model_type: 'roberta', ...sizes });
 * model(randint(2, 10, [2, 5])).shape // [2, 5, 10]
 */
export class EncoderForMaskedLM extends EncoderWithHead {
  /** Before the product with the token embeddings. */
  transform: Module;
  /** Added to the logits of each token. */
  tokenBias: Parameter | undefined;
  /** The weights of the tokens, where they are not the token embeddings. */
  tokens: Linear | undefined;
  readonly #transform: Transform;
  constructor(config: EncoderConfigInput) {
    super(config, 'ForMaskedLM', own => new EncoderModel(own, { pooler: false }));
    const { width, transformBias, activation, bias, tied } = encoderHeads(this.config).maskedTokens;
    const { vocab_size, initializer_range } = this.config;
    this.#transform = new Transform(this.config, width, { bias: transformBias, activation, norm: true });
    this.transform = this.#transform;
    this.tokenBias = bias ? new Parameter(zeros(vocab_size), { fresh: true }) : undefined;
    this.tokens = tied ? undefined : normalLinear(initializer_range, width, vocab_size, false);
  }
  /** @internal */
  protected override logitsOf(inputs: Tensor | EncoderInputs): Tensor {
    const { lastHiddenState } = this.baseModel.forward(inputs);
    const { weight } = this.tokens ?? this.baseModel.embeddings.word_embeddings;
    return F.linear(this.#transform.forward(lastHiddenState), weight, this.tokenBias);
  }
  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it. A head that the
   * directory lacks is initialized randomly, with a warning.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {MODEL_ARCHITECTURE_UNKNOWN}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {WEIGHTS_MISSING} (a tensor of the encoder is missing)
   * @throws {FILE_UNREADABLE}
   */
  static fromPretrained(directory: string, options: EncoderFromPretrainedOptions = {}): Promise<EncoderForMaskedLM> {
    return loadEncoder(config => new EncoderForMaskedLM(config), 'ForMaskedLM', directory, options);
  }
}

/**
 * A model that ends in a linear classifier of sequences or tokens.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * new EncoderForTokenClassification({ model_type: 'roberta', num_labels: 3, ...sizes }).classifier.weight.shape // [3, 8]
 */
export abstract class EncoderClassifier<T extends keyof Tasks = 'labels'> extends EncoderWithHead<T> {
  readonly #layout: HeadLayout;
  readonly #transform: Transform | undefined;
  /** Applied before the transform in training. */
  inputDropout: Dropout | undefined;
  /** Before the classifier, in some architectures: a linear layer, an activation and an optional norm. */
  transform: Module | undefined;
  /** Applied before the classifier in training. */
  dropout: Dropout;
  /** Computes the logits of the classes. */
  classifier: Linear;
  constructor(
    config: EncoderConfigInput,
    head: EncoderHeadName,
    part: 'sequence' | 'tokens' | 'answers' | 'choices',
    makeEncoder = (own: EncoderConfig) => new EncoderModel(own, { pooler: encoderHeads(own)[part].pool === 'pooler' }),
  ) {
    super(config, head, makeEncoder);
    const layout = encoderHeads(this.config)[part];
    this.#layout = layout;
    const { hidden_size: width, initializer_range: std, num_labels: labels } = this.config;
    this.inputDropout = layout.inputDropout > 0 ? new Dropout(layout.inputDropout) : undefined;
    this.#transform = layout.transform && new Transform(this.config, width, layout.transform);
    this.transform = this.#transform;
    this.dropout = new Dropout(layout.dropout);
    this.classifier = normalLinear(std, width, part === 'choices' ? 1 : part === 'answers' ? 2 : labels);
  }
  /** @internal Logits [B, classes], or [B, S, classes] for tokens. */
  protected override logitsOf(inputs: Tensor | EncoderInputs): Tensor {
    const outputs = this.baseModel.forward(inputs);
    const pooled = this.#pooled(outputs, encoderInputs(inputs).attentionMask);
    const dropped = this.inputDropout === undefined ? pooled : this.inputDropout.forward(pooled);
    const transformed = this.#transform === undefined ? dropped : this.#transform.forward(dropped);
    return this.classifier.forward(this.dropout.forward(transformed));
  }
  #pooled({ lastHiddenState: x, poolerOutput }: EncoderOutputs, mask: Tensor | undefined): Tensor {
    const [batch, length, width] = x.shape as readonly [number, number, number];
    switch (this.#layout.pool) {
      case 'pooler':
        return poolerOutput!;
      case 'each':
        return x;
      case 'first':
        return x.select(1, 0);
      case 'first-token': {
        if (mask === undefined) return x.select(1, 0);
        const starts = arange(0, batch * length, length, { dtype: 'i32' });
        const rows = mask.argmax(1).to('i32').add(starts);
        return x.reshape(batch * length, width).indexSelect(0, rows);
      }
      case 'mean': {
        if (mask === undefined) return x.mean(1);
        const weights = mask.to(x.dtype).unsqueeze(-1); // [B, S, 1]
        return x.mul(weights).sum(1).div(weights.sum(1));
      }
    }
  }
}

/**
 * A text encoder that classifies sequences: logits [B, num_labels].
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * const model = new EncoderForSequenceClassification({ model_type: 'roberta', num_labels: 3, ...sizes });
 * model(randint(2, 10, [2, 5])).shape // [2, 3]
 */
export class EncoderForSequenceClassification extends EncoderClassifier {
  /** @param makeEncoder makes the encoder, for subclasses of `EncoderModel` */
  constructor(config: EncoderConfigInput, makeEncoder?: (config: EncoderConfig) => EncoderModel) {
    super(config, 'ForSequenceClassification', 'sequence', makeEncoder);
  }
  /** @internal */
  protected override lossOf(logits: Tensor, labels: Tensor): Tensor {
    return classifierLoss(logits, labels, this.config);
  }
  /** Like `EncoderForMaskedLM.fromPretrained`. */
  static fromPretrained(
    directory: string,
    options: EncoderFromPretrainedOptions = {},
  ): Promise<EncoderForSequenceClassification> {
    const make = (config: EncoderConfig) => new EncoderForSequenceClassification(config);
    return loadEncoder(make, 'ForSequenceClassification', directory, options);
  }
}

/**
 * A text encoder that classifies tokens: logits [B, S, num_labels].
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * const model = new EncoderForTokenClassification({ model_type: 'roberta', num_labels: 3, ...sizes });
 * model(randint(2, 10, [2, 5])).shape // [2, 5, 3]
 */
export class EncoderForTokenClassification extends EncoderClassifier {
  constructor(config: EncoderConfigInput) {
    super(config, 'ForTokenClassification', 'tokens');
  }
  /** Like `EncoderForMaskedLM.fromPretrained`. */
  static fromPretrained(
    directory: string,
    options: EncoderFromPretrainedOptions = {},
  ): Promise<EncoderForTokenClassification> {
    const make = (config: EncoderConfig) => new EncoderForTokenClassification(config);
    return loadEncoder(make, 'ForTokenClassification', directory, options);
  }
}

/**
 * A text encoder that finds answers: scores of the first and the last token of the answer.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * const model = new EncoderForQuestionAnswering({ model_type: 'roberta', ...sizes });
 * model(randint(2, 10, [2, 5])).startLogits.shape // [2, 5]
 */
export class EncoderForQuestionAnswering extends EncoderClassifier<'answers'> {
  constructor(config: EncoderConfigInput) {
    super(config, 'ForQuestionAnswering', 'answers');
  }
  /** @internal */
  protected override outputsOf(logits: Tensor, targets: AnyTargets): object {
    return answersOf(logits, targets);
  }
  /** Like `EncoderForMaskedLM.fromPretrained`. */
  static fromPretrained(
    directory: string,
    options: EncoderFromPretrainedOptions = {},
  ): Promise<EncoderForQuestionAnswering> {
    const make = (config: EncoderConfig) => new EncoderForQuestionAnswering(config);
    return loadEncoder(make, 'ForQuestionAnswering', directory, options);
  }
}

/**
 * A text encoder that scores choices: logits [B, C].
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * const model = new EncoderForMultipleChoice({ model_type: 'roberta', ...sizes });
 * model(randint(2, 10, [2, 4, 5])).shape // [2, 4]
 */
export class EncoderForMultipleChoice extends EncoderClassifier {
  constructor(config: EncoderConfigInput) {
    super(config, 'ForMultipleChoice', 'choices');
  }
  /** @internal From token ids [B, C, S], or inputs by name, all of that shape. */
  protected override logitsOf(inputs: Tensor | EncoderInputs): Tensor {
    const { inputIds, attentionMask, tokenTypeIds } = encoderInputs(inputs);
    if (inputIds.ndim !== 3) {
      const left = `[${inputIds.shape.join(', ')}]`;
      const detail = 'token ids have three dims, batch, choices and sequence';
      throw new TrenioError(
        'SHAPE_MISMATCH',
        { op: this.config.model_type, left, right: '[B, C, S]', detail },
        { location: userLocation() },
      );
    }
    const [batch, choices, length] = inputIds.shape as readonly [number, number, number];
    const flat = (x: Tensor): Tensor => x.reshape(-1, x.shape.at(-1) ?? length);
    const logits = super.logitsOf({
      inputIds: flat(inputIds),
      attentionMask: attentionMask && flat(attentionMask),
      tokenTypeIds: tokenTypeIds && flat(tokenTypeIds),
    });
    return logits.reshape(batch, choices);
  }
  /** Like `EncoderForMaskedLM.fromPretrained`. */
  static fromPretrained(
    directory: string,
    options: EncoderFromPretrainedOptions = {},
  ): Promise<EncoderForMultipleChoice> {
    const make = (config: EncoderConfig) => new EncoderForMultipleChoice(config);
    return loadEncoder(make, 'ForMultipleChoice', directory, options);
  }
}
