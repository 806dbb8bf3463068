// Rows of fine-tuning data as tokens and labels: conversations, prompts with completions, instructions, plain text. By default
// only answers are trained on: the labels of all other tokens are -100. Rows and masks match TRL's SFTTrainer.
//
//   tokens   <user> Hi <end> <assistant> Hello ! <end>
//   labels   -100 …                -100   Hello ! <end>
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { type Tensor, tensor } from '../../tensor/index.ts';
import { readJsonLines } from '../files/json-lines.ts';
import type { ChatMessage } from '../tokenizers/chat-template.ts';
import type { PretrainedTokenizer } from '../tokenizers/pretrained-tokenizer.ts';

/** The label of tokens that are not trained on. */
export const ignoredLabel = -100;

const message = z.looseObject({ role: z.string(), content: z.unknown().optional() });
const messages = z.array(message).min(1).readonly();
const tools = z.array(z.unknown()).readonly().nullish();
const conversation = z.looseObject({ messages, tools });
const completion = z.looseObject({
  prompt: z.union([z.string(), messages]),
  completion: z.union([z.string(), messages]),
  tools,
});
const instruction = z.looseObject({ instruction: z.string(), input: z.string().nullish(), output: z.string() });
const text = z.looseObject({ text: z.string() });

/** One row of fine-tuning data. */
export type TrainingRow =
  | {
      /** A conversation. */
      readonly messages: readonly ChatMessage[];
      /** Descriptions of the functions that the model may call. */
      readonly tools?: readonly unknown[] | null;
    }
  | {
      /** The beginning, which is not trained on. */
      readonly prompt: string | readonly ChatMessage[];
      /** The continuation, which is trained on; of the same kind as the prompt. */
      readonly completion: string | readonly ChatMessage[];
      /** Descriptions of the functions that the model may call. */
      readonly tools?: readonly unknown[] | null;
    }
  | {
      /** A task. */
      readonly instruction: string;
      /** The input of the task. */
      readonly input?: string | null;
      /** The answer, which is trained on. */
      readonly output: string;
    }
  | {
      /** A text, all of which is trained on. */
      readonly text: string;
    };

/** A row as tokens. */
export interface TrainingExample {
  /** The token ids. */
  readonly inputIds: readonly number[];
  /** The token ids to train on, and -100 for others. */
  readonly labels: readonly number[];
}

/** Options of `tokenizeExample`. */
export interface TokenizeExampleOptions {
  /** `answers`: completions and messages of the assistant; `all`: every token. Default `answers`. */
  readonly learn?: 'answers' | 'all';
  /** Longer examples are cut off at the end. Default: no limit. */
  readonly maxLength?: number;
}

/**
 * The rows of a JSON Lines file, checked.
 * @throws {FILE_UNREADABLE}
 * @throws {JSONL_INVALID}
 * @throws {TRAINING_ROW_INVALID} with the number of the row
 * @example
 * ```ts no-run
 * const tokenizer = await AutoTokenizer.fromPretrained('./Qwen3-0.6B');
 * for await (const row of readTrainingRows('chats.jsonl')) console.log(tokenizeExample(tokenizer, row));
 * ```
 */
export async function* readTrainingRows(file: string): AsyncGenerator<TrainingRow> {
  let row = 0;
  for await (const value of readJsonLines(file)) yield checkRow(value, file, ++row);
}

function checkRow(value: unknown, file: string, row: number): TrainingRow {
  const fields = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const schema = fields.includes('messages')
    ? conversation
    : fields.includes('prompt')
      ? completion
      : fields.includes('instruction')
        ? instruction
        : fields.includes('text')
          ? text
          : undefined;
  const fail = (problem: string): TrenioError => new TrenioError('TRAINING_ROW_INVALID', { file, row, problem });
  if (schema === undefined) throw fail(`it has the fields [${fields.join(', ')}]`);
  const result = schema.safeParse(value);
  if (result.success) return result.data as unknown as TrainingRow;
  const issue = result.error.issues[0]!;
  throw fail(`${issue.path.join('.')}: ${issue.message}`);
}

/**
 * The tokens and labels of a row. Messages are formatted with the tokenizer's chat template.
 * @throws {INVALID_OPTION}
 * @throws {NO_SUCH_OPTION}
 * @throws {CHAT_TEMPLATE_FAILED}
 * @throws {TRAINING_ROW_INVALID} if the answers cannot be located in the formatted conversation
 * @example
 * ```ts no-run
 * const tokenizer = await AutoTokenizer.fromPretrained('./Qwen3-0.6B');
 * const row = { prompt: 'The capital of France is', completion: ' Paris.' };
 * const { inputIds, labels } = tokenizeExample(tokenizer, row, { maxLength: 512 });
 * ```
 */
export function tokenizeExample(
  tokenizer: PretrainedTokenizer,
  row: TrainingRow,
  options: TokenizeExampleOptions = {},
): TrainingExample {
  refuseUnknownOptions('tokenizeExample', options, ['learn', 'maxLength']);
  const { learn = 'answers', maxLength = Number.POSITIVE_INFINITY } = options;
  if (learn !== 'answers' && learn !== 'all') throw invalid('learn', learn, 'answers or all');
  if (!(maxLength >= 1)) throw invalid('maxLength', maxLength, 'an integer, 1 or more');
  const { ids, answers } = tokensOf(tokenizer, checkRow(row, 'the example', 1));
  const isLearned = (i: number): boolean => learn === 'all' || answers.some(([from, to]) => i >= from && i < to);
  return {
    inputIds: ids.slice(0, maxLength),
    labels: ids.map((id, i) => (isLearned(i) ? id : ignoredLabel)).slice(0, maxLength),
  };
}

interface Located {
  readonly ids: readonly number[];
  /** The ranges of tokens that are answers. */
  readonly answers: readonly (readonly [from: number, to: number])[];
}

function tokensOf(tokenizer: PretrainedTokenizer, row: TrainingRow): Located {
  if ('messages' in row) return chatTokens(tokenizer, row.messages, row.tools, row.messages.length);
  if ('instruction' in row) {
    const content = row.input ? `${row.instruction}\n\n${row.input}` : row.instruction;
    const chat = [
      { role: 'user', content },
      { role: 'assistant', content: row.output },
    ];
    return chatTokens(tokenizer, chat, undefined, 1);
  }
  if ('text' in row) {
    const ids = tokenizer.encode(withEnd(tokenizer, row.text));
    return { ids, answers: [[0, ids.length]] };
  }
  const { prompt, completion: answer } = row;
  if (typeof prompt === 'string' && typeof answer === 'string') {
    const ids = tokenizer.encode(prompt + withEnd(tokenizer, answer));
    return { ids, answers: [[tokenizer.encode(prompt).length, ids.length]] };
  }
  if (typeof prompt === 'string' || typeof answer === 'string')
    throw rowError('prompt and completion must both be texts or both be messages');
  return chatTokens(tokenizer, [...prompt, ...answer], row.tools, prompt.length);
}

const withEnd = ({ specialTokens: { eos_token: end = '' } }: PretrainedTokenizer, of: string): string =>
  of.endsWith(end) ? of : of + end;

/** The answers are the messages of the assistant; with `prompt` below the number of messages, all from there on. */
function chatTokens(
  tokenizer: PretrainedTokenizer,
  chat: readonly ChatMessage[],
  available: readonly unknown[] | null | undefined,
  prompt: number,
): Located {
  const tokens = (count: number, addGenerationPrompt: boolean): readonly number[] =>
    tokenizer.applyChatTemplate(chat.slice(0, count), { addGenerationPrompt, tools: available ?? undefined })
      .inputIds[0]!;
  const ids = tokens(chat.length, false);
  const position = (before: readonly number[], i: number): number => {
    if (before.every((id, at) => id === ids[at])) return before.length;
    throw rowError(`the chat template formats messages[${i}] differently when other messages follow it`);
  };
  if (prompt < chat.length) return { ids, answers: [[position(tokens(prompt, true), prompt), ids.length]] };
  const answers = chat.flatMap(({ role }, i): [number, number][] =>
    role === 'assistant' ? [[position(tokens(i, true), i), position(tokens(i + 1, false), i)]] : [],
  );
  return { ids, answers };
}

const rowError = (problem: string): TrenioError =>
  new TrenioError('TRAINING_ROW_INVALID', { file: 'the example', row: 1, problem });
const invalid = (option: string, got: unknown, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what: 'tokenizeExample', option, got: String(got), expected });

/** A batch of examples, padded on the right. */
export interface TrainingBatch {
  /** The token ids, int32 [B, T]. */
  readonly inputIds: Tensor;
  /** 1 for tokens, 0 for padding, int32 [B, T]. */
  readonly attentionMask: Tensor;
  /** -100 for tokens that are not trained on and for padding, int32 [B, T]. */
  readonly labels: Tensor;
}

/**
 * Pads examples to the length of the longest one, or to a multiple of `multipleOf`.
 * @example
 * const examples = [{ inputIds: [5, 6, 7], labels: [-100, 6, 7] }, { inputIds: [8], labels: [8] }];
 * padExamples(examples, { padTokenId: 0 }).labels // [[-100, 6, 7], [8, -100, -100]]
 */
export function padExamples(
  examples: readonly TrainingExample[],
  { padTokenId, multipleOf = 1 }: { readonly padTokenId: number; readonly multipleOf?: number },
): TrainingBatch {
  const longest = examples.reduce((most, { inputIds }) => Math.max(most, inputIds.length), 0);
  const width = Math.ceil(longest / multipleOf) * multipleOf;
  const upload = (rowOf: (one: TrainingExample) => readonly number[], fill: number): Tensor => {
    const data = new Int32Array(examples.length * width).fill(fill);
    for (const [i, one] of examples.entries()) data.set(rowOf(one), i * width);
    return tensor(data, { shape: [examples.length, width] });
  };
  return {
    inputIds: upload(({ inputIds }) => inputIds, padTokenId),
    attentionMask: upload(({ inputIds }) => inputIds.map(() => 1), 0),
    labels: upload(({ labels }) => labels, ignoredLabel),
  };
}
