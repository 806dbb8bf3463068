// Every published run, measured and predicted. A prediction's interval is computed from them; the nearest is shown next to it.
import { machineOf } from '../../hardware/index.ts';
import type { Machine } from '../../hardware/machine.ts';
import type { GpuSoftware } from '../engines/constants.ts';
import { engineConstants } from '../engines/engine.ts';
import { globalBatchOf } from '../layout.ts';
import { parametersOf } from '../models/parameters.ts';
import { modelOf } from '../models/presets.ts';
import { predict } from '../predict.ts';
import type { StepQuestion } from '../question.ts';
import type { TransformerConfig, Workload } from '../workload.ts';
import { gpuRuns } from './gpu-runs.ts';
import { megatronPoints, selene } from './megatron-a100.ts';
import { constantsOfRelease, isEarly, publishedTraining } from './published-training.ts';

/** Chips that the published runs are of; devices of one family have the same multiply units. */
export type Family = 'trainium1' | 'ampere' | 'hopper';

export interface PublishedStep {
  /** The model, the machine and the layout. */
  readonly what: string;
  /** Who published it, and where. */
  readonly source: string;
  readonly model: string;
  readonly family: Family;
  readonly software: GpuSoftware | 'neuron';
  readonly devices: number;
  readonly parameters: number;
  readonly sequence: number;
  /** The measured seconds per step. */
  readonly published: number;
  /** The predicted seconds per step. */
  readonly predicted: number;
}

/** Undefined: no training run has been published for such a machine. */
export function familyOf({ device, madeFor }: Machine): Family | undefined {
  if (madeFor !== undefined) return undefined;
  if (device.kind === 'neuron-core') return device.name.startsWith('NeuronCore-v2') ? 'trainium1' : undefined;
  if (device.kind !== 'gpu') return undefined;
  return /\bA100\b/.test(device.name) ? 'ampere' : /\bH[12]00\b/.test(device.name) ? 'hopper' : undefined;
}

/**
 * How much longer programs of the first releases took than those of later ones on the same configuration: the compiler's
 * progress, one factor for all models. Measured on configurations printed both before and after.
 */
export const earlyReleaseSlowdown = 1.13;

/** The workload of one of Megatron's points. */
export const megatronWorkload = (model: string): Workload => ({
  model: modelOf(model),
  run: { kind: 'training', sequence: 2048, optimizer: 'adam' },
  precision: 'bf16-mixed',
  attention: 'unfused',
});

/** Steps of one question: several releases of the software may have been measured. */
interface Measured {
  readonly what: string;
  readonly source: string;
  readonly question: StepQuestion;
  readonly runs: readonly (readonly [what: string, seconds: number, release: string | undefined])[];
}

function measuredOnTrainium(): readonly Measured[] {
  const machine = machineOf('trn1.32xlarge');
  return publishedTraining.map(({ model, sequence, optimizer, precision, attention, nodes, layout, runs, source }) => {
    const run = { kind: 'training', sequence, optimizer } as const;
    const batch = globalBatchOf(layout);
    return {
      what: `${model}, ${sequence} tokens, ${precision}, ${nodes} × trn1.32xlarge, batch ${batch}`,
      source,
      question: { workload: { model: modelOf(model), run, precision, attention }, machine, nodes, layout },
      runs: runs.map(([release, samplesPerSecond]) => [`, SDK ${release}`, batch / samplesPerSecond, release] as const),
    };
  });
}

function publish({ what, source, question, runs }: Measured): readonly PublishedStep[] {
  const { workload, machine, nodes, software = 'neuron' } = question;
  const model = workload.model as TransformerConfig;
  const common: Omit<PublishedStep, 'what' | 'published' | 'predicted'> = {
    source,
    model: model.name,
    family: familyOf(machine)!,
    software,
    devices: machine.devices * nodes,
    parameters: parametersOf(model).total,
    sequence: workload.run.sequence,
  };
  return runs.map(([of, published, release]) => ({
    ...common,
    what: `${what}${of}`,
    published,
    predicted: release === undefined ? predict(question).stepSeconds : secondsIn(release, question),
  }));
}

function secondsIn(release: string, question: StepQuestion): number {
  const { stepSeconds } = predict({ ...question, constants: constantsOfRelease(release, engineConstants) });
  return isEarly(release) ? stepSeconds * earlyReleaseSlowdown : stepSeconds;
}

let all: readonly PublishedStep[] | undefined;
/** Computed once, when first asked for. */
export function publishedSteps(): readonly PublishedStep[] {
  const once = (seconds: number): Measured['runs'] => [['', seconds, undefined]];
  all ??= [
    ...measuredOnTrainium(),
    ...gpuRuns.map(({ what, source, seconds, ...question }) => ({ what, source, question, runs: once(seconds) })),
    ...megatronPoints.map(({ model, nodes, layout, seconds }) => ({
      what: `${model}, ${nodes * 8} × A100, ${layout.recompute} recomputation`,
      source: 'Korthikanti et al. 2022, tables 3 and 5',
      question: { workload: megatronWorkload(model), machine: selene(), nodes, layout, software: 'megatron' } as const,
      runs: once(seconds),
    })),
  ].flatMap(publish);
  return all;
}
