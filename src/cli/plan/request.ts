// Turns the command line into a request for the simulator: the workload, the machines and the amount of training. Defaults that
// were chosen for missing options are collected as assumptions.
import { TrenioError } from '../../base/errors.ts';
import type { MicroUsd } from '../../base/money.ts';
import type { Machine, PurchaseKind } from '../../hardware/machine.ts';
import { machineOf } from '../../hardware/machine-of.ts';
import { describePrecision } from '../../simulator/formats.ts';
import {
  type AttentionKernel,
  assumedSampleBytes,
  attentionKernels,
  type GpuSoftware,
  gpuSoftwares,
  modelOf,
  optimizers,
  precisions,
  type Recomputation,
  type StorageOptions,
  type TransformerConfig,
  type Workload,
} from '../../simulator/index.ts';
import type {
  Amount,
  FailureOptions,
  LayoutSpace,
  Objective,
  Recipe,
  SpotAssumptions,
  StartUp,
  TermsOptions,
} from '../../simulator/plan/index.ts';
import { assumedBatch, defaultStartUp, purchaseKinds, recipeOf } from '../../simulator/plan/index.ts';
import type { CliContext } from '../command/command.ts';
import { bad, localMachines, readLayout } from './layout-option.ts';
import type { PlanInput } from './plan-options.ts';
import {
  MOST,
  parseBytes,
  parseChoice,
  parseCount,
  parseDate,
  parseMoney,
  parseNames,
  parseNodes,
  parseQuantity,
  parseRate,
  parseSize,
  parseSpan,
} from './quantities.ts';
import { type Recordings, recordings } from './recordings.ts';
import { isProgram, type NamedProgram, namedProgram, workloadOfProgram, workloadOfScript } from './script.ts';

export interface PlanRequest {
  readonly workload: Workload;
  /** The recordings of a script with --layout for a number of devices, instead of the workload. */
  readonly recordings: Recordings['of'] | undefined;
  /** The software that trains on GPUs. */
  readonly software: GpuSoftware | undefined;
  readonly storage: StorageOptions;
  readonly machines: readonly Machine[];
  readonly nodes: readonly number[];
  readonly space: LayoutSpace;
  /** The recipe whose layouts are used; undefined: all recipes of each machine. */
  readonly recipe: Recipe | undefined;
  readonly amount: Amount | undefined;
  readonly startUp: StartUp | undefined;
  readonly search: SearchRequest | undefined;
  readonly purchase: PurchaseRequest;
  readonly failures: FailureOptions | undefined;
  readonly deadlineSeconds: number | undefined;
  readonly budget: MicroUsd | undefined;
  readonly assumptions: readonly string[];
}
export interface SearchRequest {
  readonly objective: Objective;
  readonly top: number;
  readonly memoryBytes: number | undefined;
}
export interface PurchaseRequest {
  /** The purchase options considered; undefined: all. */
  readonly kinds: readonly PurchaseKind[] | undefined;
  /** Show them side by side. */
  readonly compare: boolean;
  readonly spot: Partial<SpotAssumptions>;
  readonly start: Date | undefined;
}

const missing = (argument: string, expected: string): TrenioError =>
  new TrenioError('MISSING_ARGUMENT', { command: 'plan', argument, expected });

/**
 * @throws {BAD_ARGUMENT}
 * @throws {MISSING_ARGUMENT}
 * @throws {UNKNOWN_MACHINE}
 * @throws {UNKNOWN_MODEL}
 * @throws what following a script throws
 */
export async function readRequest(input: PlanInput, context: CliContext, program?: NamedProgram): Promise<PlanRequest> {
  const { options } = input;
  const assumptions: string[] = [];
  const profile = options.profile === undefined ? 'docs' : parseChoice('--profile', options.profile, profiles);
  const on = options.on ?? (options.layout === undefined ? undefined : 'local');
  if (on === undefined) throw missing('--on', 'machines: --on trn1.32xlarge,p4d.24xlarge');
  const layout = readLayout(input, program);
  const lnc = options.lnc === undefined ? {} : ({ lnc: options.lnc === 1 ? 1 : 2 } as const);
  const named = (name: string): readonly Machine[] =>
    name === 'local' ? localMachines(layout, context) : [machineOf(name, { profile, ...lnc })];
  const machines = parseNames('--on', on).flatMap(named);
  const nodes = options.nodes === undefined ? [1] : parseNodes('--nodes', options.nodes);
  const given = readAmount(options);
  const places = machines.flatMap(({ devices }) =>
    nodes.map(count => ({ perInstance: devices, devices: devices * count })),
  );
  const {
    workload: computed,
    amount,
    recordings: recorded,
  } = layout === undefined
    ? await readWorkload(input, context, program, assumptions)
    : await readRecordings(input, layout, places, context, assumptions);
  const sampleBytes = readSampleBytes(options, computed, assumptions);
  const workload = { ...computed, run: { ...computed.run, sampleBytes } };
  const storage = readStorage(options);
  const space = readSpace(options, workload, machines, nodes, assumptions);
  checkTogether(options, workload, amount ?? given);
  return {
    workload,
    recordings: recorded && (devices => recorded(devices).map(one => ({ ...one, run: workload.run }))),
    storage,
    software: options.software === undefined ? undefined : parseChoice('--software', options.software, gpuSoftwares),
    machines,
    nodes,
    space,
    recipe: readRecipe(options, workload),
    amount: given ?? amount,
    startUp: options['start-up'] === undefined ? undefined : startUpOf(parseSpan('--start-up', options['start-up'])),
    search: options.search || (options.layout === 'auto' && layout === undefined) ? readSearch(options) : undefined,
    purchase: readPurchase(options),
    failures: options.failures ? readFailures(options, storage) : undefined,
    deadlineSeconds: options.deadline === undefined ? undefined : parseSpan('--deadline', options.deadline),
    budget: options.budget === undefined ? undefined : parseMoney('--budget', options.budget),
    assumptions,
  };
}

type Options = PlanInput['options'];
const profiles = ['docs', 'launch'] as const;
const shards = ['gradients', 'weights'] as const;
const objectives = ['time', 'cost'] as const;
const recomputations = ['none', 'selective', 'full'] as const satisfies readonly Recomputation[];

async function readRecordings(
  { options, positionals: [script, ...args] }: PlanInput,
  layout: string,
  places: Parameters<typeof recordings>[0]['places'],
  context: CliContext,
  assumptions: string[],
): Promise<ReadWorkload> {
  checkScriptOptions(options);
  const precision =
    options.precision === undefined ? undefined : parseChoice('--precision', options.precision, precisions);
  const quiet = options.json;
  const found = await recordings({ script: script!, args, layout, precision, places, context, quiet });
  assumptions.push(...found.assumptions);
  if (found.first === undefined)
    throw bad(
      '--layout',
      `'${layout}'`,
      `sizes whose product is ${[...new Set(places.map(p => p.devices))].join(' or ')}`,
    );
  return { workload: found.first, amount: found.amount, recordings: found.of };
}

/** All of the given time is waited for and paid. */
const startUpOf = (seconds: number): StartUp => ({ provision: 0, prepare: seconds });

interface ReadWorkload {
  readonly workload: Workload;
  readonly amount?: Amount | undefined;
  readonly recordings?: Recordings['of'];
}
async function readWorkload(
  { options, positionals: [script, ...args] }: PlanInput,
  context: CliContext,
  program: NamedProgram | undefined,
  assumptions: string[],
): Promise<ReadWorkload> {
  const precision =
    options.precision === undefined ? undefined : parseChoice('--precision', options.precision, precisions);
  const optimizer =
    options.optimizer === undefined ? undefined : parseChoice('--optimizer', options.optimizer, optimizers);
  const attention =
    options.attention === undefined ? undefined : parseChoice('--attention', options.attention, attentionKernels);
  if (script !== undefined) {
    for (const name of ['model', 'config'] as const)
      if (options[name] !== undefined) throw bad(`--${name}`, `'${options[name]}' and a script`, 'one of the two');
    checkScriptOptions(options);
    if (program !== undefined) return workloadOfProgram(program, precision, assumptions);
    return isProgram(script)
      ? workloadOfProgram(await namedProgram(context.cwd, script), precision, assumptions)
      : workloadOfScript(script, args, precision, context, assumptions, options.json);
  }
  const model = await readModel(options, context.cwd, assumptions);
  if (model === undefined) throw missing('<script>', 'a script, or a model: --model llama3-8b');
  const chosen = (what: string, value: string): void => {
    assumptions.push(`${what} not given: ${value}.`);
  };
  if (precision === undefined) chosen('--precision', `bf16-mixed, ${describePrecision('bf16-mixed')}`);
  if (optimizer === undefined) chosen('--optimizer', 'adamw');
  if (attention === undefined) chosen('--attention', 'blocked, with scores never stored in memory');
  return {
    workload: {
      model,
      run: {
        kind: 'training',
        sequence: sequenceOf(model, options.sequence, assumptions),
        optimizer: optimizer ?? 'adamw',
      },
      precision: precision ?? 'bf16-mixed',
      attention: attention ?? ('blocked' satisfies AttentionKernel),
    },
  };
}

/** Undefined if none is named. */
export async function readModel(
  { model, config }: Options,
  cwd: string,
  assumptions: string[],
): Promise<TransformerConfig | undefined> {
  if (config === undefined) return model === undefined ? undefined : modelOf(model);
  if (model !== undefined) throw bad('--config', `'${config}' and --model`, 'one of the two');
  // Loaded here: the architectures of models are not needed for other plans.
  return (await import('./model-config.ts')).modelOfConfig(config, cwd, assumptions);
}

function checkScriptOptions({ sequence, optimizer, attention }: Options): void {
  for (const [option, value] of Object.entries({ sequence, optimizer, attention }))
    if (value !== undefined) throw bad(`--${option}`, `'${value}' for a script`, 'no value: the script defines it');
}

const DEFAULT_SEQUENCE = 4096;
const MOST_TOKENS = 2 ** 30;
function sequenceOf(model: TransformerConfig, given: string | undefined, assumptions: string[]): number {
  const { positions, patches, name } = model;
  const fixed = patches === undefined ? undefined : positions;
  if (given !== undefined) {
    const sequence = parseCount('--sequence', given, MOST_TOKENS);
    if (fixed !== undefined && sequence !== fixed)
      throw bad('--sequence', `'${given}'`, `${fixed}: the patches of ${name}`);
    if (positions > 0 && sequence > positions)
      throw bad('--sequence', `'${given}'`, `at most ${positions}, the positions of ${name}`);
    return sequence;
  }
  const sequence = fixed ?? (positions > 0 ? positions : DEFAULT_SEQUENCE);
  if (fixed === undefined) assumptions.push(`--sequence not given: ${sequence} tokens per sample.`);
  return sequence;
}

/** Undefined for a program whose samples have no given size. */
function readSampleBytes(
  { 'sample-bytes': given }: Options,
  { model, run }: Workload,
  assumptions: string[],
): number | undefined {
  if (given !== undefined) return parseSize('--sample-bytes', given);
  if (model.kind === 'program') {
    assumptions.push('--sample-bytes not given: steps do not wait for data.');
    return undefined;
  }
  const { bytes, because } = assumedSampleBytes(model, run.sequence);
  assumptions.push(`--sample-bytes not given: ${because}.`);
  return bytes;
}

const readStorage = (options: Options): StorageOptions => {
  const rate = (name: 'node-storage-bandwidth' | 'storage-bandwidth'): number | undefined => {
    const text = options[name];
    return text === undefined ? undefined : parseRate(`--${name}`, text);
  };
  return { nodeBandwidth: rate('node-storage-bandwidth'), storageBandwidth: rate('storage-bandwidth') };
};

function readAmount(options: Options): Amount | undefined {
  const { tokens, samples, steps, epochs, dataset } = options;
  const given = Object.entries({ tokens, samples, steps, epochs }).filter(([, value]) => value !== undefined);
  const [first, second] = given;
  if (second !== undefined) throw bad(`--${second[0]}`, `given together with --${first![0]}`, 'a single amount');
  if (dataset !== undefined && epochs === undefined)
    throw bad('--dataset', `'${dataset}' without --epochs`, '--epochs as well');
  if (tokens !== undefined) return { kind: 'tokens', tokens: parseQuantity('--tokens', tokens) };
  if (samples !== undefined) return { kind: 'samples', samples: parseQuantity('--samples', samples) };
  if (steps !== undefined) return { kind: 'steps', steps: parseCount('--steps', steps) };
  if (epochs === undefined) return undefined;
  if (dataset === undefined)
    throw missing('--dataset', '--epochs needs the number of samples per epoch: --dataset 3.6M');
  const amount = { epochs: parseQuantity('--epochs', epochs), samples: parseQuantity('--dataset', dataset) };
  if (amount.epochs * amount.samples > MOST)
    throw bad('--epochs', `'${epochs}' of ${dataset} samples`, 'at most 1e16 samples in total');
  return { kind: 'epochs', ...amount };
}

function readRecipe({ recipe }: Options, { model }: Workload): Recipe | undefined {
  if (recipe === undefined) return undefined;
  const found = recipeOf(recipe);
  if (model.kind === 'program')
    throw bad('--recipe', `'${recipe}' for a script`, 'no value: Trenio runs scripts data parallel');
  return found;
}

/** Far beyond any training run. Larger values are mistakes, and would make the search very slow. */
const MOST_SAMPLES = 2 ** 30;

function readSpace(
  options: Options,
  workload: Workload,
  machines: readonly Machine[],
  nodes: readonly number[],
  assumptions: string[],
): LayoutSpace {
  const count = (
    name: 'dp' | 'tp' | 'pp' | 'ep' | 'interleave' | 'replicas' | 'micro-batch' | 'global-batch',
  ): number | undefined => {
    const text = options[name];
    return text === undefined ? undefined : parseCount(`--${name}`, text, MOST_SAMPLES);
  };
  const shard = options.shard === undefined ? undefined : parseChoice('--shard', options.shard, shards);
  const space: LayoutSpace = {
    data: count('dp'),
    tensor: count('tp'),
    pipeline: count('pp'),
    expert: count('ep'),
    interleave: count('interleave'),
    microBatch: count('micro-batch'),
    globalBatch: count('global-batch'),
    zero1: options.zero1 || shard !== undefined ? true : undefined,
    shard,
    replicas: count('replicas'),
    sequenceParallel: options['sequence-parallel'] ? true : undefined,
    ...readRecompute(options.recompute),
  };
  if (space.globalBatch !== undefined) return space;
  if (workload.model.kind === 'program' && workload.model.division !== undefined) return space;
  if (workload.model.kind === 'program') {
    assumptions.push(
      `--global-batch not given: each device gets the script's batch of ${workload.model.samplesPerStep} samples, so the global batch grows with the number of devices.`,
    );
    return { ...space, microBatches: 1 };
  }
  const globalBatch = assumedBatch(workload, machines, nodes, space);
  const millions = Number(((globalBatch * workload.run.sequence) / 1e6).toPrecision(2));
  assumptions.push(
    `--global-batch not given: ${globalBatch} samples per step, about ${millions} million tokens, for every number of nodes.`,
  );
  return { ...space, globalBatch };
}

/** `full/2`: in every second layer. */
function readRecompute(given: string | undefined): Pick<LayoutSpace, 'recompute' | 'recomputeEvery'> {
  if (given === undefined) return {};
  const every = /^full\/([1-9]\d{0,5})$/.exec(given)?.[1];
  if (every !== undefined) return { recompute: 'full', recomputeEvery: Number(every) };
  if (given.startsWith('full/')) throw bad('--recompute', `'${given}'`, 'full/N with an integer N, such as full/2');
  return { recompute: parseChoice('--recompute', given, recomputations) };
}

function readSearch(options: Options): SearchRequest {
  return {
    objective: options.by === undefined ? 'time' : parseChoice('--by', options.by, objectives),
    top: options.top,
    memoryBytes:
      options['memory-limit'] === undefined ? undefined : parseBytes('--memory-limit', options['memory-limit']),
  };
}

function readPurchase(options: Options): PurchaseRequest {
  const { interruptions, 'checkpoint-every': every, start, purchase } = options;
  const rate = interruptions === undefined ? undefined : Number(interruptions);
  if (rate !== undefined && !(rate >= 0 && Number.isFinite(rate)))
    throw bad('--interruptions', `'${interruptions}'`, 'a number of interruptions per hour, 0 or more');
  return {
    kinds:
      typeof purchase === 'string'
        ? parseNames('--purchase', purchase).map(kind => parseChoice('--purchase', kind, purchaseKinds))
        : undefined,
    compare: purchase !== undefined,
    spot: {
      ...(rate === undefined ? {} : { interruptionsPerInstanceHour: rate }),
      ...(every === undefined ? {} : { checkpointEverySeconds: parseSpan('--checkpoint-every', every) }),
    },
    start: start === undefined ? undefined : parseDate('--start', start),
  };
}

function readFailures({ mtbf, spares, 'checkpoint-every': every }: Options, storage: StorageOptions): FailureOptions {
  return {
    ...storage,
    mtbfDays: mtbf === undefined ? undefined : parseSpan('--mtbf', mtbf) / 86_400,
    checkpointEvery: every === undefined ? undefined : parseSpan('--checkpoint-every', every),
    spares,
  };
}

/** Rejects options that have no effect without others. */
function checkTogether(options: Options, { run: { sampleBytes } }: Workload, amount: Amount | undefined): void {
  const needs = (names: readonly (keyof Options)[], other: string, expected = `${other} as well`): void => {
    for (const name of names)
      if (options[name] !== undefined) throw bad(`--${name}`, `given without ${other}`, expected);
  };
  needs(['input', 'output', 'rate', 'ttft', 'tpot', 'weights'], '--serve');
  if (!options.search && options.layout !== 'auto') needs(['by', 'memory-limit'], '--search');
  if (!options.failures) needs(['mtbf'], '--failures');
  if (!options.failures && !sampleBytes)
    for (const name of ['node-storage-bandwidth', 'storage-bandwidth'] as const)
      if (options[name] !== undefined)
        throw bad(`--${name}`, 'given, but nothing is read or written', '--sample-bytes above 0, or --failures');
  if (!options.failures && options.spares > 0) throw bad('--spares', 'given without --failures', '--failures as well');
  if (amount === undefined) {
    const purchase = ['purchase', 'interruptions', 'start', 'checkpoint-every'] as const;
    const amounts = 'one of --tokens, --samples, --steps and --epochs';
    needs(['deadline', 'budget', 'start-up', ...purchase], 'an amount', amounts);
    if (options.failures) throw bad('--failures', 'given without an amount', amounts);
  }
}

/** How the machines are bought. */
export const termsOptionsOf = (
  { startUp, purchase: { kinds, spot, start } }: PlanRequest,
  now: Date,
): TermsOptions => ({
  startUp,
  purchase: kinds,
  spot,
  start: start === undefined ? undefined : { at: start, now },
});

export const assumedStartUp = (request: PlanRequest, machine: Machine): StartUp =>
  request.startUp ?? defaultStartUp(machine);
