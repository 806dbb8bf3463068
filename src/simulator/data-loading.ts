// Reading the samples of a step from shared storage. The next step's samples are read while a step computes, so a step waits
// only if reading takes longer:
//
//   read     ──── step 2 ────┤──── step 3 ────┤
//   compute  step 1 ──┤ wait ├ step 2 ──┤ wait ├
import { TrenioError } from '../base/errors.ts';
import { formatDecimalBytes } from '../base/units.ts';
import { placementOf } from './placement.ts';
import type { DataLoading } from './prediction.ts';
import type { StepQuestion } from './question.ts';
import { storageOf } from './storage.ts';

/**
 * Every copy of the model reads its own samples, once each, on the instances that hold the first stage.
 * @param busySeconds the time of the step without waiting for data
 * @returns undefined where the size of a sample is not known
 * @throws {INVALID_OPTION} for sizes below 0, and bandwidths that are not above 0
 */
export function dataLoadingOf(
  {
    workload: {
      run: { sampleBytes },
    },
    machine,
    layout,
    storage,
  }: StepQuestion,
  samplesPerStep: number,
  busySeconds: number,
): DataLoading | undefined {
  if (sampleBytes === undefined) return undefined;
  if (!(sampleBytes >= 0 && sampleBytes < Infinity)) refuse('sampleBytes', sampleBytes, 'bytes, 0 or more');
  const { nodeBandwidth, storageBandwidth } = storageOf(machine, storage);
  if (!(nodeBandwidth > 0)) refuse('nodeBandwidth', nodeBandwidth, 'bytes per second, above 0');
  if (!(storageBandwidth > 0)) refuse('storageBandwidth', storageBandwidth, 'bytes per second, above 0');
  const { data } = placementOf(layout, machine);
  const stepBytes = samplesPerStep * sampleBytes;
  const nodeBytes = stepBytes * (data.ranksPerNode / data.size);
  const readSeconds = Math.max(nodeBytes / nodeBandwidth, stepBytes / storageBandwidth);
  const waitSeconds = Math.max(0, readSeconds - busySeconds);
  return { sampleBytes, stepBytes, nodeBytes, nodeBandwidth, storageBandwidth, readSeconds, waitSeconds };
}

/** The same sentence for all layouts and numbers of nodes, and another one if a step waits for data. */
export function dataAssumptions({ machine, nodes }: StepQuestion, loading: DataLoading): readonly string[] {
  const { sampleBytes, nodeBytes, nodeBandwidth, storageBandwidth, readSeconds, waitSeconds } = loading;
  if (sampleBytes === 0) return ['No data is read from storage.'];
  const size = formatDecimalBytes;
  const general = `Samples of ${size(sampleBytes)} are read from shared storage while the previous step computes, at ${size(nodeBandwidth)}/s per instance and ${size(storageBandwidth)}/s in total.`;
  if (waitSeconds === 0) return [general];
  // The step takes as long as reading.
  const share = ((waitSeconds / readSeconds) * 100).toPrecision(2);
  const limit = nodeBytes / nodeBandwidth >= readSeconds ? 'its own bandwidth' : 'the bandwidth of the storage';
  return [
    general,
    `${nodes} × ${machine.name} waits for data for ${Number(share)} % of each step: an instance reads ${size(nodeBytes)}, limited by ${limit}.`,
  ];
}

function refuse(option: string, got: number, expected: string): never {
  throw new TrenioError('INVALID_OPTION', { what: 'predict', option, got: String(got), expected });
}
