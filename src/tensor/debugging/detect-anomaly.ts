// Finds the op that produces the first NaN, like torch.autograd.set_detect_anomaly: every program is first run as a copy
// that counts NaNs and infinities op by op. Slow: for debugging, not for training.
import { formatLocation, TrenioError } from '../../base/errors.ts';
import { moduleOf } from '../../hlo/index.ts';
import { formatType } from '../../hlo/types.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import { type CountedValue, finiteCounts } from '../../transforms/finite-counts.ts';
import type { Device } from '../device.ts';
import { device as defaultDevice } from '../devices.ts';
import type { ObservedRun } from '../step/programs.ts';

/**
 * Runs `body`. If an argument of a program already contains NaNs, the error names the
 * argument.
 * @throws {NOT_A_NUMBER} at the line of the op that produces the first NaN, before its program runs
 * @example
 * // the error names the op whose result is not a number, and its line
 * detectAnomaly(() => { tensor([-1]).sqrt().item(); }) // throws NOT_A_NUMBER
 */
export function detectAnomaly(body: () => void, options: { readonly device?: Device } = {}): void {
  const { device = defaultDevice() } = options;
  device.observed(run => refuseNans(device, run), body);
}

/**
 * @throws {NOT_A_NUMBER} for the first op of a run that produces a NaN, or with `orInfinities`, if there is
 *   none, an infinity
 */
export function refuseNans(device: Device, run: ObservedRun, orInfinities = false): void {
  const { module, counted } = finiteCounts(moduleOf(run.func, { name: 'counts', numReplicas: device.mesh.size() }));
  const counts = run.execute(module).map(numbersOf);
  const firstNan = counts.findIndex(([nans]) => nans! > 0);
  const firstInfinity = counts.findIndex(([, infinities]) => infinities! > 0);
  const isNan = firstNan >= 0;
  const first = isNan ? firstNan : orInfinities ? firstInfinity : -1;
  if (first < 0) return;
  const { op, value } = counted[first]!;
  throw new TrenioError(
    'NOT_A_NUMBER',
    {
      op: op?.name ?? 'an argument',
      type: formatType(value.type),
      what: isNan ? 'NaN' : 'infinite',
      count: counts[first]![isNan ? 0 : 1]!,
      program: run.at,
      infiniteFrom: isNan && firstInfinity >= 0 && firstInfinity < first ? named(counted[firstInfinity]!) : undefined,
    },
    { location: op?.location },
  );
}

const numbersOf = (buffer: DeviceBuffer): Int32Array => new Int32Array(buffer.copyToHost().buffer);
const named = ({ op, value }: CountedValue): string =>
  `${op?.name ?? 'an argument'} ${formatType(value.type)}${op?.location ? ` at ${formatLocation(op.location)}` : ''}`;
