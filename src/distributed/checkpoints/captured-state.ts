// Everything that determines the next steps of a run: the state of its parts and of its random numbers, read and restored.
import { TrenioError } from '../../base/errors.ts';
import type { Literal } from '../../hlo/literal.ts';
import {
  type Device,
  type HostRandomState,
  hostRandomState,
  type RandomState,
  setHostRandomState,
  Tensor,
} from '../../tensor/index.ts';
import type { CheckpointReader } from './read-checkpoint.ts';
import { type Json, readState, StateWriter, tensorNames } from './state-tree.ts';
import { type CheckpointPart, restorePart, stateOfPart } from './stateful.ts';

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
  for (const [name, part] of parts) {
    const tensors = new Map<string, Literal>();
    for (const tensor of tensorNames(saved[name]!)) tensors.set(tensor, await reader.read(tensor));
    restorePart(name, part, readState(saved[name]!, tensors));
  }
  const { host, devices } = readState(random!, new Map()) as RandomNumbers;
  setHostRandomState(host);
  devicesOf(captureState(parts).tensors).forEach((device, i) => {
    const known = devices[i];
    if (known !== undefined) device.random.state = known;
  });
}

/** The devices of the tensors, in the order of the parts. */
export const devicesOf = (tensors: ReadonlyMap<string, Tensor | Literal>): readonly Device[] => [
  ...new Set([...tensors.values()].flatMap(tensor => (tensor instanceof Tensor ? [tensor.device] : []))),
];
