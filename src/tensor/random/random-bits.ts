// Random bits inside a program: computed from a state that is an input, so that changing the seed or step does not recompile.
import type { Builder } from '../../hlo/builder.ts';
import { literal } from '../../hlo/literal.ts';
import type { Value } from '../../hlo/program.ts';
import { elementCount, tensorType } from '../../hlo/types.ts';
import type { Device } from '../device.ts';
import { samplesOfCall } from '../func/randomness.ts';
import { isGradEnabled } from '../gradients/grad-mode.ts';
import { userLocation } from '../location.ts';
import type { Trace } from '../step/trace.ts';
import { mix64 } from './random.ts';

/** A random ui32 for each element of a shape. Each use within a step has a separate key (see `random.ts`). */
export function randomBits(b: Builder, trace: Trace, device: Device, shape: readonly number[]): Value {
  const { random } = device;
  const blocks = BigInt(Math.ceil((elementCount(shape) * samplesOfCall(userLocation())) / 4));
  const kind = isGradEnabled() ? 'training' : 'evaluation';
  const { part, pass } = random.position(trace.backwards);
  const use = BigInt(trace.uses[kind]++);
  const base = trace.hostArgument(random.base(kind, pass), true);
  const keyed = b.add(base, b.constant(literal('ui64', [2], [mix64(use), 0n])));
  const offset = b.multiply(
    trace.hostArgument(random.place(part), true),
    b.constant(literal('ui64', [2], [0n, blocks])),
  );
  const type = tensorType('ui32', shape);
  return b.emit('rng_bit_generator', [b.add(keyed, offset)], { rngAlgorithm: 'PHILOX', type })[1]!;
}
