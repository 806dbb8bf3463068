// The options of `generate`. Their defaults are the fields of generation_config.json. Names and defaults match transformers'
// GenerationConfig, in camel case. Fields that would change the result but are not supported are errors.
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { fileExists } from '../../base/read-file.ts';
import { warnOnce } from '../../base/warn-once.ts';
import { checkConfig, configError, readConfigObject } from '../config-file.ts';

const count = z
  .int()
  .min(0)
  .max(1 << 24);
/** No token has a negative id: files have -1 for none. */
const token = z
  .int()
  .min(-1)
  .max(1 << 22);
const tokens = z.union([token, z.array(token).readonly()]);
const positive = z.number().positive();

const fields = {
  /** The maximum number of new tokens. */
  max_new_tokens: count.nullish(),
  /** The maximum length, prompt included. */
  max_length: count.nullish(),
  /** The minimum number of new tokens. */
  min_new_tokens: z.int().nullish(),
  /** The minimum length, prompt included. */
  min_length: z.int().nullish(),
  /** Samples tokens instead of taking the most probable one. */
  do_sample: z.boolean().nullish(),
  /** Logits are divided by this before sampling. */
  temperature: z.number().nullish(),
  /** Samples from the K most probable tokens. */
  top_k: z.number().nullish(),
  /** Samples from the most probable tokens with at least this total probability. */
  top_p: z.number().nullish(),
  /** Excludes tokens whose probability is below this fraction of the highest. */
  min_p: z.number().nullish(),
  /** Makes tokens that are already in the sequence less probable if above 1. */
  repetition_penalty: positive.nullish(),
  /** Subtracted from the logits of generated tokens. */
  presence_penalty: z.number().nullish(),
  /** Subtracted from the logit of a token once for each time it was generated. */
  frequency_penalty: z.number().nullish(),
  /** No sequence of this many tokens occurs twice; 0: no limit. */
  no_repeat_ngram_size: z.int().nullish(),
  /** The first token after the token that starts decoding. */
  forced_bos_token_id: token.nullish(),
  /** The last token where the maximum length is reached. */
  forced_eos_token_id: tokens.nullish(),
  /** Tokens that are never generated. */
  suppress_tokens: z.array(token).readonly().nullish(),
  /** Tokens that are not generated first. */
  begin_suppress_tokens: z.array(token).readonly().nullish(),
  /** The number of beams of beam search. */
  num_beams: z.int().min(1).max(1024).nullish(),
  /** The number of sequences returned for each prompt. */
  num_return_sequences: z.int().min(1).max(1024).nullish(),
  /** Beam search divides scores by the length to this power. */
  length_penalty: z.number().nullish(),
  /** When beam search stops. */
  early_stopping: z.union([z.boolean(), z.literal('never')]).nullish(),
  /** The tokens that end a sequence. */
  eos_token_id: tokens.nullish(),
  /** The token that pads shorter sequences. */
  pad_token_id: token.nullish(),
  /** Texts that end a sequence. */
  stop_strings: z.union([z.string().min(1), z.array(z.string().min(1)).readonly()]).nullish(),
};

/** Fields that are not implemented, each with the values that have no effect and are therefore accepted. */
const unsupported: Readonly<Record<string, readonly unknown[]>> = {
  encoder_no_repeat_ngram_size: [0],
  encoder_repetition_penalty: [1],
  bad_words_ids: [],
  sequence_bias: [],
  exponential_decay_length_penalty: [],
  guidance_scale: [1],
  penalty_alpha: [0],
  num_beam_groups: [1],
  diversity_penalty: [0],
  constraints: [],
  force_words_ids: [],
  max_time: [],
  token_healing: [false],
  watermarking_config: [],
  dola_layers: [],
};
/** The same for fields that only sampling uses; they are checked where it begins. */
const unsupportedInSampling: Readonly<Record<string, readonly unknown[]>> = {
  typical_p: [1],
  top_h: [],
  epsilon_cutoff: [0],
  eta_cutoff: [0],
};
/** The values that sampling can use; other ways to choose tokens ignore them. */
const sampling = {
  temperature: { isGood: (value: number) => value > 0, expected: 'above 0' },
  topK: { isGood: (value: number) => Number.isSafeInteger(value) && value >= 0, expected: 'an integer, 0 or more' },
  topP: { isGood: (value: number) => value >= 0, expected: '0 to 1' },
  minP: { isGood: (value: number) => value >= 0 && value <= 1, expected: '0 to 1' },
} as const;

/**
 * Fields of transformers that do not change which tokens are generated: where and how fast they are computed, and what else is
 * returned. All others are implemented, or an error.
 */
export const withoutEffect: readonly string[] = [
  ...['assistant_confidence_threshold', 'assistant_early_exit', 'assistant_ensemble_weight', 'assistant_lookbehind'],
  ...['bos_token_id', 'cache_config', 'cache_implementation', 'compile_config', 'continuous_batching_config'],
  ...['disable_compile', 'is_assistant', 'low_memory', 'max_cache_len', 'max_matching_ngram_size'],
  ...['num_assistant_tokens', 'num_assistant_tokens_schedule', 'output_attentions', 'output_hidden_states'],
  ...['output_logits', 'output_scores', 'prefill_chunk_size', 'prompt_lookup_num_tokens', 'remove_invalid_values'],
  ...['renormalize_logits', 'return_dict_in_generate', 'speculation_type', 'target_lookbehind', 'use_cache', 'use_mtp'],
];
/** Fields that models read themselves. */
const ofModels: readonly string[] = ['decoder_start_token_id', 'forced_decoder_ids'];
/** All fields that are known. */
export const generationFields: readonly string[] = [
  ...Object.keys(fields),
  ...Object.keys(unsupported),
  ...Object.keys(unsupportedInSampling),
  ...withoutEffect,
  ...ofModels,
];

/** The first field that is set to a value with an effect. */
function unsupportedField(
  config: object,
  table: Readonly<Record<string, readonly unknown[]>>,
): readonly [field: string, value: unknown] | undefined {
  const isEmpty = (value: unknown): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0;
  return Object.entries(config).find(
    ([field, value]) =>
      Object.hasOwn(table, field) && value !== undefined && !isEmpty(value) && !table[field]!.includes(value),
  );
}

const generationConfigSchema = z.looseObject(fields);

/** The checked fields of a generation_config.json; unknown ones are kept. */
export type GenerationConfig = Readonly<z.output<typeof generationConfigSchema>>;

/**
 * Checks the fields of a generation_config.json. `file` is named in errors.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, or not supported
 * @example
 * generationConfig({ do_sample: true, top_p: 0.9 }).top_p // 0.9
 */
export function generationConfig(config: object, file = 'the generation configuration'): GenerationConfig {
  const [field, value] = unsupportedField(config, unsupported) ?? [];
  if (field !== undefined) throw configError(file)(field, `${JSON.stringify(value)} is not supported by generate()`);
  return checkConfig(generationConfigSchema, config as z.input<typeof generationConfigSchema>, file);
}

/** Fields of generation that configurations of models may have. */
const inModelConfig: readonly string[] = [
  'eos_token_id',
  'pad_token_id',
  'decoder_start_token_id',
  'forced_bos_token_id',
  'forced_eos_token_id',
  'forced_decoder_ids',
  'suppress_tokens',
  'begin_suppress_tokens',
];

/** Reads the generation_config.json of a directory; without one, the generation fields of config.json (older models). */
export async function readGenerationConfig(directory: string, config: object): Promise<GenerationConfig> {
  const file = join(directory, 'generation_config.json');
  if (await fileExists(file)) return generationConfig(await readConfigObject(file), file);
  const found = Object.entries(config).filter(([field]) => inModelConfig.includes(field));
  return generationConfig(Object.fromEntries(found), join(directory, 'config.json'));
}

/** Writes a generation_config.json if any field is set. */
export async function writeGenerationConfig(directory: string, config: GenerationConfig): Promise<void> {
  const set = Object.entries(config).filter(([, value]) => value !== undefined && value !== null);
  if (set.length === 0) return;
  const text = `${JSON.stringify(Object.fromEntries(set.sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`;
  await writeFileAtomically(join(directory, 'generation_config.json'), [text]);
}

/** The part of a tokenizer that generation uses. */
export interface TokenDecoder {
  /** The number of tokens; checked against the model's. */
  readonly vocabularySize?: number;
  /** The text of token ids. */
  decode(ids: Iterable<number>, options?: { readonly skipSpecialTokens?: boolean }): string;
}

/** Options of `generate` and `generateStream`; the defaults come from generation_config.json, then from transformers. */
export interface GenerateOptions {
  /** The maximum number of new tokens. */
  readonly maxNewTokens?: number | undefined;
  /** The maximum length, prompt included; ignored if `maxNewTokens` is given. Default 20. */
  readonly maxLength?: number | undefined;
  /** The minimum number of new tokens. */
  readonly minNewTokens?: number | undefined;
  /** The minimum length, prompt included. */
  readonly minLength?: number | undefined;
  /** Samples tokens instead of taking the most probable one. Default false. */
  readonly doSample?: boolean | undefined;
  /** Logits are divided by this before sampling: values below 1 sharpen the distribution. Default 1. */
  readonly temperature?: number | undefined;
  /** Samples from the K most probable tokens; 0: from all. Default 50. */
  readonly topK?: number | undefined;
  /** Samples from the smallest set of most probable tokens with at least this total probability. Default 1. */
  readonly topP?: number | undefined;
  /** Excludes tokens whose probability is below this fraction of the highest. Default 0. */
  readonly minP?: number | undefined;
  /** Divides positive logits, and multiplies negative logits, of tokens that are already in the sequence. Default 1. */
  readonly repetitionPenalty?: number | undefined;
  /** Subtracted from the logits of all tokens generated so far. Default 0. */
  readonly presencePenalty?: number | undefined;
  /** Subtracted from the logit of a token once for each time it was generated. Default 0. */
  readonly frequencyPenalty?: number | undefined;
  /** The number of beams of beam search; 1: no beam search. Default 1. */
  readonly numBeams?: number | undefined;
  /** No sequence of this many tokens occurs twice. Default 0: no limit. */
  readonly noRepeatNgramSize?: number | undefined;
  /** The first token after the token that starts decoding (encoder–decoders). */
  readonly forcedBosTokenId?: number | undefined;
  /** The last token, or tokens, where the maximum length is reached. */
  readonly forcedEosTokenId?: number | readonly number[] | undefined;
  /** Tokens that are never generated. */
  readonly suppressTokens?: readonly number[] | undefined;
  /** Tokens that are not generated first. */
  readonly beginSuppressTokens?: readonly number[] | undefined;
  /** The number of sequences returned for each prompt. Default 1. */
  readonly numReturnSequences?: number | undefined;
  /** Beam search: scores are divided by the length to this power. Default 1. */
  readonly lengthPenalty?: number | undefined;
  /**
   * Beam search: `true` stops when there are `numBeams` complete sequences; `false` also requires that a better one is unlikely;
   * `'never'` that it is impossible. Default false.
   */
  readonly earlyStopping?: boolean | 'never' | undefined;
  /** The token, or tokens, that end a sequence. */
  readonly eosTokenId?: number | readonly number[] | undefined;
  /** Pads sequences that ended before the longest one. Default: the first of `eosTokenId`. */
  readonly padTokenId?: number | undefined;
  /** Texts that end a sequence once they have been generated; requires `tokenizer`. */
  readonly stopStrings?: string | readonly string[] | undefined;
  /** Decodes tokens to find `stopStrings`; its vocabulary size is checked against the model's. */
  readonly tokenizer?: TokenDecoder | undefined;
  /** The same seed gives the same tokens. Default 0. */
  readonly seed?: number | undefined;
  /** Stops generation: the promise is rejected with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** All settings of one generation. */
export interface GenerationSettings {
  readonly maxNewTokens: number | undefined;
  readonly maxLength: number;
  readonly minNewTokens: number;
  readonly minLength: number;
  readonly doSample: boolean;
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  readonly repetitionPenalty: number;
  readonly presencePenalty: number;
  readonly frequencyPenalty: number;
  readonly noRepeatNgramSize: number;
  readonly forcedBosTokenId: number | undefined;
  readonly forcedEosTokenIds: readonly number[];
  readonly suppressTokens: readonly number[];
  readonly beginSuppressTokens: readonly number[];
  readonly numBeams: number;
  readonly numReturnSequences: number;
  readonly lengthPenalty: number;
  readonly earlyStopping: boolean | 'never';
  readonly eosTokenIds: readonly number[];
  readonly padTokenId: number | undefined;
  readonly stopStrings: readonly string[];
  readonly tokenizer: TokenDecoder | undefined;
  readonly seed: number;
  readonly signal: AbortSignal | undefined;
}

type OptionName = keyof GenerateOptions;
const fromConfig = {
  maxNewTokens: 'max_new_tokens',
  maxLength: 'max_length',
  minNewTokens: 'min_new_tokens',
  minLength: 'min_length',
  doSample: 'do_sample',
  temperature: 'temperature',
  topK: 'top_k',
  topP: 'top_p',
  minP: 'min_p',
  repetitionPenalty: 'repetition_penalty',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  noRepeatNgramSize: 'no_repeat_ngram_size',
  forcedBosTokenId: 'forced_bos_token_id',
  forcedEosTokenId: 'forced_eos_token_id',
  suppressTokens: 'suppress_tokens',
  beginSuppressTokens: 'begin_suppress_tokens',
  numBeams: 'num_beams',
  numReturnSequences: 'num_return_sequences',
  lengthPenalty: 'length_penalty',
  earlyStopping: 'early_stopping',
  eosTokenId: 'eos_token_id',
  padTokenId: 'pad_token_id',
  stopStrings: 'stop_strings',
} as const satisfies Partial<Record<OptionName, keyof typeof fields>>;

const listOf = <T>(value: T | readonly T[] | null | undefined): readonly T[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? (value as readonly T[]) : [value as T];

const noneIfNegative = (id: number | null | undefined): number | undefined =>
  id === null || id === undefined || id < 0 ? undefined : id;
const idsOf = (value: number | readonly number[] | null | undefined): readonly number[] =>
  listOf(value).filter(id => id >= 0);

/** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
export function settingsOf(options: GenerateOptions, config: GenerationConfig): GenerationSettings {
  refuseUnknownOptions('generate', options, [...Object.keys(fromConfig), 'tokenizer', 'seed', 'signal']);
  const own: Record<string, unknown> = {};
  for (const [option, field] of Object.entries(fromConfig)) {
    const value = options[option as OptionName];
    if (value === undefined) continue;
    const parsed = fields[field].safeParse(value);
    if (!parsed.success) throw invalid(option, JSON.stringify(value) ?? String(value), parsed.error.issues[0]!.message);
    own[field] = value;
  }
  // A maxLength given by the caller takes precedence over max_new_tokens of the file.
  const inFile = options.maxLength === undefined ? config : { ...config, max_new_tokens: undefined };
  const all: GenerationConfig = { ...inFile, ...own };
  const { seed = 0, tokenizer, signal } = options;
  if (!Number.isSafeInteger(seed) || seed < 0) throw invalid('seed', String(seed), 'an integer, 0 or more');
  const numBeams = all.num_beams ?? 1;
  const doSample = all.do_sample ?? false;
  const numReturnSequences = all.num_return_sequences ?? 1;
  if (doSample && numBeams > 1) throw invalid('doSample', 'true', 'false: sampling in beam search is not supported');
  if (!doSample && numReturnSequences > numBeams)
    throw invalid('numReturnSequences', String(numReturnSequences), `at most numBeams, ${numBeams}, without doSample`);
  if (doSample) {
    const [field, value] = unsupportedField(all, unsupportedInSampling) ?? [];
    if (field !== undefined) throw invalid(field, JSON.stringify(value), 'not set: sampling does not support it');
    for (const [option, { isGood, expected }] of Object.entries(sampling)) {
      const given = all[fromConfig[option as keyof typeof sampling]];
      if (given !== undefined && given !== null && !isGood(given))
        throw invalid(option, String(given), `${expected}, with doSample`);
    }
  }
  const ignored = doSample
    ? []
    : (Object.keys(sampling) as (keyof typeof sampling)[]).filter(name => options[name] !== undefined);
  if (ignored.length > 0)
    warnOnce(
      `generate ${ignored.join()}`,
      `generate: ${ignored.join(', ')} ${ignored.length === 1 ? 'has' : 'have'} no effect without doSample: true`,
    );
  const stopStrings = listOf(all.stop_strings);
  if (stopStrings.length > 0 && tokenizer === undefined)
    throw invalid('tokenizer', 'not set', 'the tokenizer of the model, to find stopStrings');
  return {
    maxNewTokens: all.max_new_tokens ?? undefined,
    maxLength: all.max_length ?? 20,
    minNewTokens: all.min_new_tokens ?? 0,
    minLength: all.min_length ?? 0,
    doSample,
    temperature: all.temperature ?? 1,
    topK: all.top_k ?? 50,
    topP: all.top_p ?? 1,
    minP: all.min_p ?? 0,
    repetitionPenalty: all.repetition_penalty ?? 1,
    presencePenalty: all.presence_penalty ?? 0,
    frequencyPenalty: all.frequency_penalty ?? 0,
    noRepeatNgramSize: all.no_repeat_ngram_size ?? 0,
    forcedBosTokenId: noneIfNegative(all.forced_bos_token_id),
    forcedEosTokenIds: idsOf(all.forced_eos_token_id),
    suppressTokens: idsOf(all.suppress_tokens),
    beginSuppressTokens: idsOf(all.begin_suppress_tokens),
    numBeams,
    numReturnSequences,
    lengthPenalty: all.length_penalty ?? 1,
    earlyStopping: all.early_stopping ?? false,
    eosTokenIds: idsOf(all.eos_token_id),
    padTokenId: noneIfNegative(all.pad_token_id),
    stopStrings,
    tokenizer,
    seed,
    signal,
  };
}

export const invalid = (option: string, got: string, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what: 'generate', option, got, expected });
