// BLEU (Papineni et al. 2002), as `evaluate` computes it (`bleu`), and as sacreBLEU (Post 2018) does, whose scores papers
// report (`sacrebleu`). They share tokens and counts of n-grams; they differ in smoothing, in scale, and in the reference whose
// length counts.
import { refuseUnknownOptions } from '../base/known-options.ts';
import { checkCounts, grams, invalid } from './metric-inputs.ts';

/** The white space of Python, whose `split` ends tokens. */
const space = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const spaces = new RegExp(space, 'u');
const lastSpaces = new RegExp(`${space}$`, 'u');

/** The tokens of BLEU: mteval's v13a, as in sacreBLEU and `evaluate`. */
function bleuTokens(text: string): readonly string[] {
  return ` ${text
    .replaceAll('<skipped>', '')
    .replaceAll('-\n', '')
    .replaceAll('\n', ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')} `
    .replaceAll(/([{-~[-` -&(-+:-@/])/g, ' $1 ')
    .replaceAll(/([^0-9])([.,])/g, '$1 $2 ')
    .replaceAll(/([.,])([^0-9])/g, ' $1 $2')
    .replaceAll(/([0-9])(-)/g, '$1 $2 ')
    .split(spaces)
    .filter(token => token !== '');
}

type References = readonly (string | readonly string[])[];

/** Counts of a corpus. */
interface Overlap {
  /** The n-grams of the predictions that occur in a reference, for each n from 1. */
  readonly matches: readonly number[];
  /** The n-grams of the predictions. */
  readonly possible: readonly number[];
  readonly translationLength: number;
  readonly referenceLength: number;
}

/** Counts n-grams. `lengthOf`: the length that counts of those of a prediction's references. */
function overlapOf(
  what: string,
  predictions: readonly string[],
  references: References,
  maxOrder: number,
  tokensOf: (text: string) => readonly string[],
  lengthOf: (own: number, references: readonly number[]) => number,
): Overlap {
  checkCounts(what, predictions, references);
  if (!Number.isInteger(maxOrder) || maxOrder < 1) throw invalid(what, 'maxOrder', maxOrder, 'an integer, 1 or more');
  const matches = new Array<number>(maxOrder).fill(0);
  const possible = new Array<number>(maxOrder).fill(0);
  let [translationLength, referenceLength] = [0, 0];
  for (const [i, prediction] of predictions.entries()) {
    const tokensIn = (option: string, text: unknown): readonly string[] => {
      if (typeof text !== 'string') throw invalid(what, option, `${text} (prediction ${i})`, 'a text');
      return tokensOf(text);
    };
    const own = tokensIn('predictions', prediction);
    const others = [references[i]!].flat().map(text => tokensIn('references', text));
    if (others.length === 0) throw invalid(what, 'references', `none for prediction ${i}`, 'at least one for each');
    translationLength += own.length;
    referenceLength += lengthOf(
      own.length,
      others.map(({ length }) => length),
    );
    for (let n = 1; n <= maxOrder; n++) {
      const best = new Map<string, number>();
      for (const other of others)
        for (const [gram, count] of grams(other, n)) best.set(gram, Math.max(best.get(gram) ?? 0, count));
      for (const [gram, count] of grams(own, n)) matches[n - 1]! += Math.min(count, best.get(gram) ?? 0);
      possible[n - 1]! += Math.max(0, own.length - n + 1);
    }
  }
  return { matches, possible, translationLength, referenceLength };
}

/** The result of `bleu`. */
export interface BleuResult {
  /** The score, from 0 to 1. */
  readonly bleu: number;
  /** The precision of n-grams of each length. */
  readonly precisions: readonly number[];
  /** The factor for predictions that are shorter than their references. */
  readonly brevityPenalty: number;
  /** The tokens of the predictions per token of the references; not finite if the references have no tokens. */
  readonly lengthRatio: number;
  /** The number of tokens of the predictions. */
  readonly translationLength: number;
  /** The number of tokens of the references, the shortest of each prediction. */
  readonly referenceLength: number;
}

/**
 * The overlap of n-grams of texts with those of references, over a corpus, as in `evaluate`. Each prediction has one reference or
 * several. For scores to report, see `sacrebleu`.
 * @throws {INVALID_OPTION}
 * @example
 * bleu(['the cat sat on the mat'], [['the cat sat on the mat']]).bleu // 1
 */
export function bleu(
  predictions: readonly string[],
  references: References,
  { maxOrder = 4, smooth = false }: { readonly maxOrder?: number; readonly smooth?: boolean } = {},
): BleuResult {
  const shortest = (_: number, lengths: readonly number[]): number => Math.min(...lengths);
  const overlap = overlapOf('bleu', predictions, references, maxOrder, bleuTokens, shortest);
  const { matches, possible, translationLength, referenceLength } = overlap;
  const extra = smooth ? 1 : 0;
  const precisions = matches.map((count, i) => {
    const all = possible[i]! + extra;
    return all > 0 ? (count + extra) / all : 0;
  });
  const mean = Math.min(...precisions) > 0 ? precisions.reduce((sum, p) => sum + Math.log(p) / maxOrder, 0) : -Infinity;
  const lengthRatio = translationLength / referenceLength;
  const brevityPenalty = lengthRatio > 1 ? 1 : Math.exp(1 - 1 / lengthRatio);
  return {
    bleu: Math.exp(mean) * brevityPenalty,
    precisions,
    brevityPenalty,
    lengthRatio,
    translationLength,
    referenceLength,
  };
}

/** Options of `sacrebleu`. */
export interface SacrebleuOptions {
  /** The longest n-grams. Default 4. */
  readonly maxOrder?: number;
  /** Compares texts in lower case. Default false. */
  readonly lowercase?: boolean;
  /**
   * The matches of n-grams that have none: a half, then a quarter and so on (`exp`), `smoothValue` (`floor`), or 0 (`none`).
   * `add-k` adds `smoothValue` to the counts of n-grams of two tokens or more. Default `exp`.
   */
  readonly smoothMethod?: 'exp' | 'floor' | 'add-k' | 'none';
  /** Default 0.1 for `floor`, 1 for `add-k`. */
  readonly smoothValue?: number;
  /** Leaves out n-grams that are longer than all predictions; for scores of single sentences. Default false. */
  readonly effectiveOrder?: boolean;
}

/** The result of `sacrebleu`. */
export interface SacrebleuResult {
  /** The score, from 0 to 100. */
  readonly score: number;
  /** The precision of n-grams of each length, from 0 to 100. */
  readonly precisions: readonly number[];
  /** The factor for predictions that are shorter than their references. */
  readonly brevityPenalty: number;
  /** The number of tokens of the predictions. */
  readonly translationLength: number;
  /** The number of tokens of the references, of several for a prediction the one with the closest length. */
  readonly referenceLength: number;
}

/**
 * BLEU as sacreBLEU computes it by default (`nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp`), the score that papers report. Each
 * prediction has one reference or several.
 * @throws {INVALID_OPTION}
 * @example
 * sacrebleu(['the cat sat on a mat'], ['the cat sat on the mat']).score // 53.7284…
 */
export function sacrebleu(
  predictions: readonly string[],
  references: References,
  options: SacrebleuOptions = {},
): SacrebleuResult {
  refuseUnknownOptions('sacrebleu', options, [
    'maxOrder',
    'lowercase',
    'smoothMethod',
    'smoothValue',
    'effectiveOrder',
  ]);
  const { maxOrder = 4, lowercase = false, smoothMethod = 'exp', effectiveOrder = false } = options;
  const defaults = { exp: 0, none: 0, floor: 0.1, 'add-k': 1 };
  if (!Object.hasOwn(defaults, smoothMethod))
    throw invalid('sacrebleu', 'smoothMethod', smoothMethod, Object.keys(defaults).join(', '));
  const { smoothValue = defaults[smoothMethod] } = options;
  if (!(smoothValue >= 0)) throw invalid('sacrebleu', 'smoothValue', smoothValue, 'a number, 0 or more');
  const tokensOf = (text: string): readonly string[] =>
    bleuTokens((lowercase ? text.toLowerCase() : text).replace(lastSpaces, ''));
  const overlap = overlapOf('sacrebleu', predictions, references, maxOrder, tokensOf, closest);
  const { matches, possible, translationLength, referenceLength } = overlap;
  const isShort = translationLength < referenceLength;
  const brevityPenalty = isShort ? Math.exp(1 - referenceLength / translationLength) : 1;
  const precisions = new Array<number>(maxOrder).fill(0);
  const result = { precisions, brevityPenalty, translationLength, referenceLength };
  if (matches.every(count => count === 0)) return { score: 0, ...result };
  let [factor, order] = [1, maxOrder];
  for (const [i, count] of matches.entries()) {
    const extra = smoothMethod === 'add-k' && i > 0 ? smoothValue : 0;
    const all = possible[i]! + extra;
    if (all === 0) break;
    if (effectiveOrder) order = i + 1;
    let found = count + extra;
    if (found === 0 && smoothMethod === 'exp') {
      factor /= 2;
      found = factor;
    }
    if (found === 0 && smoothMethod === 'floor') found = smoothValue;
    precisions[i] = (100 * found) / all;
  }
  const mean = precisions.slice(0, order).reduce((sum, one) => sum + Math.log(one), 0) / order;
  return { score: brevityPenalty * Math.exp(mean), ...result };
}

/** The reference length that is closest to a prediction's; the shorter of two. */
const closest = (own: number, lengths: readonly number[]): number =>
  lengths.reduce((best, one) => {
    const [distance, least] = [Math.abs(one - own), Math.abs(best - own)];
    return distance < least || (distance === least && one < best) ? one : best;
  });
