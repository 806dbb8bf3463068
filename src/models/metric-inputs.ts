// Checks of the inputs of metrics, and n-grams of texts.
import { TrenioError } from '../base/errors.ts';

export const invalid = (what: string, option: string, got: unknown, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what, option, got: String(got), expected });

export function checkCounts(what: string, predictions: readonly unknown[], references: readonly unknown[]): void {
  if (predictions.length !== references.length || predictions.length === 0)
    throw invalid(
      what,
      'predictions',
      `${predictions.length} of them`,
      `as many as references (${references.length}), at least one`,
    );
}

/** n-grams of tokens with their counts. */
export function grams(tokens: readonly string[], n: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let i = 0; i + n <= tokens.length; i++) {
    const gram = tokens.slice(i, i + n).join('\u0000');
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}
