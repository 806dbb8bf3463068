// Activation checkpointing, like torch.utils.checkpoint: `backward()` recomputes the values of `body` from
// its inputs instead of storing them in the forward pass. The implementation is in `autodiff/rematerialize.ts`.
import type { RecomputePolicy } from '../../autodiff/index.ts';
import { checkFunction } from '../check-arguments.ts';
import { device as defaultDevice } from '../devices.ts';
import type { Trace } from '../step/trace.ts';
import { tensorsIn } from '../structure.ts';
import { checkPolicy } from './check-policy.ts';

/** Options of `checkpoint`. */
export interface CheckpointOptions {
  /** `full` by default; `selective` keeps the results of linear layers and convolutions. */
  readonly policy?: RecomputePolicy;
  /** A structure with a tensor of the recording device; the default device otherwise. */
  readonly tensors?: unknown;
  /** Accepted for compatibility, without effect: recomputation is part of the program. */
  readonly useReentrant?: boolean;
  /** Accepted for compatibility, without effect: recomputation always uses the same random numbers. */
  readonly preserveRngState?: boolean;
}

const recording = new WeakSet<Trace>();

const optionNames = ['policy', 'tensors', 'useReentrant', 'preserveRngState'];
const isOptions = (x: unknown): x is CheckpointOptions =>
  typeof x === 'object' &&
  x !== null &&
  Object.getPrototypeOf(x) === Object.prototype &&
  Object.keys(x).length > 0 &&
  Object.keys(x).every(name => optionNames.includes(name));

/**
 * Calls `body` with the arguments; `backward()` recomputes its intermediate values. Options may follow the arguments. Random
 * numbers are the same when recomputed. Nested checkpoints have no additional effect.
 *
 *     const y = checkpoint(block, x, mask);
 *     const z = checkpoint(() => block(x, mask), { policy: 'selective' });
 * @throws {INVALID_OPTION} for an unknown policy
 * @throws {WRONG_ARGUMENT} for a body that is not a function
 * @example
 * const layer = new nn.Linear(2, 2), x = randn(4, 2, { requiresGrad: true });
 * // the activations of the layer are computed again in the backward pass
 * checkpoint(() => layer(x).relu()).sum().backward();
 * x.grad!.shape // [4, 2]
 */
export function checkpoint<T>(body: () => T, options?: CheckpointOptions): T;
export function checkpoint<A extends readonly unknown[], T>(
  body: (...args: A) => T,
  ...args: readonly [...A, CheckpointOptions] | A
): T;
export function checkpoint<T>(body: (...args: readonly unknown[]) => T, ...given: readonly unknown[]): T {
  checkFunction('checkpoint', 'its first argument', body);
  const last = given.at(-1);
  const options = isOptions(last) ? last : {};
  const args = isOptions(last) ? given.slice(0, -1) : given;
  const { policy = 'full' } = options;
  checkPolicy('checkpoint', policy);
  const { trace } = tensorsIn([options.tensors, args])[0]?.device ?? defaultDevice();
  if (policy === 'none' || recording.has(trace)) return body(...args);
  const after = trace.builder.lastId;
  recording.add(trace);
  try {
    return body(...args);
  } finally {
    recording.delete(trace);
    trace.recomputed.push({ after, to: trace.builder.lastId, policy });
  }
}
