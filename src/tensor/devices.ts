// The devices of this process, one for each backend, and the seed of all random numbers.

import { isEagerMode, readVariable } from '../base/environment.ts';
import { DeviceMesh } from '../hlo/sharding/device-mesh.ts';
import { unconnectedTasks } from '../runtime/comm/ranks.ts';
import { backendNames, defaultRuntime } from '../runtime/index.ts';
import { checkDevice, checkTarget, wrongArgument } from './check-arguments.ts';
import { EagerMode } from './debugging/eager.ts';
import { chooseDevice, chosenDevice } from './default-device.ts';
import { Device } from './device.ts';
import { fullPrecision, type Precision } from './precision.ts';
import { profileProcess } from './profiler/profile-process.ts';
import { explainAtExit } from './step/explain-communication.ts';
import type { DType } from './types/dtype.ts';

// The defaults of a script: the devices of its process and its seed. Reset by manualSeed and setDefaultDevice.
const devices = new Map<string, Device>();
let seed = 0;
let samples = 0;

/**
 * A device: `cpu` (native code), `interpreter` (the slow reference), or by default the one that TRENIO_BACKEND names. In
 * eager debug mode (TRENIO_EAGER=1) each op runs as it is recorded, and the default is `interpreter`.
 * @throws {NO_C_COMPILER} for `cpu` where there is none
 * @throws {UNKNOWN_DEVICE}
 * @throws {NO_SUCH_ORDINAL}
 * @example
 * const d = device('interpreter');
 * ones(2, { device: d }).device === d // true
 */
export function device(name?: string): Device {
  if (name !== undefined && typeof name !== 'string')
    throw wrongArgument(
      { call: 'device', argument: 'the name' },
      name,
      backendNames()
        .map(known => `'${known}'`)
        .join(' or '),
      'leave it out for the default',
    );
  const chosen = chosenDevice();
  if (name === undefined && chosen !== undefined) return chosen;
  const runtime = defaultRuntime();
  const isEager = isEagerMode();
  const backend = runtime.backend(
    name ?? (isEager && readVariable('TRENIO_BACKEND') === undefined ? 'interpreter' : undefined),
  );
  let known = devices.get(backend.name);
  if (known === undefined) {
    const { rank, worldSize } = runtime.ranks;
    // Every rank compiles the same programs, so only one of them reports it.
    const log = (level: 'debug' | 'info' | 'warn', message: string): void =>
      runtime.log[rank === 0 ? level : 'debug'](message);
    const eager = isEager ? new EagerMode(readVariable('TRENIO_EAGER_STOP') ?? 'never') : undefined;
    const mesh = new DeviceMesh({ data: worldSize }, rank);
    known = new Device(backend, { mesh, seed, eager, precision: precisionOfEnvironment(), log });
    devices.set(backend.name, known);
    const tasks = devices.size === 1 ? unconnectedTasks() : undefined;
    if (tasks !== undefined)
      runtime.log.warn(
        `this process is one of ${tasks} tasks of a job, but trains alone: start the script with \`trenio run\` in each task, or install the MPI compiler (mpicc)`,
      );
    profileProcess(known);
    explainAtExit(known);
  }
  return known;
}

/** @internal For tests that share a process: what follows has new devices and the first seed, as in a new process. */
export function forgetDevices(): void {
  devices.clear();
  chooseDevice(undefined);
  seed = 0;
  samples = 0;
}

/** The settings from the environment variables of the Neuron SDK. */
function precisionOfEnvironment(): Precision {
  const isStochastic = readVariable('NEURON_RT_STOCHASTIC_ROUNDING_EN') ?? false;
  return {
    autoCast: readVariable('NEURON_CC_FLAGS') ?? fullPrecision.autoCast,
    rounding: isStochastic
      ? { mode: 'stochastic', seed: readVariable('NEURON_RT_STOCHASTIC_ROUNDING_SEED') ?? 0 }
      : fullPrecision.rounding,
  };
}

/** A device as PyTorch's scripts name it. Those that this machine does not have are refused when they are used. */
export type DeviceName =
  | 'cpu'
  | 'interpreter'
  | 'kernels'
  | `cpu:${number}`
  | 'cuda'
  | `cuda:${number}`
  | 'mps'
  | 'xla';

/** The device that a word names, if it names one. `'cpu'` is the default device, which is another one in debug modes. */
function deviceOfWord(word: unknown): Device | undefined {
  if (word === 'cpu' || word === 'cpu:0')
    return isEagerMode() || readVariable('TRENIO_BACKEND') !== undefined ? device() : device('cpu');
  return word === 'interpreter' || word === 'kernels' ? device(word) : undefined;
}
/** The argument of `to`. @throws {WRONG_ARGUMENT} */
export function targetOf(call: string, target: Device | DeviceName | DType): Device | DType {
  const found = deviceOfWord(target) ?? (target as Device | DType);
  checkTarget(call, found);
  return found;
}
/** A device, or its name. @throws {WRONG_ARGUMENT} */
export function deviceFrom(call: string, target: unknown): Device {
  const found = deviceOfWord(target) ?? target;
  checkDevice({ call, argument: 'the device' }, found);
  return found;
}

/**
 * Sets the default device of new tensors; undefined restores that of TRENIO_BACKEND.
 * @example
 * setDefaultDevice(device('interpreter'));
 * ones(2).device.name // 'interpreter'
 */
export function setDefaultDevice(target: Device | DeviceName | undefined): void {
  chooseDevice(target === undefined ? undefined : deviceFrom('setDefaultDevice', target));
}

/**
 * Seeds all random numbers: initial parameters, dropout, `randn` … The seed must be the same on every rank.
 * @example
 * manualSeed(0);
 * const a = randn(2);
 * manualSeed(0);
 * a.equal(randn(2)) // true
 */
export function manualSeed(value: number): void {
  if (!Number.isFinite(value)) throw wrongArgument({ call: 'manualSeed', argument: 'the seed' }, value, 'a number');
  seed = Math.trunc(value);
  samples = 0;
  const chosen = chosenDevice();
  for (const known of [...devices.values(), ...(chosen === undefined ? [] : [chosen])])
    known.random.state = { seed, step: 0 };
}

/** @internal The seed, and the index of this fill. */
export const manualSeedOf = (): { readonly seed: number; readonly index: number } => ({ seed, index: samples++ });

/** The state of the host's random numbers, for exact resumption. */
export interface HostRandomState {
  /** The seed. */
  readonly seed: number;
  /** Random fills so far. */
  readonly draws: number;
}
/**
 * The state of the random numbers of the host, which initial values use: for a checkpoint.
 * @example
 * const state = hostRandomState();
 * const a = randperm(5);
 * setHostRandomState(state);
 * a.equal(randperm(5)) // true
 */
export const hostRandomState = (): HostRandomState => ({ seed, draws: samples });
/**
 * Continues with a state of `hostRandomState()`.
 * @example
 * const state = hostRandomState();
 * const a = randperm(5);
 * setHostRandomState(state);
 * a.equal(randperm(5)) // true
 */
export function setHostRandomState(state: HostRandomState): void {
  seed = state.seed;
  samples = state.draws;
}

/**
 * Ends the current step on a device: runs its live-outs.
 * @example
 * const w = zeros(2);
 * for (let step = 0; step < 3; step++) {
 *   w.add_(1);
 *   markStep();
 * }
 * w // [3, 3]
 */
export function markStep(target: Device = device()): void {
  checkDevice({ call: 'markStep', argument: 'the device' }, target);
  target.markStep();
}
