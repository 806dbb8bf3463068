// Texts and messages as ids of tokens, and ids as texts.
//
// Messages are formatted by the model's chat template, whose special tokens structure the conversation. Those in the messages
// themselves are text: they are cut into two pieces, which are tokenized separately.
import type { ChatMessage } from '../../data/tokenizers/chat-template.ts';
import type { PretrainedTokenizer } from '../../data/tokenizers/pretrained-tokenizer.ts';
import type { DecodeIds } from '../../serving/engine/text-stream.ts';
import type { ChatRequest } from './members.ts';
import { OpenAiError } from './openai-error.ts';

/** A character that no text has: Unicode reserves it for internal use. */
const CUT = '\uFDD0';
const MOST_DEPTH = 64;
/** Tokens of text have fewer characters on average; longer texts are refused before they are tokenized. */
const MOST_CHARACTERS_PER_TOKEN = 64;

type Templated = Pick<
  ChatRequest,
  'messages' | 'add_generation_prompt' | 'add_special_tokens' | 'chat_template_kwargs' | 'documents'
>;

/** @throws {OpenAiError} @throws {CHAT_TEMPLATE_FAILED} */
export function chatIds(tokenizer: PretrainedTokenizer, request: Templated, positions: number): readonly number[] {
  const { messages, add_generation_prompt, add_special_tokens, chat_template_kwargs, documents } = request;
  const isSpecial = (text: string): boolean => tokenizer.tokenToId(text) !== undefined;
  const { messages: own, ...variables } = cut(chat_template_kwargs ?? {}, isSpecial, 0) as Record<string, unknown>;
  if (own !== undefined) {
    const param = 'chat_template_kwargs.messages';
    throw new OpenAiError(400, `${param}: only allowed as messages`, { param, code: 'invalid_value' });
  }
  const text = tokenizer.applyChatTemplate(
    messages.map((message, i) => asText(message, i, isSpecial)),
    {
      addGenerationPrompt: add_generation_prompt ?? true,
      tokenize: false,
      documents: documents == null ? undefined : (cut(documents, isSpecial, 0) as readonly unknown[]),
      variables,
    },
  );
  checkText(text, 'messages', positions);
  const [first, ...rest] = text.split(CUT) as [string, ...string[]];
  const start = tokenizer.encode(first, { addSpecialTokens: add_special_tokens ?? false });
  return [...start, ...rest.flatMap(piece => tokenizer.encode(piece, { addSpecialTokens: false }))];
}

/** @throws {OpenAiError} */
export function textIds(
  tokenizer: PretrainedTokenizer,
  text: string,
  addSpecialTokens: boolean,
  positions: number,
  member = 'prompt',
): readonly number[] {
  checkText(text, member, positions);
  return tokenizer.encode(text, { addSpecialTokens });
}

/** Ids without a token, which models may have at the end of their vocabulary, have no text. */
export function decoderOf(tokenizer: PretrainedTokenizer, skipSpecialTokens: boolean): DecodeIds {
  return ids =>
    tokenizer.decode(
      ids.filter(id => tokenizer.idToToken(id) !== undefined),
      { skipSpecialTokens },
    );
}

function checkText(text: string, param: string, positions: number): void {
  if (!text.isWellFormed())
    throw new OpenAiError(400, `${param}: a text has half of a surrogate pair`, { param, code: 'invalid_value' });
  if (text.length <= positions * MOST_CHARACTERS_PER_TOKEN) return;
  const message = `the maximum context length is ${positions} tokens, but ${param} has ${text.length} characters`;
  throw new OpenAiError(400, message, { param, code: 'context_length_exceeded' });
}

/** A message whose parts are joined, and whose special tokens are cut. */
function asText(
  message: ChatRequest['messages'][number],
  at: number,
  isSpecial: (text: string) => boolean,
): ChatMessage {
  const { content, ...rest } = message;
  if (!Array.isArray(content)) return cut(message, isSpecial, 0) as ChatMessage;
  const other = content.findIndex(({ type, text }) => type !== 'text' || text === undefined);
  if (other >= 0) {
    const param = `messages[${at}].content[${other}]`;
    throw new OpenAiError(400, `${param}: only parts of type text are supported`, { param, code: 'invalid_value' });
  }
  return cut({ ...rest, content: content.map(({ text }) => text).join('') }, isSpecial, 0) as ChatMessage;
}

function cut(value: unknown, isSpecial: (text: string) => boolean, depth: number): unknown {
  if (depth > MOST_DEPTH)
    throw new OpenAiError(400, 'messages: nested too deeply', { param: 'messages', code: 'invalid_value' });
  if (typeof value === 'string')
    return value
      .replaceAll(CUT, '')
      .replaceAll(/<[^<>\s]{1,64}>|\[[^[\]\s]{1,64}\]/gu, token =>
        isSpecial(token) ? `${token[0]}${CUT}${token.slice(1)}` : token,
      );
  if (Array.isArray(value)) return value.map(item => cut(item, isSpecial, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === 'role' ? item : cut(item, isSpecial, depth + 1)]),
  );
}
