// How far predictions of serving are to be trusted: the errors of published latencies on devices of the same kind.
import type { Machine } from '../../hardware/machine.ts';
import { servedRows } from './published.ts';

/** A measurement is within these factors of a prediction, 8 times of 10. */
export interface ServingInterval {
  readonly firstToken: readonly [low: number, high: number];
  readonly token: readonly [low: number, high: number];
  /** Where it comes from. */
  readonly reason: string;
}

const share = 0.8;
/** Without published rows: as wide as estimates from data sheets usually turn out to be. */
const assumed: ServingInterval = {
  firstToken: [0.6, 2],
  token: [0.7, 1.6],
  reason: 'assumed: no published latency of this machine is compared',
};

let ofNeuron: ServingInterval | undefined;

/** The largest batch of the published rows, twice. */
const comparedSequences = 16;

/** The interval of predictions for a machine whose steps have this number of sequences. */
export function servingInterval({ device, name }: Machine, sequences: number): ServingInterval {
  if (device.kind !== 'neuron-core') return assumed;
  ofNeuron ??= fromRows();
  const isCompared = servedRows().some(({ machine }) => machine === name);
  if (isCompared && sequences > comparedSequences)
    return {
      ...assumed,
      reason: `assumed: the published latencies have at most 8 sequences, not ${sequences.toFixed(0)}`,
    };
  return isCompared ? ofNeuron : { ...assumed, reason: `${assumed.reason}; constants are those of Trn1 and Inf2` };
}

function fromRows(): ServingInterval {
  const rows = servedRows();
  const between = (ratios: readonly number[]): readonly [number, number] => {
    const sorted = ratios.toSorted((a, b) => a - b);
    const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))]!;
    return [at((1 - share) / 2), at((1 + share) / 2)];
  };
  return {
    firstToken: between(
      rows.map(({ measured, predicted }) => measured.firstTokenSeconds / predicted.firstTokenSeconds),
    ),
    token: between(rows.map(({ measured, predicted }) => measured.tokenSeconds / predicted.tokenSeconds)),
    reason: `from ${rows.length} published latencies on Trn1 and Inf2`,
  };
}
