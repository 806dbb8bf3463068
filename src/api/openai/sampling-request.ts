// The sampling parameters of a request, from its members and the defaults of the model.
import { randomBytes } from 'node:crypto';
import { type SamplingParameters, samplingParameters } from '../../serving/engine/sampling-parameters.ts';
import type { LanguageModel } from './language-model.ts';
import type { ChatRequest, CompletionRequest } from './members.ts';
import { OpenAiError } from './openai-error.ts';

/** The member of each parameter. */
export const memberOf: Readonly<Record<string, string>> = {
  topK: 'top_k',
  topP: 'top_p',
  minP: 'min_p',
  typicalP: 'typical_p',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  repetitionPenalty: 'repetition_penalty',
  maxTokens: 'max_tokens',
  promptLogprobs: 'prompt_logprobs',
  minTokens: 'min_tokens',
  logitBias: 'logit_bias',
  badWords: 'bad_words',
  allowedIds: 'allowed_token_ids',
  stopIds: 'stop_token_ids',
};

type Members = Omit<ChatRequest & CompletionRequest, 'logprobs' | 'messages' | 'prompt' | 'echo'>;

/** @throws {OpenAiError} */
export function promptLogprobsOf({ prompt_logprobs: top, stream }: Partial<Members>): number | undefined {
  if (top != null && stream === true)
    throw new OpenAiError(400, 'prompt_logprobs: not supported with stream', {
      param: 'prompt_logprobs',
      code: 'invalid_value',
    });
  return top ?? undefined;
}

/** @throws {INVALID_OPTION} */
export function samplingOf(
  request: Partial<Members>,
  { defaults, endIds, engine, tokenizer }: LanguageModel,
  own: Pick<SamplingParameters, 'maxTokens' | 'logprobs' | 'promptLogprobs'> & { readonly n?: number },
): SamplingParameters {
  const given = <A>(...values: readonly (A | null | undefined)[]): A | undefined =>
    values.find(value => value != null)!;
  const bad = request.bad_words ?? [];
  const topK = given(request.top_k, defaults.top_k) ?? 0;
  return samplingParameters(
    {
      temperature: given(request.temperature, defaults.temperature) ?? 1,
      topK: Math.max(0, topK),
      topP: given(request.top_p, defaults.top_p) ?? 1,
      minP: given(request.min_p, defaults.min_p) ?? 0,
      typicalP: request.typical_p ?? 1,
      presencePenalty: request.presence_penalty ?? 0,
      frequencyPenalty: request.frequency_penalty ?? 0,
      repetitionPenalty: given(request.repetition_penalty, defaults.repetition_penalty) ?? 1,
      seed: request.seed == null ? randomBytes(8).readBigInt64LE() : BigInt.asIntN(64, BigInt(request.seed)),
      n: request.n ?? 1,
      minTokens: request.min_tokens ?? 0,
      logitBias: new Map(Object.entries(request.logit_bias ?? {}).map(([id, bias]) => [Number(id), bias])),
      // A word at the start of a text and within one.
      badWords: bad.flatMap(word =>
        [word, ` ${word.trimStart()}`].map(text => tokenizer.encode(text, { addSpecialTokens: false })),
      ),
      allowedIds: request.allowed_token_ids ?? undefined,
      endIds: request.ignore_eos === true ? [] : endIds,
      stopIds: request.stop_token_ids ?? [],
      stop: request.stop ?? [],
      includeStop: request.include_stop_str_in_output ?? false,
      ...own,
    },
    engine.vocabulary,
  );
}
