// Activation checkpointing, as torch.utils.checkpoint has it: what `body` computes is computed again by `backward()`, from
// what went in, instead of being kept from the forward pass. How a program does that is `autodiff/rematerialise.ts`.
import { type RecomputePolicy, recomputePolicies } from '../autodiff/index.ts';
import { TrenioError } from '../base/errors.ts';
import { device as defaultDevice } from './devices.ts';
import { userLocation } from './location.ts';
import { tensorsIn } from './structure.ts';
import type { Trace } from './trace.ts';

export interface CheckpointOptions {
  /** `full` by default; `selective` keeps the results of linear layers and convolutions. */
  readonly policy?: RecomputePolicy;
  /** Where to find a tensor of the device that records; the default device otherwise. */
  readonly tensors?: unknown;
}

const recording = new WeakSet<Trace>();

/**
 * Runs `body`; `backward()` will compute again what it computed. Random numbers are the same the second time. Within another
 * checkpoint it has no effect of its own.
 * @throws {INVALID_OPTION} for a policy that there is not
 */
export function checkpoint<T>(body: () => T, options: CheckpointOptions = {}): T {
  const { policy = 'full' } = options;
  checkPolicy('checkpoint', policy);
  const { trace } = tensorsIn(options.tensors)[0]?.device ?? defaultDevice();
  if (policy === 'none' || recording.has(trace)) return body();
  const after = trace.builder.lastId;
  recording.add(trace);
  try {
    return body();
  } finally {
    recording.delete(trace);
    trace.recomputed.push({ after, to: trace.builder.lastId, policy });
  }
}

/** @throws {INVALID_OPTION} for a policy that there is not */
export function checkPolicy(what: string, policy: string): void {
  if (!(recomputePolicies as readonly string[]).includes(policy))
    throw new TrenioError(
      'INVALID_OPTION',
      { what, option: 'policy', got: policy, expected: `one of ${recomputePolicies.join(', ')}` },
      { location: userLocation() },
    );
}
