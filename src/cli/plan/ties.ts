// Entries of a plan that are as good as its answer, for all that is known.
import { isTie } from '../../simulator/index.ts';
import { formatLayout } from '../../simulator/plan/index.ts';
import type { Entry } from './entries.ts';

/** The entries that may as well be better than the chosen one by this measure: they are closer than their intervals. */
export const tiesOf = (chosen: Entry, others: readonly Entry[], measure: (entry: Entry) => number): readonly Entry[] =>
  others.filter(
    other =>
      other.prediction.samplesPerStep === chosen.prediction.samplesPerStep &&
      Number.isFinite(measure(other)) &&
      isTie(measure(chosen), measure(other), uncertain(chosen), uncertain(other)),
  );
const uncertain = ({ machine, interval: { uncertainty } }: Entry): Parameters<typeof isTie>[2] => ({
  machine,
  uncertainty,
});

/** Other entries that are as good as the answer, for all that is known. */
export function tieSentences({ ties }: { readonly ties: readonly Entry[] }): readonly string[] {
  if (ties.length === 0) return [];
  const names = ties.map(one => `${one.name}, ${formatLayout(one.prediction.layout)}`);
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return [`A tie, closer than their intervals: ${names.slice(0, 3).join('; ')}${more}.`];
}
