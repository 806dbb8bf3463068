// The share of a step in which its samples are read, where no step waits for them: one sentence for all rows.
import { formatDecimalBytes } from '../../base/units.ts';
import type { Prediction } from '../../simulator/index.ts';
import { percent } from './number-text.ts';

/** For the prediction that comes closest to waiting. None if all wait, or if nothing is read. */
export function readingAssumption(predictions: readonly Prediction[]): readonly string[] {
  const shareOf = ({ dataLoading, stepSeconds }: Prediction): number => (dataLoading?.readSeconds ?? 0) / stepSeconds;
  const [most] = predictions
    .filter(
      ({ dataLoading }) => dataLoading !== undefined && dataLoading.stepBytes > 0 && dataLoading.waitSeconds === 0,
    )
    .toSorted((a, b) => shareOf(b) - shareOf(a));
  if (most?.dataLoading === undefined) return [];
  const share = shareOf(most);
  return [
    `Where steps do not wait for data, reading takes ${share < 0.001 ? 'less than 0.1 %' : `at most ${percent(share)}`} of a step: on ${most.nodes} × ${most.machine.name}, an instance reads ${formatDecimalBytes(most.dataLoading.nodeBytes)} per step.`,
  ];
}
