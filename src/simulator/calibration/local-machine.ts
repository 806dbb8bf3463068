// This machine as a machine for the simulator, once it has been measured.
import { availableParallelism, hostname, totalmem } from 'node:os';
import type { Variables } from '../../base/environment.ts';
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import type { CpuDevice, CpuRates, Machine, MultiplyRates } from '../../hardware/machine.ts';
import type { Calibration } from './calibrate.ts';
import { type FoundCalibration, findCalibration } from './calibration-file.ts';

/** `Machine` with a CPU as its only device. */
export type LocalMachine = Machine & { readonly device: CpuDevice };

/**
 * This machine with the runtime's number of threads, or divided among ranks; undefined if it has not been measured, or cannot be,
 * because there is no C compiler.
 * @throws {CALIBRATION_UNUSABLE} if the stored calibration is damaged, or from another machine or version
 */
export function localMachine(variables?: Variables, ranks = 1): LocalMachine | undefined {
  const found = foundHere(variables);
  if (found === undefined || found.kind === 'none') return undefined;
  if (found.kind === 'unusable')
    throw new TrenioError('CALIBRATION_UNUSABLE', { path: found.path, problem: found.problem });
  return machineOfCalibration(found.calibration, ranks);
}

function foundHere(variables: Variables | undefined): FoundCalibration | undefined {
  try {
    return findCalibration(variables);
  } catch (error) {
    if (isTrenioError(error, 'NO_C_COMPILER')) return undefined;
    throw error;
  }
}

/** Processes that use all these threads together, each an equal share of them. It has no price. */
export function machineOfCalibration(calibration: Calibration, ranks = 1): LocalMachine {
  const memoryBytes = totalmem();
  const { peakFlops, memoryBandwidth } = calibration;
  const threads = Math.max(1, Math.floor(calibration.threads / ranks));
  const each = `${threads} ${threads === 1 ? 'thread' : 'threads'} of this machine`;
  const name = hostname() || 'this machine';
  return {
    name: ranks === 1 ? name : `${name}, ${ranks} ranks`,
    profile: 'docs',
    device: {
      kind: 'cpu',
      name: ranks === 1 ? each : `a rank of ${ranks}, ${each}`,
      threads,
      rates: shareOf(calibration.rates, ranks),
      peakFlops: { f32: peakFlops.f32 / ranks, bf16: peakFlops.bf16 / ranks },
      memoryBytes: memoryBytes / ranks,
      memoryBandwidth,
      watts: undefined,
    },
    chips: 1,
    devicesPerChip: ranks,
    devices: ranks,
    // processes on one machine communicate through its memory
    fabric: { kind: 'none', name: 'shared memory', bandwidth: memoryBandwidth, latency: 1e-6 },
    network: undefined,
    hostCpus: availableParallelism(),
    hostMemoryBytes: memoryBytes,
    prices: [],
  };
}

/** The rates of a rank while the others compute, too: caches, memory and cores are divided equally. */
function shareOf(rates: CpuRates, ranks: number): CpuRates {
  if (ranks === 1) return rates;
  const slower = ({ product, a, b, result, each, points }: MultiplyRates): MultiplyRates => ({
    product: product * ranks,
    a: { n: a.n * ranks, t: a.t * ranks },
    b: { n: b.n * ranks, t: b.t * ranks },
    result: result * ranks,
    each: each * ranks,
    points,
  });
  const curve = (list: CpuRates['copy']): CpuRates['copy'] =>
    list.map(({ bytes, rate }) => ({ bytes: bytes / ranks, rate: rate / ranks }));
  const { multiplies, convolutions, copy, inPlace, simple, integer, transcendental, division, root } = rates;
  return {
    ...rates,
    multiplies: { f32: slower(multiplies.f32), bf16: slower(multiplies.bf16) },
    convolutions: slower(convolutions),
    copy: curve(copy),
    inPlace: curve(inPlace),
    simple: simple / ranks,
    integer: integer / ranks,
    transcendental: transcendental / ranks,
    division: division / ranks,
    root: root / ranks,
    rounding: rates.rounding / ranks,
    randomWord: rates.randomWord / ranks,
    gather: rates.gather / ranks,
    scatter: rates.scatter / ranks,
  };
}
