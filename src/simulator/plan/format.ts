// Times of steps, from microseconds to minutes, and layouts, as people write them.
import { formatDuration } from '../../base/units.ts';
import type { Layout } from '../layout.ts';

/**
 * `812 µs`, `45.1 ms`, `1.234 s`; three or four digits, since steps are compared. Long ones as durations.
 * @example
 * simulator.formatStep(0.0421) // '42.1 ms'
 */
export function formatStep(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?';
  if (seconds === 0) return '0 s';
  if (seconds < 0.9995e-3) return `${digits(seconds * 1e6)} µs`;
  if (seconds < 0.9995) return `${digits(seconds * 1e3)} ms`;
  return seconds < 99.95 ? `${digits(seconds)} s` : formatDuration(seconds);
}

/** At least three significant digits, without an exponent. */
const digits = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/**
 * `dp16 tp8 pp4×2 zero1 sp · 64 × 2`: sizes of data, tensor and pipeline parallelism (with chunks of a stage), then
 * micro-batches per step and samples in each.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * simulator.formatLayout(prediction.layout) // 'dp8 zero1 · 1 × 8'
 */
export function formatLayout(layout: Layout): string {
  const { data, tensor, pipeline, interleave, expert, zero1, shard, sequenceParallel, recompute, mesh } = layout;
  const { replicas = 1, recomputeEvery = 1 } = layout;
  if (mesh !== undefined) return mesh;
  return [
    `dp${data}`,
    ...(tensor > 1 ? [`tp${tensor}`] : []),
    ...(pipeline > 1 ? [`pp${pipeline}${interleave > 1 ? `×${interleave}` : ''}`] : []),
    ...(expert > 1 ? [`ep${expert}`] : []),
    ...(zero1 ? [shard === undefined ? 'zero1' : shard === 'gradients' ? 'zero2' : 'zero3'] : []),
    ...(replicas > 1 ? [`replicas${replicas}`] : []),
    ...(sequenceParallel ? ['sp'] : []),
    ...(recompute === 'none' ? [] : [`recompute-${recompute}${recomputeEvery > 1 ? `/${recomputeEvery}` : ''}`]),
    `· ${layout.microBatches} × ${layout.microBatch}`,
  ].join(' ');
}
