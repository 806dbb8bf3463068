// Everything that determines the next steps of a run: the state of its parts and of its random numbers, read and restored.
import { TrenioError } from '../../base/errors.ts';
import { bytesOf, type Literal } from '../../hlo/literal.ts';
import { paddedBox } from '../../hlo/sharding/placement.ts';
import { sameShape } from '../../hlo/types.ts';
import { Optimizer } from '../../optim/index.ts';
import {
  type Device,
  device as defaultDevice,
  type HostRandomState,
  hostRandomState,
  type RandomState,
  setHostRandomState,
  Tensor,
} from '../../tensor/index.ts';
import type { CheckpointReader } from './read-checkpoint.ts';
import { type Json, readState, StateWriter, tensorNames } from './state-tree.ts';
import { type CheckpointPart, restorePart, type StateTensor, stateOfPart } from './stateful.ts';

/** The state of a run: as JSON, with the names of its tensors, and the tensors, which are not copied yet. */
export interface CapturedState {
  readonly state: Record<string, Json>;
  readonly tensors: ReadonlyMap<string, Tensor | Literal>;
}

/** The state of random numbers: of the host, and of each device in the order of the parts. */
interface RandomNumbers {
  readonly host: HostRandomState;
  readonly devices: readonly RandomState[];
}

/** Reads the state of the parts, and of random numbers. */
export function captureState(parts: ReadonlyMap<string, CheckpointPart>): CapturedState {
  const writer = new StateWriter();
  const state: Record<string, Json> = {};
  for (const [name, part] of parts) {
    const { value, isPlain } = stateOfPart(part);
    state[name] = writer.write(value, name, isPlain);
  }
  const random: RandomNumbers = {
    host: hostRandomState(),
    devices: devicesOf(writer.tensors).map(device => device.random.state),
  };
  state.random = writer.write(random, 'random', true);
  return { state, tensors: writer.tensors };
}

/**
 * Restores the parts and random numbers from a checkpoint.
 * @throws {STATE_KEYS} @throws {WEIGHT_SHAPE} if it does not match the parts
 */
export async function restoreState(
  reader: CheckpointReader,
  parts: ReadonlyMap<string, CheckpointPart>,
): Promise<void> {
  const { state } = reader.manifest;
  const { random, ...saved } = state;
  const missing = [...parts.keys()].filter(name => !(name in saved));
  const unexpected = Object.keys(saved).filter(name => !parts.has(name));
  if (missing.length + unexpected.length > 0)
    throw new TrenioError('STATE_KEYS', { what: `the parts of ${reader.directory}`, missing, unexpected });
  const targets = dividedTargets(parts);
  for (const [name, part] of parts) {
    const tensors = new Map<string, StateTensor>();
    for (const tensor of tensorNames(saved[name]!)) tensors.set(tensor, await readTensor(reader, tensor, targets));
    restorePart(name, part, readState(saved[name]!, tensors));
  }
  const { host, devices } = readState(random!, new Map()) as RandomNumbers;
  setHostRandomState(host);
  devicesOf(captureState(parts).tensors).forEach((device, i) => {
    const known = devices[i];
    if (known !== undefined) device.random.state = known;
  });
}

/** A tensor of a checkpoint: whole, or the part of this rank if what it is loaded into is divided. */
async function readTensor(
  reader: CheckpointReader,
  name: string,
  targets: ReadonlyMap<string, Tensor>,
): Promise<StateTensor> {
  const type = reader.types.get(name)!;
  const target = targets.get(name) ?? targets.get(name.slice(0, name.lastIndexOf('.')));
  const divided = target?.divided;
  if (target === undefined || divided === undefined || !sameShape(target.shape, type.shape)) return reader.read(name);
  const { device } = target;
  if (divided.isAbsent) return new Tensor({ device, type, op: 'checkpoint', buffer: divided.withPart(divided.part) });
  const part = await reader.read(name, paddedBox({ type, sharding: divided.sharding, mesh: device.mesh }));
  const buffer = divided.withPart(device.backend.upload(part.type, bytesOf(part)));
  return new Tensor({ device, type, op: 'checkpoint', buffer });
}
/** Divided tensors of the parts by name; the state of optimizers, which need not exist yet, is divided as its parameters. */
function dividedTargets(parts: ReadonlyMap<string, CheckpointPart>): ReadonlyMap<string, Tensor> {
  const targets = new Map<string, Tensor>();
  if (!defaultDevice().mesh.hasParts) return targets;
  for (const [name, tensor] of captureState(parts).tensors) if (tensor instanceof Tensor) targets.set(name, tensor);
  const visit = (name: string, part: CheckpointPart): void => {
    if (Array.isArray(part))
      for (const [i, entry] of (part as readonly CheckpointPart[]).entries()) visit(`${name}.${i}`, entry);
    else if (part instanceof Optimizer)
      for (const [i, parameter] of part.paramGroups.flatMap(({ params }) => params).entries())
        targets.set(`${name}.tensors.${i}`, parameter);
  };
  for (const [name, part] of parts) visit(name, part);
  return targets;
}

/** The devices of the tensors, in the order of the parts. */
export const devicesOf = (tensors: ReadonlyMap<string, Tensor | Literal>): readonly Device[] => [
  ...new Set([...tensors.values()].flatMap(tensor => (tensor instanceof Tensor ? [tensor.device] : []))),
];
