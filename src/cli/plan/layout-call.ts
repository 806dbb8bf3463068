// A layout of a plan as the calls that make it in a script.
import type { Layout } from '../../simulator/layout.ts';

/** The options of `trenio run` and the calls of the script; undefined for one device, and what `pipeline` cannot make. */
export function layoutCall(layout: Layout, script: string): string | undefined {
  const { data, tensor, pipeline, interleave, microBatches, expert, sequenceParallel, zero1, shard, mesh } = layout;
  const { replicas = zero1 ? 1 : data / expert } = layout;
  if (mesh !== undefined) return `trenio run --layout ${mesh} ${script}`;
  if (data * tensor * pipeline === 1 || interleave > 2) return undefined;
  const schedule = interleave === 2 ? `, schedule: 'Interleaved1F1B'` : '';
  const parts = { pp: pipeline, dp_replicate: replicas, dp_shard: data / expert / replicas, ep: expert, tp: tensor };
  const axes = Object.entries(parts).filter(([, size]) => size > 1);
  const options = [
    ...(sequenceParallel && tensor > 1 ? ['sequenceParallel: true'] : []),
    ...(zero1 && shard === undefined ? ['fullyShard: false'] : []),
    ...(pipeline > 1 ? [`pipeline: { microBatches: ${microBatches}${schedule} }`] : []),
    ...(shard === 'gradients' ? ['reshardAfterForward: false'] : []),
  ];
  const chosen = options.length === 0 ? '' : `, { ${options.join(', ')} }`;
  const optimizer = zero1 && shard === undefined ? '; zero1(optimizer, mesh)' : '';
  const sizes = axes.map(([axis, size]) => `${axis}=${size}`).join(',');
  return `trenio run --layout ${sizes}, and in the script: const mesh = initDeviceMesh(); parallelize(model, mesh${chosen})${optimizer}`;
}
