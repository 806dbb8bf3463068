// A layout for a whole model: all axes of a mesh at once.
import { TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import type { Module } from '../../nn/index.ts';
import { userLocation, wrongArgument } from '../../tensor/index.ts';
import { axesAmong, batchAxes, checkModel, checkOptions, divideInputs, expertAxes, sequenceAxes } from './batch.ts';
import { divideExperts } from './expert-parallel.ts';
import { fullyShard } from './fully-shard.ts';
import { type PipelineOptions, pipeline } from './pipeline.ts';
import { divideExpertWidths, limitExperts, planOf } from './plans.ts';
import { checkSamePlan } from './same-plan.ts';
import type { ParallelStyle } from './styles.ts';

/** A style for each module, by its dotted name; `*` stands for one part of it. */
export type ParallelPlan = { readonly [pattern: string]: ParallelStyle };
/** Options of `parallelize`. */
export interface ParallelizeOptions {
  /** A style for each module along the axis `tp`. Models of this library have a plan of their own. */
  readonly plan?: ParallelPlan;
  /** Divides the sequence between blocks along the axis `tp`, in the plan of a model that has one. */
  readonly sequenceParallel?: boolean;
  /** Whether parameters are divided along the axis `dp_shard`, true by default; otherwise only the batch is. */
  readonly fullyShard?: boolean;
  /** As for `fullyShard`. */
  readonly reshardAfterForward?: boolean;
  /** As for `expertParallel`. */
  readonly capacityFactor?: number;
  /** As for `pipeline`, on a mesh with the axis `pp`. */
  readonly pipeline?: PipelineOptions;
}

/**
 * Divides a model over the ranks of a mesh. Along `tp`: by the plan, given as an option or alone (`{ fc1: ColwiseParallel() }`),
 * or, for models of this library, by their own; along `dp_shard`, as `fullyShard` does; along `dp_replicate` and `ep`, the
 * batch; along `cp`, the sequence; along `ep`, also experts; along `pp`, the sequence of layers, as `pipeline` does. Every rank
 * calls it, before the optimizer is made, and gives the same inputs of the whole batch. PyTorch:
 * `torch.distributed.tensor.parallel.parallelize_module`.
 * @throws {WRONG_ARGUMENT} for anything other than a module, a plan that matches none, and styles that do not fit
 * @throws {UNKNOWN_MESH_AXIS} for a plan on a mesh without the axis `tp`
 * @throws {PLANS_DIFFER} if ranks give different plans
 * @example
 * const mesh = initDeviceMesh({ tp: 1 });
 * const model = new nn.Sequential(new nn.Linear(4, 8), new nn.ReLU(), new nn.Linear(8, 4));
 * parallelize(model, mesh, { 0: ColwiseParallel(), 2: RowwiseParallel() });
 * model(ones([2, 4])).shape // [2, 4]
 */
export function parallelize<M extends Module>(
  model: M,
  mesh: DeviceMesh,
  options: ParallelPlan | ParallelizeOptions = {},
): M {
  const call = 'parallelize';
  checkModel(call, model);
  const given = settled(options);
  const { plan, sequenceParallel = false, fullyShard: isSharded = true, reshardAfterForward = true } = given;
  checkSamePlan(call, mesh, given);
  limitExperts(call, model, given.capacityFactor);
  const [axis] = axesAmong(mesh, ['tp', 'tensor']);
  if (plan !== undefined && axis === undefined) throw unknownAxis(mesh);
  if (axis !== undefined) {
    const styles = plan === undefined ? planOf(model, { sequenceParallel }) : matching(model, plan);
    if (styles.size === 0 && mesh.size('tp') * mesh.size('tensor') > 1)
      throw wrongArgument(
        { call, argument: 'the plan' },
        plan,
        `a plan for ${model.constructor.name}, such as { fc1: ColwiseParallel() }`,
      );
    for (const [name, style] of styles) style.apply(model.getSubmodule(name), axis);
    if (plan === undefined) divideExpertWidths(model, axis);
  }
  for (const axis of axesAmong(mesh, expertAxes)) divideExperts(model, mesh, axis);
  const sequence = axesAmong(mesh, sequenceAxes);
  if (isSharded && axesAmong(mesh, ['dp_shard']).length > 0) fullyShard(model, mesh, { reshardAfterForward });
  else divideInputs(model, axesAmong(mesh, batchAxes), []);
  divideInputs(model, [], sequence);
  const hasStages = mesh.size('pp') * mesh.size('pipeline') > 1 || given.pipeline !== undefined;
  return hasStages ? pipeline(model, mesh, given.pipeline) : model;
}

/** A plan alone has styles only. @throws {WRONG_ARGUMENT} @throws {NO_SUCH_OPTION} */
function settled(options: ParallelPlan | ParallelizeOptions): ParallelizeOptions {
  const isPlan = Object.values(options).some(isStyle);
  const given: ParallelizeOptions = isPlan ? { plan: options as ParallelPlan } : (options as ParallelizeOptions);
  checkOptions('parallelize', given, [
    ...['plan', 'sequenceParallel', 'fullyShard', 'reshardAfterForward', 'capacityFactor', 'pipeline'],
  ]);
  const other = Object.entries(given.plan ?? {}).find(([, style]) => !isStyle(style));
  if (other !== undefined)
    throw wrongArgument(
      { call: 'parallelize', argument: `the plan of '${other[0]}'` },
      other[1],
      'a style, such as ColwiseParallel()',
    );
  return given;
}
const isStyle = (value: unknown): value is ParallelStyle =>
  typeof value === 'object' && value !== null && typeof (value as { readonly apply?: unknown }).apply === 'function';

function matching(model: Module, plan: ParallelPlan): ReadonlyMap<string, ParallelStyle> {
  const names = Array.from(model.namedModules(), ([name]) => name);
  const styles = new Map<string, ParallelStyle>();
  for (const [pattern, style] of Object.entries(plan)) {
    const parts = pattern.split('*').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const expression = new RegExp(`^${parts.join('[^.]+')}$`);
    const found = names.filter(name => expression.test(name));
    if (found.length === 0) {
      const nearest = nearestName(pattern, names);
      const expected = `names of modules of ${model.constructor.name}${nearest === undefined ? '' : `, such as ${nearest}`}`;
      throw wrongArgument({ call: 'parallelize', argument: 'the plan' }, pattern, expected);
    }
    for (const name of found) styles.set(name, style);
  }
  return styles;
}

const unknownAxis = (mesh: DeviceMesh): TrenioError => {
  const known = mesh.axes.map(({ name }) => name);
  return new TrenioError('UNKNOWN_MESH_AXIS', { axis: 'tp', nearest: undefined, known }, { location: userLocation() });
};
