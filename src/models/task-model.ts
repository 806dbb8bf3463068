// A model with a head, called as in transformers: without targets it returns logits, with targets also the loss of its task. See
// docs/decisions/0017-outputs-of-models.md.

import { isInteger } from '../hlo/types.ts';
import { functional as F, Module } from '../nn/index.ts';
import { isTensor, type Tensor, wrongArgument } from '../tensor/index.ts';
import { configError } from './config-file.ts';

/** Scores: a tensor, which is also its own `logits`, the name that transformers gives it. */
export interface Logits extends Tensor {
  /** The tensor itself. */
  readonly logits: Tensor;
}

/** The outputs of a model that was given labels. */
export interface LossAndLogits {
  /** The mean loss of the labels. */
  readonly loss: Tensor;
  /** The scores. */
  readonly logits: Tensor;
}

/** The outputs of models that find answers. */
export interface AnswerLogits {
  /** The score of each token as the first of the answer, [B, S]. */
  readonly startLogits: Tensor;
  /** The score of each token as the last of the answer, [B, S]. */
  readonly endLogits: Tensor;
}

/** The tasks of heads: their targets, and the outputs without and with a loss. */
export interface Tasks {
  /** Classes, tokens or numbers. */
  readonly labels: {
    readonly targets: {
      /** Classes, tokens or numbers that the logits should predict; −100 does not count as a class or token. */
      readonly labels: Tensor;
    };
    readonly outputs: Logits;
    readonly withLoss: LossAndLogits;
  };
  /** Answers within a text. */
  readonly answers: {
    readonly targets: {
      /** The position of the answer's first token [B]; one outside of the text does not count. */
      readonly startPositions: Tensor;
      /** The position of the answer's last token [B]. */
      readonly endPositions: Tensor;
    };
    readonly outputs: AnswerLogits;
    readonly withLoss: AnswerLogits & Pick<LossAndLogits, 'loss'>;
  };
}
type Targets<T extends keyof Tasks> = Tasks[T]['targets'];
/** The targets that a call may have. */
export type AnyTargets = Partial<Targets<'labels'> & Targets<'answers'>>;
type Without<T extends keyof Tasks> = { readonly [K in keyof Targets<T>]?: undefined };

/**
 * A model with a head. `I`: its inputs.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
 * const model = new EncoderForSequenceClassification({ model_type: 'roberta', ...sizes });
 * const inputIds = randint(2, 10, [2, 5]);
 * model({ inputIds }).logits.shape // [2, 2]
 * model({ inputIds, labels: tensor([0, 1], { dtype: 'int64' }) }).loss.shape // []
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the calls of the interface are those of `forward`
export abstract class TaskModel<I extends object, T extends keyof Tasks = 'labels'> extends Module {
  /** Inputs by name, with targets → the loss and the logits. */
  override forward(inputs: Exclude<I, Tensor> & Targets<T>): Tasks[T]['withLoss'];
  /**
   * Inputs by name, or the first of them alone → the logits.
   * @throws {WRONG_ARGUMENT}
   * @throws {SHAPE_MISMATCH}
   * @throws {SEQUENCE_TOO_LONG}
   */
  override forward(inputs: I & Without<T>): Tasks[T]['outputs'];
  override forward(inputs: object): unknown {
    checkInputs(this.constructor.name, inputs);
    return this.outputsOf(this.logitsOf(inputs as I), 'shape' in inputs ? {} : inputs, inputs as I);
  }
  /** @internal The scores, without the loss. */
  protected abstract logitsOf(inputs: I): Tensor;
  /** @internal The mean loss of labels. */
  protected lossOf(logits: Tensor, labels: Tensor, _inputs: I): Tensor {
    return classLoss(logits, labels);
  }
  /** @internal What a call returns. */
  protected outputsOf(logits: Tensor, { labels }: AnyTargets, inputs: I): object {
    if (labels !== undefined) return { loss: this.lossOf(logits, labels, inputs), logits };
    return Object.defineProperty(logits, 'logits', { value: logits });
  }
}
/** A model with a head is called like its `forward`. */
export interface TaskModel<I extends object, T extends keyof Tasks> {
  /** With targets. */
  (inputs: Exclude<I, Tensor> & Targets<T>): Tasks[T]['withLoss'];
  /** Without targets. */
  (inputs: I & Without<T>): Tasks[T]['outputs'];
}

/** One of these is the input; others go with it. */
const mainInputs = ['inputIds', 'decoderInputIds', 'pixelValues', 'inputValues', 'inputFeatures'];

/** @throws {WRONG_ARGUMENT} */
function checkInputs(call: string, inputs: object): void {
  if (isTensor(inputs)) return;
  const names = Object.keys(inputs ?? {});
  const snake = names.find(name => /_[a-z]/.test(name));
  if (snake !== undefined) {
    const name = snake.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    throw wrongArgument({ call, argument: `the name ${snake}` }, snake, name, `write ${name}`);
  }
  if (!names.some(name => mainInputs.includes(name)))
    throw wrongArgument({ call, argument: 'the inputs' }, inputs, `a tensor, or one by name: ${mainInputs.join(', ')}`);
  for (const name of ['labels', 'startPositions', 'endPositions', ...mainInputs]) {
    const value = (inputs as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined && !isTensor(value)) throw wrongArgument({ call, argument: name }, value, 'a tensor');
  }
}

/** The mean cross entropy of logits [..., classes] and labels [...], in f32; −100 does not count. */
const classLoss = (logits: Tensor, labels: Tensor): Tensor =>
  F.crossEntropy(logits.to('f32').reshape(-1, logits.shape.at(-1)!), labels.reshape(-1));

/**
 * The loss of a classifier of whole inputs, as in transformers, by `problem_type`: regression, by default with one label; one
 * class of each input, by default with integer labels; or any number of classes.
 * @throws {MODEL_CONFIG_INVALID}
 */
export function classifierLoss(logits: Tensor, labels: Tensor, config: object): Tensor {
  const { problem_type: given } = config as { readonly problem_type?: unknown };
  const classes = logits.shape.at(-1)!;
  const isMulti = labels.ndim > 1 && !isInteger(labels.type.elementType);
  const usual = classes === 1 ? 'regression' : isMulti ? 'multi_label_classification' : 'single_label_classification';
  const type = given ?? usual;
  switch (type) {
    case 'regression':
      return F.mseLoss(logits.flatten(), like(labels, logits).flatten());
    case 'single_label_classification':
      return classLoss(logits, labels);
    case 'multi_label_classification':
      return F.binaryCrossEntropyWithLogits(logits, like(labels, logits));
  }
  throw configError('the configuration')('problem_type', `${JSON.stringify(type)} is not one of those of transformers`);
}
const like = (labels: Tensor, { dtype }: Tensor): Tensor => labels.to(dtype);

/** The outputs of a model that finds answers, from logits [B, S, 2]. */
export function answersOf(logits: Tensor, targets: AnyTargets): AnswerLogits {
  const answers = { startLogits: logits.select(2, 0), endLogits: logits.select(2, 1) };
  const { startPositions, endPositions } = targets;
  if (startPositions === undefined || endPositions === undefined) return answers;
  const length = logits.shape[1]!;
  const lossOf = (scores: Tensor, positions: Tensor): Tensor =>
    F.crossEntropy(scores, positions.reshape(-1).clamp(0, length), { ignoreIndex: length });
  const loss = lossOf(answers.startLogits, startPositions).add(lossOf(answers.endLogits, endPositions)).div(2);
  return { loss, ...answers } as Tasks['answers']['withLoss'];
}

/** Images by name. */
export interface ImageInputs {
  /** Images [N, channels, height, width], normalized. */
  readonly pixelValues: Tensor;
}
export const imagesOf = (inputs: Tensor | ImageInputs): Tensor => ('shape' in inputs ? inputs : inputs.pixelValues);
