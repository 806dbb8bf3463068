// The members of requests: types, ranges and what is done with them, for all paths. Absent and null are the same.
//
//   a schema      used
//   ignored       has no meaning here, such as `user`
//   only(…)       has a meaning, but is not supported: any other value than these is refused, not ignored
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { OpenAiError } from './openai-error.ts';

const ignored = z.unknown().optional();
const only = (...values: readonly unknown[]) => {
  const error = values.length === 0 ? 'is not supported' : `only ${JSON.stringify(values[0])} is supported`;
  const isKnown = (value: unknown): boolean => value == null || values.some(known => isDeepStrictEqual(known, value));
  return z.unknown().refine(isKnown, { error }).optional();
};
const number = (least: number, most: number) => z.number().min(least).max(most).nullish();
const integer = (least: number, most: number) =>
  z.number().refine(Number.isInteger, 'expected an integer').min(least).max(most).nullish();
const flag = z.boolean().nullish();
const ids = z.array(z.number());
const texts = z.union([z.string().transform(text => [text]), z.array(z.string())]).nullish();
const limit = 2 ** 31;

const sampling = {
  model: z.string().nullish(),
  temperature: number(0, 2),
  top_p: number(Number.MIN_VALUE, 1),
  top_k: integer(-1, limit),
  min_p: number(0, 1),
  typical_p: number(Number.MIN_VALUE, 1),
  presence_penalty: number(-2, 2),
  frequency_penalty: number(-2, 2),
  repetition_penalty: number(Number.MIN_VALUE, 1e6),
  n: integer(1, 128),
  seed: integer(-(2 ** 63), 2 ** 63),
  stop: texts,
  stop_token_ids: ids.nullish(),
  include_stop_str_in_output: flag,
  ignore_eos: flag,
  min_tokens: integer(0, limit),
  max_tokens: integer(1, limit),
  logit_bias: z.record(z.string().regex(/^\d+$/, 'expected ids of tokens'), z.number().min(-100).max(100)).nullish(),
  allowed_token_ids: ids.nullish(),
  bad_words: z.array(z.string()).nullish(),
  skip_special_tokens: flag,
  stream: flag,
  stream_options: z
    .looseObject({ include_usage: flag, continuous_usage_stats: flag, include_obfuscation: flag })
    .nullish(),
  priority: integer(-limit, limit),
  cache_salt: z.string().min(1).max(1024).nullish(),
  return_token_ids: flag,
  return_tokens_as_token_ids: flag,
  timeout_ms: integer(1, limit),
  use_beam_search: only(false),
  length_penalty: only(1),
  early_stopping: only(false),
  prompt_logprobs: integer(0, 20),
  logprob_token_ids: only(),
  truncate_prompt_tokens: only(),
  structured_outputs: only(),
  guided_json: only(),
  guided_regex: only(),
  guided_choice: only(),
  guided_grammar: only(),
  grammar: only(),
  json_schema: only(),
  repetition_detection: only(),
  thinking_token_budget: only(),
  spaces_between_special_tokens: only(true),
  request_id: ignored,
  session_id: ignored,
  stream_interval: only(1),
  truncation_side: ignored,
  cache_prompt: ignored,
  user: ignored,
};

const message = z.looseObject({
  role: z.string().min(1).max(64),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]).nullish(),
});

const template = {
  messages: z.array(message).min(1),
  add_generation_prompt: flag,
  continue_final_message: only(false),
  chat_template: only(),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
  documents: z.array(z.record(z.string(), z.string())).nullish(),
  add_special_tokens: flag,
};

export const chatMembers = {
  ...sampling,
  ...template,
  max_completion_tokens: integer(1, limit),
  logprobs: flag,
  top_logprobs: integer(0, 20),
  echo: only(false),
  response_format: only({ type: 'text' }),
  tools: only([]),
  tool_choice: only('none', 'auto'),
  functions: only([]),
  function_call: only('none'),
  parallel_tool_calls: ignored,
  modalities: only(['text']),
  audio: only(),
  web_search_options: only(),
  reasoning_effort: ignored,
  include_reasoning: ignored,
  verbosity: ignored,
  prediction: ignored,
  prompt_cache_key: ignored,
  prompt_cache_options: ignored,
  prompt_cache_retention: ignored,
  service_tier: ignored,
  metadata: ignored,
  store: ignored,
  safety_identifier: ignored,
};

export const completionMembers = {
  ...sampling,
  prompt: z.union([z.string(), z.array(z.string()), ids, z.array(ids)]),
  logprobs: integer(0, 20),
  echo: flag,
  suffix: only(''),
  best_of: integer(0, 128),
  max_tokens: integer(0, limit),
  add_special_tokens: flag,
};

export const embeddingMembers = {
  model: sampling.model,
  input: z.union([z.string(), z.array(z.string()), ids, z.array(ids)]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: integer(1, limit),
  add_special_tokens: flag,
  truncate_prompt_tokens: only(),
  embed_dtype: only('float32'),
  messages: only(),
  priority: only(0),
  user: ignored,
};

export const tokenizeMembers = {
  model: sampling.model,
  ...template,
  messages: template.messages.nullish(),
  prompt: z.string().nullish(),
  return_token_strs: flag,
};
export const detokenizeMembers = { model: sampling.model, tokens: ids };

export const loadAdapterMembers = {
  lora_name: z.string().min(1).max(256),
  lora_path: z.string().min(1).max(4096),
  load_inplace: flag,
  base_model_name: ignored,
};
export const unloadAdapterMembers = { lora_name: loadAdapterMembers.lora_name, lora_int_id: ignored };

type Members = Readonly<Record<string, z.ZodType>>;
type Parsed<M extends Members> = z.output<z.ZodObject<M>>;
export type ChatRequest = Parsed<typeof chatMembers>;
export type EmbeddingRequest = Parsed<typeof embeddingMembers>;
export type CompletionRequest = Parsed<typeof completionMembers>;

export interface MemberOptions {
  /** Refuses members that are not in the table, which are ignored otherwise. */
  readonly strict: boolean;
  readonly onUnknown: (names: readonly string[]) => void;
}

/** @throws {OpenAiError} 400, with the path of the member */
export function readMembers<M extends Members>(members: M, body: unknown, options: MemberOptions): Parsed<M> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OpenAiError(400, 'the body is not an object', { code: 'invalid_type' });
  const unknown = Object.keys(body).filter(name => !Object.hasOwn(members, name));
  if (unknown.length > 0) {
    if (options.strict)
      throw new OpenAiError(400, `unknown member ${unknown[0]}`, { param: unknown[0], code: 'unknown_parameter' });
    options.onUnknown(unknown);
  }
  const parsed = z.object(members).safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue!.path.map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  const param = path.replace(/^\./, '');
  const isMissing = issue!.path.length === 1 && !Object.hasOwn(body, issue!.path[0]!);
  const code = isMissing ? 'missing_required_parameter' : 'invalid_value';
  throw new OpenAiError(400, `${param}: ${issue!.message}`, { param, code });
}
