// Utilizations (MFU) published by AWS Neuron with its rates, SDK 2.14 and 2.15, and computed with the usual formula.
import { machineOf } from '../../hardware/index.ts';
import { modelFlopsPerSample } from '../models/flops.ts';
import { modelOf } from '../models/presets.ts';

export interface PrintedUtilization {
  readonly model: string;
  readonly sequence: number;
  readonly samplesPerSecond: number;
  readonly chips: number;
  /** In percent, as published. */
  readonly printed: number;
}
const row = (model: string, sequence: number, samplesPerSecond: number, chips: number, printed: number) => ({
  model,
  sequence,
  samplesPerSecond,
  chips,
  printed,
});

export const printedUtilizations: readonly PrintedUtilization[] = [
  row('bert-large', 128, 53069, 256, 25.83),
  row('bert-large', 512, 7507, 256, 15.5),
  // In f32, but relative to the bf16 peak.
  row('bert-large', 128, 28432, 256, 13.84),
  row('gpt3-46b', 2048, 47.2, 512, 27.7),
  row('llama2-7b', 4096, 82, 512, 14.8),
];

/** In percent of the bf16 peak of the chips. */
export function utilizationOf({ model, sequence, samplesPerSecond, chips }: PrintedUtilization): number {
  const { device, devicesPerChip } = machineOf('trn1.32xlarge');
  const peak = chips * devicesPerChip * device.peakFlops.bf16!;
  return (100 * samplesPerSecond * modelFlopsPerSample(modelOf(model), sequence)) / peak;
}
