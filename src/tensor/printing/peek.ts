// Reads a tensor in order to print it: a separate program computes the value on a copy, and the trace does not change. Nothing
// is kept, no random state advances, no other tensor gets its elements, no observer is notified; so the step compiles to
// the same program and the same bits with and without printing. Values that a script uses are read by `Device.read`.
import type { OpName } from '../../hlo/attributes.ts';
import type { Op } from '../../hlo/program.ts';
import { regionsHold } from '../../hlo/walk.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import type { Device } from '../device.ts';
import { dependsOnExample } from '../func/placeholders.ts';
import { userLocation } from '../location.ts';
import { ShardedBuffer } from '../placement/sharded-buffer.ts';
import { programOf } from '../step/program.ts';
import type { Trace } from '../step/trace.ts';
import type { TensorImpl } from '../tensor-impl.ts';

/** Why a tensor has no elements to show. */
export type NoElements =
  /** It belongs to a step that has ended, and its inputs have changed. */
  | 'released'
  /** A function is being recorded (`compile`, `vmap`): the tensor is a placeholder. */
  | 'symbolic'
  /** Computing it takes part in a collective, which a single rank must not start. */
  | 'needs other ranks';

const collectives: ReadonlySet<OpName> = new Set<OpName>([
  'all_gather',
  'all_reduce',
  'all_to_all',
  'async_start',
  'collective_broadcast',
  'collective_permute',
  'collective_reduce',
  'reduce_scatter',
  'send',
  'recv',
]);

const isCollective = (op: Op): boolean => collectives.has(op.name);

/** The elements of a tensor, without any effect of a read. */
export function peek(device: Device, impl: TensorImpl): DeviceBuffer | NoElements {
  impl.refresh?.();
  if (impl.value !== undefined && dependsOnExample(device.trace, impl.value)) return 'symbolic';
  // An argument of the function that is being traced has the elements of this one call.
  if (impl.buffer instanceof ShardedBuffer) return 'needs other ranks';
  if (impl.buffer !== undefined) return impl.op === 'input' && isTracing(device.trace) ? 'symbolic' : impl.buffer;
  const { value } = impl;
  const trace = impl.trace as Trace | undefined;
  if (trace === undefined || trace.closed || value === undefined) return 'released';
  if (isTracing(trace)) return 'symbolic';
  if (device.isLost(trace, value)) return 'released';
  if (value.op === undefined) return trace.sourceOf(value)!.buffer;
  const start = performance.now();
  const program = programOf('display', trace, [value]);
  const isDivided = program.sources.some(({ buffer }) => buffer instanceof ShardedBuffer);
  const { ops } = program.func.body;
  if (isDivided || (device.mesh.size() > 1 && ops.some(op => isCollective(op) || regionsHold(op, isCollective))))
    return 'needs other ranks';
  const runner = device.prepare('display', userLocation(), program, [], performance.now() - start, trace);
  return runner.run(program.sources.map(source => source.buffer))[0]!;
}

/** Whether it is recorded for `compile`. */
const isTracing = (trace: Trace): boolean => trace.guards !== undefined;
