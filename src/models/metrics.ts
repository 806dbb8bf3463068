// Metrics of predictions, with the names and values of Hugging Face's `evaluate`: accuracy, F1, BLEU (bleu.ts), ROUGE,
// perplexity. Inputs are numbers and texts, not tensors. ROUGE scores are plain means, without bootstrap resampling.
import { checkCounts, grams, invalid } from './metric-inputs.ts';

/**
 * The share of predictions that equal their references.
 * @throws {INVALID_OPTION}
 * @example
 * accuracy([0, 1, 2, 2], [0, 1, 1, 2]) // 0.75
 */
export function accuracy(predictions: readonly number[], references: readonly number[]): number {
  checkCounts('accuracy', predictions, references);
  return predictions.filter((one, i) => one === references[i]).length / predictions.length;
}

/** Options of `f1`. */
export interface F1Options {
  /** `binary`: of the class `posLabel`; otherwise over all classes. Default `binary`. */
  readonly average?: 'binary' | 'micro' | 'macro' | 'weighted';
  /** The class that `binary` counts. Default 1. */
  readonly posLabel?: number;
}

/**
 * The harmonic mean of precision and recall.
 * @throws {INVALID_OPTION}
 * @example
 * f1([1, 0, 1, 1], [1, 0, 0, 1]) // 0.8
 */
export function f1(
  predictions: readonly number[],
  references: readonly number[],
  { average = 'binary', posLabel = 1 }: F1Options = {},
): number {
  checkCounts('f1', predictions, references);
  const classes = [...new Set([...predictions, ...references])];
  const count = (of: readonly number[], label: number): number => of.filter(one => one === label).length;
  const scoreOf = (label: number): number => {
    const right = predictions.filter((one, i) => one === label && references[i] === label).length;
    const all = count(predictions, label) + count(references, label);
    return all === 0 ? 0 : (2 * right) / all;
  };
  switch (average) {
    case 'binary':
      if (classes.length > 2)
        throw invalid('f1', 'average', 'binary', `micro, macro or weighted for ${classes.length} classes`);
      return scoreOf(posLabel);
    case 'micro':
      return accuracy(predictions, references);
    case 'macro':
      return classes.reduce((sum, label) => sum + scoreOf(label), 0) / classes.length;
    case 'weighted':
      return classes.reduce((sum, label) => sum + scoreOf(label) * count(references, label), 0) / references.length;
    default:
      throw invalid('f1', 'average', average, 'binary, micro, macro or weighted');
  }
}

/**
 * e to the mean negative log-likelihood of the tokens: `losses` are means, each over a number of tokens.
 * @throws {INVALID_OPTION}
 * @example
 * perplexity([Math.log(2), Math.log(8)]) // 4
 */
export function perplexity(losses: readonly number[], tokens: readonly number[] = losses.map(() => 1)): number {
  checkCounts('perplexity', losses, tokens);
  const total = tokens.reduce((sum, count) => sum + count, 0);
  if (!(total > 0)) throw invalid('perplexity', 'tokens', total, 'at least one token');
  return Math.exp(losses.reduce((sum, loss, i) => sum + loss * tokens[i]!, 0) / total);
}

/** The F-measures of `rouge`, means over the predictions. */
export interface RougeResult {
  /** The overlap of single words. */
  readonly rouge1: number;
  /** The overlap of pairs of words. */
  readonly rouge2: number;
  /** The longest common subsequence of words. */
  readonly rougeL: number;
  /** The longest common subsequences of lines, joined. */
  readonly rougeLsum: number;
}

const rougeTokens = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(token => token !== '');

const fMeasure = (right: number, predicted: number, wanted: number): number =>
  right === 0 ? 0 : (2 * right) / (predicted + wanted);

function rougeN(prediction: readonly string[], reference: readonly string[], n: number): number {
  const [own, other] = [grams(prediction, n), grams(reference, n)];
  const total = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((sum, one) => sum + one, 0);
  const right = [...own].reduce((sum, [gram, count]) => sum + Math.min(count, other.get(gram) ?? 0), 0);
  return fMeasure(right, total(own), total(other));
}

/** The positions in `a` of a longest common subsequence with `b`. */
function commonPositions(a: readonly string[], b: readonly string[]): readonly number[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      lengths[i]![j] =
        a[i - 1] === b[j - 1] ? lengths[i - 1]![j - 1]! + 1 : Math.max(lengths[i - 1]![j]!, lengths[i]![j - 1]!);
  const positions: number[] = [];
  for (let i = a.length, j = b.length; i > 0 && j > 0; )
    if (a[i - 1] === b[j - 1]) {
      positions.push(i - 1);
      i--;
      j--;
    } else if (lengths[i]![j - 1]! > lengths[i - 1]![j]!) j--;
    else i--;
  return positions;
}

function rougeLines(prediction: string, reference: string): number {
  const lines = (text: string): readonly (readonly string[])[] =>
    text
      .split('\n')
      .map(rougeTokens)
      .filter(one => one.length > 0);
  const [own, wanted] = [lines(prediction), lines(reference)];
  const [left, leftWanted] = [grams(own.flat(), 1), grams(wanted.flat(), 1)];
  let right = 0;
  for (const line of wanted) {
    const positions = new Set(own.flatMap(other => commonPositions(line, other)));
    for (const at of positions) {
      const word = line[at]!;
      if (!((left.get(word) ?? 0) > 0 && (leftWanted.get(word) ?? 0) > 0)) continue;
      right++;
      left.set(word, left.get(word)! - 1);
      leftWanted.set(word, leftWanted.get(word)! - 1);
    }
  }
  return fMeasure(right, own.flat().length, wanted.flat().length);
}

/**
 * The overlap of words of summaries with references; of several references of a prediction, the best counts.
 * @throws {INVALID_OPTION}
 * @example
 * rouge(['hello there', 'general kenobi'], ['hello there', 'general grievous']).rouge1 // 0.75
 */
export function rouge(
  predictions: readonly string[],
  references: readonly (string | readonly string[])[],
): RougeResult {
  checkCounts('rouge', predictions, references);
  const mean = (score: (prediction: string, reference: string) => number): number =>
    predictions.reduce(
      (sum, one, i) => sum + Math.max(0, ...[references[i]!].flat().map(other => score(one, other))),
      0,
    ) / predictions.length;
  return {
    rouge1: mean((a, b) => rougeN(rougeTokens(a), rougeTokens(b), 1)),
    rouge2: mean((a, b) => rougeN(rougeTokens(a), rougeTokens(b), 2)),
    rougeL: mean((a, b) => {
      const [own, other] = [rougeTokens(a), rougeTokens(b)];
      return fMeasure(commonPositions(other, own).length, own.length, other.length);
    }),
    rougeLsum: mean(rougeLines),
  };
}
