// POST /v1/chat/completions.
import { chatLogprobs, promptLogprobs } from './answers.ts';
import { type Answer, type Asked, type Form, namesOf, run } from './completion-job.ts';
import type { LanguageModel } from './language-model.ts';
import type { ChatRequest } from './members.ts';
import { OpenAiError } from './openai-error.ts';
import { chatIds } from './prompts.ts';
import { promptLogprobsOf, samplingOf } from './sampling-request.ts';

export function chatCompletion(model: LanguageModel, request: ChatRequest, asked: Asked): Answer | Promise<Answer> {
  const { logprobs, top_logprobs: top } = request;
  if (top != null && logprobs !== true)
    throw new OpenAiError(400, 'top_logprobs: only allowed with logprobs: true', {
      param: 'top_logprobs',
      code: 'invalid_value',
    });
  const { positions } = model.engine;
  const prompt = chatIds(model.tokenizer, request, positions);
  const maxTokens = request.max_completion_tokens ?? request.max_tokens ?? Math.max(1, positions - prompt.length);
  const sampling = samplingOf(request, model, {
    maxTokens,
    logprobs: logprobs === true ? (top ?? 0) : undefined,
    promptLogprobs: promptLogprobsOf(request),
  });
  const names = namesOf(model, request);
  const withIds = request.return_token_ids === true;
  const form: Form = {
    prefix: 'chatcmpl',
    object: 'chat.completion',
    chunkObject: 'chat.completion.chunk',
    promptMember: 'messages',
    choice: ({ index, tokens, text, finish, stopReason }) => ({
      index,
      message: { role: 'assistant', content: text, refusal: null },
      logprobs: logprobs === true ? { ...chatLogprobs(tokens, names), refusal: null } : null,
      finish_reason: finish,
      stop_reason: stopReason ?? null,
      ...(withIds ? { token_ids: tokens.map(({ id }) => id) } : {}),
    }),
    ...(request.prompt_logprobs == null
      ? {}
      : { more: ([one]) => ({ prompt_logprobs: promptLogprobs(one!.promptLogprobs, names) }) }),
    start: choices =>
      Array.from({ length: choices }, (_, index) => ({
        index,
        delta: { role: 'assistant', content: '' },
        logprobs: null,
        finish_reason: null,
        ...(withIds && index === 0 ? { prompt_token_ids: prompt } : {}),
      })),
    delta: ({ choice: index, tokens, text, finish, stopReason }) => {
      if (text === '' && finish === undefined && logprobs !== true && !withIds) return undefined;
      return {
        index,
        delta: text === '' ? {} : { content: text },
        logprobs: logprobs === true ? { ...chatLogprobs(tokens, names), refusal: null } : null,
        finish_reason: finish ?? null,
        ...(finish === undefined ? {} : { stop_reason: stopReason ?? null }),
        ...(withIds ? { token_ids: tokens.map(({ id }) => id) } : {}),
      };
    },
  };
  return run({ model, request, prompts: [prompt], sampling }, form, asked);
}
