// POST /v1/completions: continues texts as they are, without a template. Several prompts have n choices each.
import { promptLogprobs, textLogprobs } from './answers.ts';
import { type Answer, type Asked, type Form, namesOf, run } from './completion-job.ts';
import type { LanguageModel } from './language-model.ts';
import type { CompletionRequest } from './members.ts';
import { OpenAiError } from './openai-error.ts';
import { decoderOf, textIds } from './prompts.ts';
import { promptLogprobsOf, samplingOf } from './sampling-request.ts';

const DEFAULT_MAX_TOKENS = 16;
const MOST_PROMPTS = 1024;

export function completion(model: LanguageModel, request: CompletionRequest, asked: Asked): Answer | Promise<Answer> {
  const { echo, best_of: bestOf, logprobs } = request;
  const kept = request.n ?? 1;
  const refuse = (param: string, message: string): never => {
    throw new OpenAiError(400, `${param}: ${message}`, { param, code: 'invalid_value' });
  };
  const n = Math.max(kept, bestOf ?? 0);
  if (bestOf != null && bestOf > 0 && bestOf < kept) refuse('best_of', 'expected at least n');
  if (n > kept && request.stream === true) refuse('best_of', 'not supported with stream');
  const echoesLogprobs = echo === true && logprobs != null;
  if (echoesLogprobs && request.stream === true) refuse('echo', 'not supported with logprobs and stream');
  const prompts = promptsOf(model, request);
  if (prompts.length === 0 || prompts.length > MOST_PROMPTS) refuse('prompt', `expected 1 to ${MOST_PROMPTS} prompts`);
  const maxTokens = request.max_tokens ?? DEFAULT_MAX_TOKENS;
  const sampling = samplingOf(request, model, {
    maxTokens,
    n,
    logprobs: logprobs ?? (n > kept ? 0 : undefined),
    promptLogprobs: promptLogprobsOf(request) ?? (echoesLogprobs ? logprobs : undefined),
  });
  const names = namesOf(model, request);
  const withIds = request.return_token_ids === true;
  const decode = decoderOf(model.tokenizer, request.skip_special_tokens ?? true);
  const echoes = echo === true ? prompts.map(decode) : [];
  const before = (index: number): string => echoes[Math.floor(index / kept)] ?? '';
  const lengths = new Map<number, number>();
  const form: Form = {
    prefix: 'cmpl',
    object: 'text_completion',
    chunkObject: 'text_completion',
    promptMember: 'prompt',
    choice: ({ index, tokens, text, finish, stopReason }, { promptLogprobs: prompt }) => ({
      index,
      text: before(index) + text,
      logprobs:
        logprobs == null
          ? null
          : echo === true
            ? textLogprobs([...prompt, ...tokens], names, 0, prompts[Math.floor(index / kept)]![0])
            : textLogprobs(tokens, names, 0),
      ...(request.prompt_logprobs == null ? {} : { prompt_logprobs: promptLogprobs(prompt, names) }),
      finish_reason: finish,
      stop_reason: stopReason ?? null,
      ...(withIds
        ? { token_ids: tokens.map(({ id }) => id), prompt_token_ids: prompts[Math.floor(index / kept)] }
        : {}),
    }),
    start: choices =>
      echo === true
        ? Array.from({ length: choices }, (_, index) => ({
            index,
            text: before(index),
            logprobs: null,
            finish_reason: null,
          }))
        : [],
    delta: ({ choice: index, tokens, text, finish, stopReason }) => {
      if (text === '' && finish === undefined && logprobs == null && !withIds) return undefined;
      const offset = lengths.get(index) ?? 0;
      lengths.set(index, offset + text.length);
      return {
        index,
        text,
        logprobs: logprobs == null ? null : textLogprobs(tokens, names, offset),
        finish_reason: finish ?? null,
        ...(finish === undefined ? {} : { stop_reason: stopReason ?? null }),
        ...(withIds ? { token_ids: tokens.map(({ id }) => id) } : {}),
      };
    },
  };
  return run({ model, request, prompts, sampling, kept }, form, asked);
}

function promptsOf({ tokenizer, engine }: LanguageModel, request: CompletionRequest): readonly (readonly number[])[] {
  const { prompt, add_special_tokens } = request;
  const encode = (text: string): readonly number[] =>
    textIds(tokenizer, text, add_special_tokens ?? true, engine.positions);
  if (typeof prompt === 'string') return [encode(prompt)];
  if (prompt.length > 0 && prompt.every(part => typeof part === 'number')) return [prompt];
  return (prompt as readonly (string | number[])[]).map(part => (typeof part === 'string' ? encode(part) : part));
}
