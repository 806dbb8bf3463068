// How the tokens of a request are chosen, and what ends it: one record, whose values have been checked.
import { TrenioError } from '../../base/errors.ts';

export interface SamplingParameters {
  /** 0: the most probable token. */
  readonly temperature: number;
  /** Only this number of most probable tokens; 0: all. */
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  readonly typicalP: number;
  readonly presencePenalty: number;
  readonly frequencyPenalty: number;
  readonly repetitionPenalty: number;
  /** The same seed gives the same tokens, whatever else is generated. */
  readonly seed: bigint;
  /** The number of sequences. */
  readonly n: number;
  readonly maxTokens: number;
  /** Tokens before one may end the sequence. */
  readonly minTokens: number;
  readonly logitBias: ReadonlyMap<number, number>;
  /** Lists of ids that are not generated one after another. */
  readonly badWords: readonly (readonly number[])[];
  /** Only these ids; undefined: all. */
  readonly allowedIds: readonly number[] | undefined;
  /** A sequence ends with these ids: those of the model (unless they are to be ignored), and those of the request. */
  readonly endIds: readonly number[];
  readonly stopIds: readonly number[];
  /** A sequence ends before, or with `includeStop` after, these texts. */
  readonly stop: readonly string[];
  readonly includeStop: boolean;
  /** The number of most probable tokens to report; 0: the chosen one; undefined: none. */
  readonly logprobs: number | undefined;
  /** The same for the tokens of the prompt, which is computed whole then. */
  readonly promptLogprobs: number | undefined;
}

export const defaultSampling: SamplingParameters = {
  temperature: 1,
  topK: 0,
  topP: 1,
  minP: 0,
  typicalP: 1,
  presencePenalty: 0,
  frequencyPenalty: 0,
  repetitionPenalty: 1,
  seed: 0n,
  n: 1,
  maxTokens: 16,
  minTokens: 0,
  logitBias: new Map(),
  badWords: [],
  allowedIds: undefined,
  endIds: [],
  stopIds: [],
  stop: [],
  includeStop: false,
  logprobs: undefined,
  promptLogprobs: undefined,
};

const tiny = Number.MIN_VALUE;
/** Lower temperatures choose the most probable token. */
const LEAST_TEMPERATURE = 1e-5;
const ranges = {
  temperature: [0, 1e6, 'number'],
  topK: [0, 2 ** 31, 'integer'],
  topP: [tiny, 1, 'number'],
  minP: [0, 1, 'number'],
  typicalP: [tiny, 1, 'number'],
  presencePenalty: [-2, 2, 'number'],
  frequencyPenalty: [-2, 2, 'number'],
  repetitionPenalty: [tiny, 1e6, 'number'],
  n: [1, 128, 'integer'],
  maxTokens: [0, 2 ** 31, 'integer'],
  minTokens: [0, 2 ** 31, 'integer'],
  logprobs: [0, 20, 'integer'],
  promptLogprobs: [0, 20, 'integer'],
} as const satisfies Partial<Record<keyof SamplingParameters, readonly [least: number, most: number, kind: string]>>;

const MOST_STOPS = 64;
const MOST_STOP_LENGTH = 4096;
const MOST_BAD_WORDS = 1024;

const invalid = (option: keyof SamplingParameters, got: unknown, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what: 'sampling', option, got: String(got), expected });

/** @throws {INVALID_OPTION} with the name of the parameter */
export function samplingParameters(given: Partial<SamplingParameters>, vocabulary: number): SamplingParameters {
  const all = { ...defaultSampling, ...given };
  for (const [name, [least, most, kind]] of Object.entries(ranges) as [keyof typeof ranges, (typeof ranges)['n']][]) {
    const value = all[name];
    if (value === undefined && (name === 'logprobs' || name === 'promptLogprobs')) continue;
    const fits = typeof value === 'number' && value >= least && value <= most;
    if (fits && (kind !== 'integer' || Number.isInteger(value))) continue;
    const article = kind === 'integer' ? 'an integer' : 'a number';
    throw invalid(
      name,
      value,
      least === tiny ? `${article} above 0, at most ${most}` : `${article} from ${least} to ${most}`,
    );
  }
  const checkIds = (name: keyof SamplingParameters, ids: Iterable<number>): void => {
    for (const id of ids)
      if (!Number.isInteger(id) || id < 0 || id >= vocabulary)
        throw invalid(name, id, `ids of tokens, from 0 to ${vocabulary - 1}`);
  };
  const { logitBias, badWords, allowedIds, endIds, stopIds, stop, seed, minTokens, maxTokens } = all;
  checkIds('logitBias', logitBias.keys());
  for (const [id, bias] of logitBias)
    if (!(Math.abs(bias) <= 100)) throw invalid('logitBias', `${bias} for ${id}`, 'numbers from -100 to 100');
  for (const ids of badWords) checkIds('badWords', ids);
  if (badWords.length > MOST_BAD_WORDS || badWords.some(({ length }) => length === 0))
    throw invalid('badWords', `${badWords.length} lists`, `at most ${MOST_BAD_WORDS} lists, none of them empty`);
  checkIds('endIds', endIds);
  checkIds('stopIds', stopIds);
  if (allowedIds !== undefined) checkIds('allowedIds', allowedIds);
  if (allowedIds?.length === 0) throw invalid('allowedIds', 'an empty list', 'at least one id');
  if (stop.length > MOST_STOPS || stop.some(({ length }) => length === 0 || length > MOST_STOP_LENGTH))
    throw invalid('stop', `${stop.length} texts`, `at most ${MOST_STOPS} texts of 1 to ${MOST_STOP_LENGTH} characters`);
  if (BigInt.asIntN(64, seed) !== seed) throw invalid('seed', seed, 'an integer of 64 bits');
  if (minTokens > maxTokens) throw invalid('minTokens', minTokens, `at most maxTokens, ${maxTokens}`);
  // A division by less would be infinite for several tokens.
  return all.temperature < LEAST_TEMPERATURE ? { ...all, temperature: 0 } : all;
}
