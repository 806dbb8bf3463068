// The tokens with which Whisper's decoder starts: the start token, the language, the task, and that timestamps are not wanted.
// Their ids are fields of generation_config.json.
import * as z from 'zod';
import { nearestNames } from '../../base/nearest.ts';
import { checkConfig } from '../config-file.ts';
import { type GenerationConfig, invalid } from '../generation/generate-options.ts';

const token = z.int().min(0);
const ids = z.record(z.string(), token);
const schema = z.looseObject({
  forced_decoder_ids: z.array(z.tuple([z.int().min(1), token.nullable()])).nullish(),
  lang_to_id: ids.nullish(),
  task_to_id: ids.nullish(),
  no_timestamps_token_id: token.nullish(),
});

/** Options of speech recognition. */
export interface SpeechOptions {
  /** The language of the speech, such as 'en'. By default, it is detected if the model is multilingual. */
  readonly language?: string | undefined;
  /** 'translate' translates to English. Default 'transcribe'. */
  readonly task?: 'transcribe' | 'translate' | undefined;
}

/** The first tokens of the decoder. */
export interface WhisperPrompt {
  readonly tokens: readonly number[];
  /** The tokens of languages, one of which is detected and placed after the first token; undefined: none. */
  readonly languages: readonly number[] | undefined;
}

/** @throws {INVALID_OPTION} for an unknown language or task @throws {MODEL_CONFIG_INVALID} */
export function whisperPrompt(
  start: number,
  config: GenerationConfig,
  { language, task }: SpeechOptions,
): WhisperPrompt {
  const fields = checkConfig(schema, config, 'the generation configuration');
  const { lang_to_id: languages, task_to_id: tasks, no_timestamps_token_id: noTimestamps } = fields;
  const isAsked = language !== undefined || task !== undefined;
  const forced = isAsked ? [] : (fields.forced_decoder_ids ?? []).map(([, one]) => one);
  const spoken = language === undefined ? undefined : idOf('language', languages, [language, `<|${language}|>`]);
  const isDetected = spoken === undefined && languages && (forced.length === 0 || forced[0] === null);
  const rest = forced.slice(1).filter(one => one !== null);
  const wanted = task ?? (language === undefined ? undefined : 'transcribe');
  const tokens = [
    start,
    ...[spoken ?? forced[0] ?? []].flat(),
    ...(wanted === undefined || (task === undefined && !tasks) ? rest : [idOf('task', tasks, [wanted])]),
  ];
  const isComplete = !noTimestamps || tokens.at(-1) === noTimestamps;
  return {
    tokens: isComplete ? tokens : [...tokens, noTimestamps],
    languages: isDetected ? Object.values(languages) : undefined,
  };
}

function idOf(
  option: string,
  known: Readonly<Record<string, number>> | null | undefined,
  names: readonly [string, ...string[]],
): number {
  const found = names.find(name => Object.hasOwn(known ?? {}, name.toLowerCase()));
  if (found !== undefined) return known![found.toLowerCase()]!;
  const all = Object.keys(known ?? {});
  if (all.length === 0) throw invalid(option, names[0], 'a multilingual model: this one has no choice');
  const nearest = nearestNames(names.at(-1)!, all);
  throw invalid(option, names[0], `one of ${(nearest.length > 0 ? nearest : all).join(', ')}`);
}
