// Layers of a model on different ranks, which work on different micro-batches of a batch at a time.
import { nearestName } from '../../base/nearest.ts';
import type { PipelineSettings } from '../../hlo/ops/stage-border.ts';
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { Module } from '../../nn/index.ts';
import { mapTensors, placeOnStage, stageBorder, type Tensor, tensorsIn, wrongArgument } from '../../tensor/index.ts';
import { withMicroAxis } from '../../transforms/pipeline/micro-batches.ts';
import {
  fits,
  isScheduleName,
  type ScheduleName,
  scheduleNames,
  schedules,
} from '../../transforms/pipeline/schedules.ts';
import { axesAmong, batchAxes, checkOptions, divideInputs } from './batch.ts';
import { checkSamePlan } from './same-plan.ts';
import { stagesOf } from './stages.ts';

/** Options of `pipeline`. */
export interface PipelineOptions {
  /** The order in which ranks work: 1F1B by default. */
  readonly schedule?: ScheduleName;
  /**
   * The number of parts of each batch, which pass through the stages one after another. By default at most twice the number of
   * ranks: the largest that gives ranks along other axes equal parts of each, else the largest divisor of the batch.
   */
  readonly microBatches?: number;
  /** Names of the modules that stages begin with, but for the first; by default, the layers are divided evenly. */
  readonly cuts?: readonly string[];
}

const call = 'pipeline';

/**
 * Puts the layers of a model on the ranks along the axis `pp`, with their gradients and the state of their optimizer. A step
 * runs the batch in parts: while one rank computes its layers for one of them, the next computes its own for the one before.
 * Every rank calls it, before the optimizer is made, and gives the same inputs of the whole batch. PyTorch:
 * `torch.distributed.pipelining`.
 * @throws {WRONG_ARGUMENT} for an unknown schedule, cuts that match no module, a stage without parameters, and micro-batches that
 * are fewer than the stages or do not divide the batch
 * @throws {NO_SUCH_OPTION}
 * @throws {PLANS_DIFFER} if ranks give different options
 * @example
 * const mesh = initDeviceMesh({ pp: 1 });
 * const layers = [new nn.Linear(4, 8), new nn.ReLU(), new nn.Linear(8, 2)];
 * const model = pipeline(new nn.Sequential(...layers), mesh, { microBatches: 2, cuts: ['2'] });
 * model(ones([8, 4])).shape // [8, 2]
 */
export function pipeline<M extends Module>(model: M, mesh: DeviceMesh, options: PipelineOptions = {}): M {
  const { schedule: name = '1F1B', microBatches, cuts } = options;
  checkOptions(call, options, ['schedule', 'microBatches', 'cuts']);
  if (!(model instanceof Module)) throw wrongArgument({ call, argument: 'the model' }, model, 'a module');
  if (!isScheduleName(name)) {
    const nearest = nearestName(String(name), scheduleNames);
    const expected =
      nearest === undefined
        ? `one of ${scheduleNames.join(', ')}`
        : `${nearest}, or another of ${scheduleNames.join(', ')}`;
    throw wrongArgument({ call, argument: 'schedule' }, name, expected);
  }
  checkSamePlan(call, mesh, { schedule: name, microBatches, cuts });
  const ranks = mesh.size('pp') * mesh.size('pipeline');
  const schedule = schedules[name];
  const stages = cuts === undefined ? ranks * schedule.stagesPerRank : cuts.length + 1;
  const isForRanks = stages % ranks === 0 && (!schedule.isFixed || stages === ranks * schedule.stagesPerRank);
  if (!isForRanks) {
    const expected = schedule.isFixed ? `cuts for ${2 * ranks} stages` : `cuts for a multiple of ${ranks} stages`;
    throw wrongArgument({ call, argument: 'cuts' }, cuts, `${expected}, as there are ${ranks} ranks`);
  }
  const sizes = { ranks, stages };
  if (microBatches !== undefined && !isFitting(name, sizes, microBatches))
    throw wrongArgument({ call, argument: 'microBatches' }, microBatches, needsOf(name, sizes));
  const { first, parameters } = stagesOf(model, stages, cuts);
  const rankOfStage = parameters.map((_, stage) => schedule.rankOf(stage, ranks));
  parameters.forEach((list, stage) => {
    for (const parameter of list) placeOnStage(parameter, rankOfStage[stage]!);
  });
  const dataAxes = axesAmong(mesh, batchAxes);
  const parts = mesh.axes.reduce((product, axis) => product * (dataAxes.includes(axis.name) ? axis.size : 1), 1);
  /** The settings of the call of the model that is being recorded. */
  let settings: PipelineSettings | undefined;
  model.registerForwardPreHook((_, args) => {
    const count = countFor(args, microBatches, name, { ...sizes, parts });
    settings = count === 1 ? undefined : { schedule: name, stages, rankOfStage, microBatches: count };
    return undefined;
  });
  divideInputs(model, withMicroAxis(dataAxes), []);
  const border = <T>(structure: T, stage: number): T =>
    mapTensors(structure, (x: Tensor) => (settings === undefined ? x : stageBorder(x, { ...settings, stage }))) as T;
  first.forEach((module, i) => {
    module.registerForwardPreHook((_, args) => border(args, i + 1));
  });
  model.registerForwardHook((_, _args, result) => border(result, stages));
  return model;
}

interface Sizes {
  readonly ranks: number;
  readonly stages: number;
}
const isFitting = (name: ScheduleName, sizes: Sizes, microBatches: number): boolean =>
  Number.isInteger(microBatches) && fits(name, { ...sizes, microBatches });
const needsOf = (name: ScheduleName, sizes: Sizes): string => {
  const least = schedules[name].least(sizes);
  const isFew = Array.from({ length: 2 * least }, (_, i) => least + i).every(count => isFitting(name, sizes, count));
  return `an integer of at least ${least}${isFew ? '' : `, such as ${2 * sizes.ranks}`}, for ${name} with ${sizes.stages} stages`;
};

/**
 * The number of micro-batches, of which each rank along the batch gets an equal part if possible.
 * @throws {WRONG_ARGUMENT} for a batch that micro-batches do not divide
 */
function countFor(
  args: readonly unknown[],
  wanted: number | undefined,
  name: ScheduleName,
  sizes: Sizes & { readonly parts: number },
): number {
  const batch = tensorsIn(args).find(x => x.ndim > 0)?.shape[0] ?? 0;
  const most = Math.max(2 * sizes.ranks, schedules[name].least(sizes));
  const counts = Array.from({ length: most }, (_, i) => i + 1).filter(count => isFitting(name, sizes, count));
  const divided = (by: number): number | undefined => counts.findLast(each => batch % (each * by) === 0);
  const count = wanted ?? divided(sizes.parts) ?? divided(1);
  if (count !== undefined && batch % count === 0) return count;
  const expected =
    wanted === undefined
      ? `a multiple of ${counts.join(' or ')}, the micro-batches of ${name}: pad the batch, or leave it out`
      : `a multiple of the ${wanted} micro-batches`;
  throw wrongArgument({ call, argument: 'the size of the batch' }, batch, expected);
}
