// The part of a rank, cut from memory that has the whole tensor, without sending anything.
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { localBox, localShape, type Placement } from '../../hlo/sharding/placement.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { elementCount, sameShape } from '../../hlo/types.ts';
import type { Samples } from '../../numerics/samples.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import type { Content, DeviceBuffer } from '../../runtime/execution/executable.ts';
import { DeferredBuffer } from './deferred-buffer.ts';
import { partOfBytes, partType } from './parts.ts';

export function cut(buffer: DeviceBuffer, sharding: Sharding, mesh: DeviceMesh, backend: Backend): DeviceBuffer {
  const { type } = buffer;
  const placement = { type, sharding, mesh };
  const isKnown = buffer instanceof DeferredBuffer && !buffer.isMade;
  const content = (isKnown ? partOf(buffer.content, placement) : undefined) ?? contentOf(buffer, placement);
  return backend.upload(partType(placement), content, true);
}

function contentOf(buffer: DeviceBuffer, placement: Placement): Content {
  const made = buffer instanceof DeferredBuffer ? buffer.made : buffer;
  // While a script is traced, all values are.
  if (made.isUntouched === true) return { kind: 'zeros' };
  return partOfBytes(placement, made.copyToHost());
}

/** The content of a part, without that of the whole; undefined if it cannot be said. */
function partOf(content: Exclude<Content, Uint8Array>, placement: Placement): Content | undefined {
  if (content.kind === 'zeros') return content;
  const { shape } = placement.type;
  const [box, local] = [localBox(placement), localShape(placement)];
  const isPadded = !sameShape(box.shape, local);
  const first = (box.offset[0] ?? 0) * elementCount(shape.slice(1));
  const isRows = shape.every((size, d) => d === 0 || local[d] === size);
  if (isPadded || !isRows || first % samplesPerBlock !== 0) return undefined;
  return samplesFrom(content, first);
}
/** Philox computes four words at a time. */
const samplesPerBlock = 4;
function samplesFrom(samples: Samples, first: number): Samples {
  const counter = samples.counter + BigInt(first / samplesPerBlock);
  if (samples.zeros === undefined) return { ...samples, counter };
  const from = Math.max(samples.zeros[0] - first, 0);
  const end = Math.max(samples.zeros[0] + samples.zeros[1] - first, 0);
  return { ...samples, counter, zeros: [from, end - from] };
}
