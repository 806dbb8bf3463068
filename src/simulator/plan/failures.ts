// Training on machines that fail occasionally: the remaining throughput, and the resulting duration and cost.
import type { MicroUsd } from '../../base/money.ts';
import { formatsOf, optimizerFacts } from '../formats.ts';
import { parametersOf } from '../models/parameters.ts';
import {
  checkpointSeconds,
  llama3NodeMtbf,
  type Reliability,
  runAssumptions,
  runDefaults,
  simulateReliability,
} from '../reliability/index.ts';
import { type StorageOptions, storageOf } from '../storage.ts';
import type { Workload } from '../workload.ts';
import { bestQuote } from './quote.ts';
import type { TrainingPlan } from './training.ts';

/** The assumptions on failures and checkpoints. */
export interface FailureOptions extends StorageOptions {
  /** Mean days between interruptions caused by one instance. Default: the rate per chip in Llama 3's training. */
  readonly mtbfDays?: number | undefined;
  /** Seconds of training between checkpoints. By default Daly's optimum. */
  readonly checkpointEvery?: number | undefined;
  /** Standby instances. */
  readonly spares?: number | undefined;
  /** The seed of the simulated failures. */
  readonly seed?: number | undefined;
}

/** Time and cost of a training run with failures. */
export interface TrainingUnderFailures {
  /** The result of the simulated histories. */
  readonly reliability: Reliability;
  /** The steps' time ÷ goodput, with the start-up, and with interruptions if the machines are spot instances. */
  readonly seconds: number;
  /**
   * Including spares, with the purchase option of the plan; undefined if there is no public price, or if it is not sold for
   * that duration or number.
   */
  readonly cost: MicroUsd | undefined;
  /** The size of a checkpoint in bytes. */
  readonly checkpointBytes: number;
  /** The time to write a checkpoint in seconds. */
  readonly checkpointSeconds: number;
  /** The assumptions, in words. */
  readonly assumptions: readonly string[];
}

/** The maximum length of sampled histories; goodput does not change after that. */
const longest = 30 * 86_400;

/**
 * A planned training with failures: its goodput, time and cost.
 * @throws {INVALID_OPTION} for invalid figures
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * const plan = simulator.planTraining(prediction, { kind: 'tokens', tokens: 1e9 });
 * simulator.underFailures(plan, workload).reliability.goodput.mean <= 1 // true
 */
export function underFailures(
  plan: TrainingPlan,
  workload: Workload,
  options: FailureOptions = {},
): TrainingUnderFailures {
  const { prediction } = plan;
  const { machine, nodes } = prediction;
  const spares = options.spares ?? runDefaults.spares;
  const bytes = checkpointBytes(workload, plan);
  const writing = checkpointSeconds({ bytes, nodes, ...storageOf(machine, options) });
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
  // With the plan's purchase option: a block may have to be longer, and spares are paid for, too.
  const terms = { ...plan.terms, offers: [plan.quote.offer] };
  const quote = bestQuote(nodes + spares, stepsSeconds, terms, 'cost', {});
  return {
    reliability,
    seconds: quote.seconds,
    cost: quote.kind === 'priced' ? quote.toPay : undefined,
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

/** The weights (or their master copies, if any), and the optimizer's state. */
function checkpointBytes({ model, precision, run: { optimizer } }: Workload, { prediction }: TrainingPlan): number {
  const formats = formatsOf(precision, prediction.machine.device);
  const parameters = model.kind === 'program' ? model.parameters : parametersOf(model).total;
  const { moments } = optimizerFacts[optimizer];
  return parameters * ((formats.master === 0 ? formats.weight : formats.master) + moments * formats.moment);
}
