// A training on machines that fail now and then: what is left of its throughput, and what it takes and costs then.
import { costOf, type MicroUsd } from '../../base/money.ts';
import { formatsOf, optimizerFacts } from '../formats.ts';
import type { Job } from '../job.ts';
import { parametersOf } from '../models/parameters.ts';
import {
  checkpointSeconds,
  llama3NodeMtbf,
  type Reliability,
  runAssumptions,
  runDefaults,
  simulateReliability,
} from '../reliability/index.ts';
import { serviceOf } from './price.ts';
import type { TrainingPlan } from './training.ts';
import { billed } from './training.ts';

export interface FailureOptions {
  /** Mean days between interruptions that one instance is the cause of. By default what Llama 3's training saw, by chips. */
  readonly mtbfDays?: number | undefined;
  /** Seconds of training between checkpoints. By default Daly's optimum. */
  readonly checkpointEvery?: number | undefined;
  /** Instances that stand by. */
  readonly spares?: number | undefined;
  /** Bytes/s that one instance writes a checkpoint with, and all together. */
  readonly nodeBandwidth?: number | undefined;
  readonly storageBandwidth?: number | undefined;
  readonly seed?: number | undefined;
}

export interface TrainingUnderFailures {
  readonly reliability: Reliability;
  /** The steps' time ÷ goodput, with the start-up. */
  readonly seconds: number;
  /** Spares included; undefined: no public price. */
  readonly cost: MicroUsd | undefined;
  readonly checkpointBytes: number;
  readonly checkpointSeconds: number;
  readonly assumptions: readonly string[];
}

// Lustre-like storage, at 2 GB/s a client and 100 GB/s together.
const defaultNodeBandwidth = 2e9;
const defaultStorageBandwidth = 100e9;
/** Histories are drawn over at most so long; goodput does not change after that. */
const longest = 30 * 86_400;

/** @throws INVALID_OPTION for figures that are none. */
export function underFailures(plan: TrainingPlan, job: Job, options: FailureOptions = {}): TrainingUnderFailures {
  const { prediction } = plan;
  const { machine, nodes } = prediction;
  const spares = options.spares ?? runDefaults.spares;
  const bytes = checkpointBytes(job, plan);
  const writing = checkpointSeconds({
    bytes,
    nodes,
    nodeBandwidth: options.nodeBandwidth ?? defaultNodeBandwidth,
    storageBandwidth: options.storageBandwidth ?? defaultStorageBandwidth,
  });
  const run = {
    ...runDefaults,
    nodes,
    seconds: Math.min(Math.max(plan.stepsSeconds, 3600), longest),
    nodeMtbf: options.mtbfDays === undefined ? llama3NodeMtbf(machine.chips) : options.mtbfDays * 86_400,
    restart: { ...runDefaults.restart, load: writing },
    checkpoint: {
      blocking: writing,
      background: 0,
      ...(options.checkpointEvery === undefined ? {} : { interval: options.checkpointEvery }),
    },
    spares,
  };
  const reliability = simulateReliability(run, options.seed === undefined ? {} : { seed: options.seed });
  const stepsSeconds = plan.stepsSeconds / reliability.goodput.mean;
  const { startUp, price } = plan;
  const each = billed(serviceOf(machine), startUp, stepsSeconds);
  return {
    reliability,
    seconds: plan.seconds - plan.stepsSeconds + stepsSeconds,
    cost: price === undefined ? undefined : costOf(price.perHour, each * (nodes + spares)),
    checkpointBytes: bytes,
    checkpointSeconds: writing,
    assumptions: [
      ...(options.mtbfDays === undefined
        ? [
            `Failures are as frequent as in the training of Llama 3, one in ${Math.round((machine.chips * run.nodeMtbf) / 86_400)} chip-days`,
          ]
        : []),
      ...runAssumptions(run).map(text => `Failures of ${nodes} × ${machine.name}: ${text}`),
    ],
  };
}

/** Weights (their masters where there are), and the optimizer's state. */
function checkpointBytes({ workload, precision, optimizer }: Job, { prediction }: TrainingPlan): number {
  const formats = formatsOf(precision, prediction.machine.device);
  const parameters = workload.kind === 'program' ? workload.parameters : parametersOf(workload).total;
  const { moments } = optimizerFacts[optimizer];
  return parameters * ((formats.master === 0 ? formats.weight : formats.master) + moments * formats.moment);
}
