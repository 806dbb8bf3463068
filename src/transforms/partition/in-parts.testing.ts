// Runs a program with shardings in parts: its passes, then the interpreter as one process for each device of the mesh.
import { interpretReplicas } from '../../hlo/interpreter.ts';
import { type Literal, zeros } from '../../hlo/literal.ts';
import { type Module, mainOf, type ValueAttributes } from '../../hlo/program.ts';
import { coordinateOf, deviceCount, type Mesh } from '../../hlo/sharding/mesh.ts';
import { type Sharding, shardIndex } from '../../hlo/sharding/sharding.ts';
import { elementCount, stridesOf, type TensorType } from '../../hlo/types.ts';
import { verify } from '../../hlo/verifier.ts';
import { importShardings } from './import.ts';
import { localSize } from './layout.ts';
import { localize } from './localize.ts';
import { propagate } from './propagate.ts';

/** The results of each process put together; an error if devices that should have equal parts do not. */
export function interpretInParts(
  module: Module,
  inputs: readonly Literal[],
  borders: 'even' | 'padded' = 'even',
): readonly Literal[] {
  const propagated = propagate(importShardings(module), borders);
  const local = localize(propagated);
  verify(local);
  const mesh = propagated.meshes![0]!.mesh;
  const main = mainOf(propagated);
  const devices = Array.from({ length: deviceCount(mesh) }, (_, device) => device);
  const args = devices.map(device =>
    inputs.map((input, i) => partOf(input, statedBy(main.argAttributes?.[i]), mesh, device)),
  );
  const results = interpretReplicas(local, args);
  return main.body.results.map((value, i) => {
    const whole = zeros(value.type as TensorType);
    const seen = new Set<number>();
    for (const device of devices)
      copyPart(results[device]![i]!, whole, statedBy(main.resultAttributes?.[i]), mesh, device, seen);
    return whole;
  });
}

const statedBy = (attributes: ValueAttributes | undefined): Sharding | undefined => attributes?.sharding?.named?.[0];

/** The positions in the whole tensor of the elements of a part; undefined for padding. */
function positions(
  type: TensorType,
  sharding: Sharding | undefined,
  mesh: Mesh,
  device: number,
): (number | undefined)[] {
  const index =
    sharding === undefined ? type.shape.map(() => 0) : shardIndex(sharding, mesh, coordinateOf(mesh, device)!);
  const shape = type.shape.map((size, d) => localSize(size, sharding?.dims[d]?.axes ?? [], mesh));
  const [strides, local] = [stridesOf(type.shape), stridesOf(shape)];
  return Array.from({ length: elementCount(shape) }, (_, i) => {
    const at = shape.map((size, d) => index[d]! * size + (Math.floor(i / local[d]!) % size));
    return at.some((p, d) => p >= type.shape[d]!) ? undefined : at.reduce((sum, p, d) => sum + p * strides[d]!, 0);
  });
}

function partOf(whole: Literal, sharding: Sharding | undefined, mesh: Mesh, device: number): Literal {
  const shape = whole.type.shape.map((size, d) => localSize(size, sharding?.dims[d]?.axes ?? [], mesh));
  const part = zeros({ ...whole.type, shape });
  const width = whole.data.length / Math.max(elementCount(whole.type.shape), 1);
  for (const [i, from] of positions(whole.type, sharding, mesh, device).entries())
    for (let k = 0; k < width && from !== undefined; k++) part.data[i * width + k] = whole.data[from * width + k]!;
  return part;
}

function copyPart(
  part: Literal,
  whole: Literal,
  sharding: Sharding | undefined,
  mesh: Mesh,
  device: number,
  seen: Set<number>,
): void {
  const width = whole.data.length / Math.max(elementCount(whole.type.shape), 1);
  for (const [i, to] of positions(whole.type, sharding, mesh, device).entries()) {
    if (to === undefined) continue;
    for (let k = 0; k < width; k++) {
      const value = part.data[i * width + k]!;
      if (seen.has(to) && !Object.is(value, whole.data[to * width + k]))
        throw new Error(`device ${device} has another element ${to}`);
      whole.data[to * width + k] = value;
    }
    seen.add(to);
  }
}
