// Values that each device computes for its part alone, in any layout: constants of equal elements, positions, scalars that are
// repeated, random bits.
//
//   iota tensor<8> along "x" = 4     ─▶   iota tensor<2> + 2 · (index along "x")
import type { Builder } from '../../hlo/builder.ts';
import { type Op, shapeOf, type Value } from '../../hlo/program.ts';
import type { Mesh } from '../../hlo/sharding/mesh.ts';
import { elementCount, type TensorType } from '../../hlo/types.ts';
import { isSplat } from './constant-elements.ts';
import type { DeviceIndex } from './device-index.ts';
import { type Layout, localType, whole } from './layout.ts';
import type { Make, Parts } from './parts.ts';
import { randomPartsOf } from './random-parts.ts';

/** How each result of an op is made in a layout; undefined if it depends on other parts. */
export function sourcesOf(op: Op, parts: Parts, devices: DeviceIndex, mesh: Mesh): readonly Make[] | undefined {
  if (op.name === 'rng_bit_generator') return randomPartsOf(op, parts, devices, mesh);
  const make = sourceOf(op, parts, devices, mesh);
  return make && [make];
}

function sourceOf(op: Op, parts: Parts, devices: DeviceIndex, mesh: Mesh): Make | undefined {
  const type = op.results[0]?.type;
  if (type?.kind !== 'tensor' || type.quantization !== undefined) return undefined;
  const local = (layout: Layout): TensorType => localType(type, layout, mesh) as TensorType;
  switch (op.name) {
    case 'constant': {
      const { value } = op.attributes;
      if (type.shape.length === 0 || !isSplat(value)) return undefined;
      const width = value.data.length / elementCount(type.shape);
      return (b, layout) => {
        const part = local(layout);
        return b.constant({ type: part, data: value.data.slice(0, width * elementCount(part.shape)) });
      };
    }
    case 'iota': {
      const { iotaDimension } = op.attributes;
      return (b, layout) => positions(b, local(layout), iotaDimension, layout, devices);
    }
    case 'broadcast_in_dim': {
      const [scalar] = op.operands;
      if (shapeOf(scalar).length > 0) return undefined;
      return (b, layout) => b.broadcastInDim(parts.in(b, scalar, whole(scalar.type)), [], local(layout).shape);
    }
    default:
      return undefined;
  }
}

function positions(b: Builder, part: TensorType, dim: number, layout: Layout, devices: DeviceIndex): Value {
  if (layout[dim]!.length === 0) return b.iota(part, dim);
  const start = devices.start(layout[dim]!, part.shape[dim]!);
  const counted = b.iota({ ...part, elementType: 'i32' }, dim);
  return b.convert(b.add(counted, b.broadcastInDim(start, [], part.shape)), part.elementType);
}
