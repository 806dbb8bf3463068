// This machine as a machine for the simulator, once it has been measured.
import { availableParallelism, hostname, totalmem } from 'node:os';
import type { Variables } from '../../base/environment.ts';
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import type { CpuDevice, Machine } from '../../hardware/machine.ts';
import type { Calibration } from './calibrate.ts';
import { type FoundCalibration, findCalibration } from './calibration-file.ts';

/** `Machine` with a CPU as its only device. */
export type LocalMachine = Machine & { readonly device: CpuDevice };

/**
 * This machine with the runtime's number of threads; undefined if it has not been measured, or cannot be, because
 * there is no C compiler.
 * @throws {CALIBRATION_UNUSABLE} if the stored calibration is damaged, or from another machine or version
 */
export function localMachine(variables?: Variables): LocalMachine | undefined {
  const found = foundHere(variables);
  if (found === undefined || found.kind === 'none') return undefined;
  if (found.kind === 'unusable')
    throw new TrenioError('CALIBRATION_UNUSABLE', { path: found.path, problem: found.problem });
  return machineOfCalibration(found.calibration);
}

function foundHere(variables: Variables | undefined): FoundCalibration | undefined {
  try {
    return findCalibration(variables);
  } catch (error) {
    if (isTrenioError(error, 'NO_C_COMPILER')) return undefined;
    throw error;
  }
}

/** One process that uses all these threads. It has no price. */
export function machineOfCalibration({ threads, rates, peakFlops, memoryBandwidth }: Calibration): LocalMachine {
  const memoryBytes = totalmem();
  return {
    name: hostname() || 'this machine',
    profile: 'docs',
    device: {
      kind: 'cpu',
      name: `${threads} ${threads === 1 ? 'thread' : 'threads'} of this machine`,
      threads,
      rates,
      peakFlops,
      memoryBytes,
      memoryBandwidth,
      watts: undefined,
    },
    chips: 1,
    devicesPerChip: 1,
    devices: 1,
    // processes on one machine communicate through its memory
    fabric: { kind: 'none', name: 'shared memory', bandwidth: memoryBandwidth, latency: 1e-6 },
    network: undefined,
    hostCpus: availableParallelism(),
    hostMemoryBytes: memoryBytes,
    prices: [],
  };
}
