// The recorded predictions, with all numbers as canonical JSON (sorted keys, one value per line): models on
// machines of the catalog in default and given layouts, recorded programs on accelerators and on a fixed CPU,
// searches, purchase options, failures, and published results.
import { hardware, isTrenioError, simulator } from 'trenio';
import { modulesOf } from './programs.ts';
import type { ProgramSet } from './replay-program.ts';
import { targets } from './targets.ts';
import {
  cpuRates,
  machineOfCalibration,
  predictHere,
  validateArticle,
  validateMegatron,
  validateTrn1,
} from './trenio.ts';

export interface Question {
  readonly name: string;
  readonly sets: readonly ProgramSet[];
  /** Trenio errors are recorded as results too. */
  readonly answer: () => unknown;
}
const { predict, modelOf } = simulator;
const { machineOf } = hardware;
const [fast, all]: readonly (readonly ProgramSet[])[] = [['all', 'fast'], ['all']];

interface Changes extends Partial<Omit<simulator.Workload, 'run'>> {
  readonly run?: Partial<simulator.TrainingRun>;
}
const workloadOf = (name: string, { run, ...more }: Changes = {}): simulator.Workload => ({
  model: modelOf(name),
  run: {
    kind: 'training',
    sequence: /vit/.test(name) ? 197 : /bert/.test(name) ? 512 : /gpt2/.test(name) ? 1024 : 2048,
    optimizer: 'adamw',
    ...run,
  },
  precision: 'bf16-mixed',
  attention: 'unfused',
  ...more,
});
const plain: simulator.Layout = {
  data: 4,
  tensor: 8,
  pipeline: 1,
  interleave: 1,
  expert: 1,
  sequenceParallel: true,
  zero1: false,
  microBatch: 1,
  microBatches: 16,
  recompute: 'selective',
};

const models = [
  'bert-large',
  'gpt2-xl',
  'gpt3-6.7b',
  'gpt3-175b',
  'llama3-8b',
  'llama3-70b',
  'mixtral-8x7b',
  'vit-large',
];
const machines = [
  'trn1.32xlarge',
  'trn2.48xlarge',
  'trn3-ultraserver-gen2',
  'g5.48xlarge',
  'p4d.24xlarge',
  'p5.48xlarge',
];
const nodeCounts = [1, 4, 16];
const chosen = models.flatMap(model =>
  machines.flatMap(machine =>
    nodeCounts.map(
      (nodes): Question => ({
        name: `${model} on ${nodes} × ${machine}`,
        sets: nodes === 4 && (model === 'bert-large' || model === 'llama3-8b') ? fast! : all!,
        answer: () =>
          simulator.chooseLayout(
            { workload: workloadOf(model), machine: machineOf(machine), nodes, space: { globalBatch: 1024 } },
            predict,
          ),
      }),
    ),
  ),
);

const layouts: Readonly<Record<string, Partial<simulator.Layout>>> = {
  plain: {},
  'no recomputation': { recompute: 'none', sequenceParallel: false },
  'full recomputation': { recompute: 'full' },
  'ZeRO-1': { zero1: true },
  pipeline: { data: 2, pipeline: 2 },
  interleaved: { data: 1, pipeline: 4, interleave: 2 },
  'micro-batches of 4': { microBatch: 4, microBatches: 4 },
  impossible: { tensor: 7 },
};
const workloads: Readonly<Record<string, Changes>> = {
  f32: { precision: 'f32', run: { optimizer: 'sgd' } },
  'bf16 with LAMB, fused softmax': { precision: 'bf16', run: { optimizer: 'lamb' }, attention: 'fused-softmax' },
  'amp in blocks': { precision: 'amp', attention: 'blocked' },
};
const given = Object.entries(layouts).flatMap(([name, layout]) =>
  Object.entries(workloads).map(
    ([kind, workload]): Question => ({
      name: `gpt3-6.7b in ${kind} on trn1.32xlarge, ${name}`,
      sets: fast!,
      answer: () => {
        const prediction = predict({
          workload: workloadOf('gpt3-6.7b', workload),
          machine: machineOf('trn1.32xlarge'),
          nodes: 1,
          layout: {
            ...plain,
            ...layout,
          },
        });
        return { prediction, timeline: prediction.timeline() };
      },
    }),
  ),
);

const cpu = machineOfCalibration({
  threads: 2,
  rates: cpuRates,
  peakFlops: { f32: 1e11, bf16: 2e11 },
  memoryBandwidth: 4e10,
  error: 0,
});
const recorded: Readonly<Record<string, readonly ProgramSet[]>> = {
  'bert-base': all!,
  'bert-base-bf16': all!,
  gpt2: all!,
  resnet18: all!,
  'bert-1-layer': fast!,
  mlp: fast!,
  'resnet18-tiny': fast!,
  'jax-transformer-step': fast!,
  'jax-scan-and-while': fast!,
  'dynamic-mlp': fast!,
};
const programs = Object.entries(recorded).map(
  ([name, sets]): Question => ({
    name: `program ${name} on hardware`,
    sets,
    answer: () => {
      const model = simulator.recordedProgram(modulesOf(name)[0]!, { name, target: targets.avx512 });
      return {
        workload: model,
        local: predictHere(model, cpu),
        predictions: ['trn1.32xlarge', 'p4d.24xlarge'].map(machine => {
          const { devices } = machineOf(machine);
          const layout = { ...plain, data: devices, tensor: 1, sequenceParallel: false, recompute: 'none' } as const;
          const workload = {
            model,
            run: { kind: 'training', sequence: 1, optimizer: 'adamw' },
            precision: 'f32',
            attention: 'unfused',
          } as const;
          const microBatch = model.samplesPerStep;
          return predict({
            workload,
            machine: machineOf(machine),
            nodes: 1,
            layout: { ...layout, microBatch, microBatches: 1 },
          });
        }),
      };
    },
  }),
);

const searched = {
  workload: workloadOf('bert-large', { run: { sequence: 128 } }),
  machines: ['trn1.32xlarge', 'p4d.24xlarge'].map(name => machineOf(name)),
};
const plans: readonly Question[] = [
  {
    name: 'search of bert-large by cost',
    sets: fast!,
    answer: () =>
      simulator.searchLayouts(
        {
          ...searched,
          nodes: [1, 2],
          space: { globalBatch: 4096 },
          amount: { kind: 'steps', steps: 7000 },
          objective: 'cost',
          constraints: { deadlineSeconds: 2 * 86_400 },
        },
        predict,
      ),
  },
  {
    name: 'training of bert-large, bought and with failures',
    sets: fast!,
    answer: () => {
      const [machine] = searched.machines;
      const { prediction } = simulator.chooseLayout(
        { workload: searched.workload, machine: machine!, nodes: 16, space: { globalBatch: 4096 } },
        predict,
      );
      const plan = simulator.planTraining(prediction, { kind: 'tokens', tokens: 1e11 });
      const { stepsSeconds, startUp } = plan;
      return {
        plan,
        purchase: simulator.purchaseOptions({ machine: machine!, nodes: 16, stepsSeconds, startUp }),
        failures: simulator.underFailures(plan, searched.workload, { seed: 1 }),
      };
    },
  },
  { name: 'published rows of trn1', sets: fast!, answer: () => validateTrn1() },
  { name: 'published rows of Megatron-LM', sets: fast!, answer: () => validateMegatron() },
  { name: 'published rows of the article', sets: fast!, answer: () => validateArticle() },
];

export const questionsOf = (set: ProgramSet): readonly Question[] =>
  [...chosen, ...given, ...programs, ...plans].filter(({ sets }) => sets.includes(set));

/** The answer as text. */
export function answerText({ answer }: Question): string {
  try {
    return `${JSON.stringify(canonical(answer()), undefined, 1)}\n`;
  } catch (error) {
    if (!isTrenioError(error)) throw error;
    return `${error.message}\n`;
  }
}

/** Sorted keys, machines by name, without the request and without functions; numbers in full precision. */
function canonical(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? value : String(value);
  if (value instanceof Map) return [...value].map(canonical);
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, each]) => key !== 'question' && typeof each !== 'function' && each !== undefined,
  );
  return Object.fromEntries(
    entries
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, key === 'machine' ? ((each as hardware.Machine).name ?? each) : canonical(each)]),
  );
}
