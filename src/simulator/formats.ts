// A workload's precision as bytes and multiply formats on a device.
import type { Device, MultiplyType } from '../hardware/machine.ts';
import type { OptimizerName } from './run.ts';
import type { Precision } from './workload.ts';

export interface Formats {
  readonly multiply: MultiplyType;
  /** Bytes per activation, weight (as multiplies read it), gradient (as stored), and gradient in collectives. */
  readonly activation: number;
  readonly weight: number;
  readonly gradient: number;
  readonly collective: number;
  /** Bytes of the master copy of a weight; 0 if there is no separate master copy. */
  readonly master: number;
  /** Bytes of one moment of the optimizer. */
  readonly moment: number;
}

/**
 * `bf16-mixed`: Megatron-LM and NxD's mixed precision add gradients up and all-reduce them in f32 (`main_grad`,
 * `accumulate_allreduce_grads_in_fp32`; `fp32_grad_acc`), with f32 master weights and moments. `bf16`: all of it in bf16, with
 * stochastic rounding on Trainium. `fp8`: `bf16-mixed`, with operands of linear layers cast to 8-bit floats (Micikevicius et al.
 * 2022); attention and logits stay in bf16. `amp`: autocast of multiplies only.
 */
const table: Readonly<Record<Precision, Formats>> = {
  f32: { multiply: 'f32', activation: 4, weight: 4, gradient: 4, collective: 4, master: 0, moment: 4 },
  tf32: { multiply: 'tf32', activation: 4, weight: 4, gradient: 4, collective: 4, master: 0, moment: 4 },
  bf16: { multiply: 'bf16', activation: 2, weight: 2, gradient: 2, collective: 2, master: 0, moment: 2 },
  'bf16-mixed': { multiply: 'bf16', activation: 2, weight: 2, gradient: 4, collective: 4, master: 4, moment: 4 },
  fp8: { multiply: 'f8', activation: 2, weight: 2, gradient: 4, collective: 4, master: 4, moment: 4 },
  amp: { multiply: 'bf16', activation: 2, weight: 4, gradient: 4, collective: 4, master: 0, moment: 4 },
};

/** The multiply format of a precision, whether or not the device supports it. */
export const wantedMultiply = (precision: Precision): MultiplyType => table[precision].multiply;

/** `bf16 multiplies; in memory bf16 activations and weights, f32 gradients, master weights and moments` */
export function describePrecision(precision: Precision): string {
  const { multiply, activation, weight, gradient, master, moment } = table[precision];
  const parts = [
    ['activations', activation],
    ['weights', weight],
    ['gradients', gradient],
    ...(master === 0 ? [] : [['master weights', master] as const]),
    ['moments', moment],
  ] as const;
  const kept = Map.groupBy(parts, ([, bytes]) => (bytes === 4 ? 'f32' : 'bf16'));
  const listed = [...kept].map(([type, names]) => `${type} ${listOf(names.map(([name]) => name))}`);
  return `${multiply} multiplies; in memory ${listed.join(', ')}`;
}
const listOf = (names: readonly string[]): string =>
  names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** A device without the multiply format computes in f32, or in bf16 instead of 8-bit floats. */
export function formatsOf(precision: Precision, device: Device): Formats {
  const formats = table[precision];
  if (device.peakFlops[formats.multiply] !== undefined) return formats;
  return { ...formats, multiply: formats.multiply === 'f8' && device.peakFlops.bf16 !== undefined ? 'bf16' : 'f32' };
}

/** Moments that an optimizer keeps for each parameter, and simple operations of its update. */
export const optimizerFacts: Readonly<
  Record<OptimizerName, { readonly moments: number; readonly simple: number; readonly transcendental: number }>
> = {
  sgd: { moments: 0, simple: 2, transcendental: 0 },
  momentum: { moments: 1, simple: 4, transcendental: 0 },
  adam: { moments: 2, simple: 12, transcendental: 1 },
  adamw: { moments: 2, simple: 13, transcendental: 1 },
  // Two more norms, and the update is scaled again by their ratio (You et al. 2020).
  lamb: { moments: 2, simple: 20, transcendental: 1 },
};
