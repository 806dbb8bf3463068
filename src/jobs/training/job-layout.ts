// The layout of a training job: the degrees that SageMaker's SDK sends as `mp_parameters`
// (`distribution={'smdistributed': {'modelparallel': …}}`), as `trenio run --layout` takes them.
import { decodedHyperparameters, LAYOUT_HYPERPARAMETER } from './container-contract.ts';

/** From major to minor: neighboring ranks differ along the axis that sends most. */
const axes = [
  ['pp', ['pipeline_parallel_degree', 'partitions']],
  ['ep', ['expert_parallel_degree']],
  ['cp', ['context_parallel_degree']],
  ['tp', ['tensor_parallel_degree']],
] as const;

/**
 * Undefined if a job has no layout. The remaining ranks divide the batch; `hybrid_shard_degree` of them share parameters, by
 * default all. Values that are not sizes stay as they are, and `trenio run` refuses them.
 */
export function layoutOfJob(hyperparameters: Readonly<Record<string, string>>): string | undefined {
  const given = decodedHyperparameters(hyperparameters)[LAYOUT_HYPERPARAMETER];
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null) return String(given);
  const degrees = given as Readonly<Record<string, unknown>>;
  const [first, ...others] = axes.map(([axis, names]) => {
    const name = names.find(each => degrees[each] !== undefined);
    return name === undefined || degrees[name] === 1 ? [] : [`${axis}=${String(degrees[name])}`];
  });
  const shard = degrees.hybrid_shard_degree ?? 0;
  const batch =
    shard === 0
      ? ['dp_shard=-1']
      : shard === 1
        ? ['dp_replicate=-1']
        : ['dp_replicate=-1', `dp_shard=${String(shard)}`];
  return [...first!, ...batch, ...others.flat()].join();
}
