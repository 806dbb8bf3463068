// Measures this machine with a progress line, stores the calibration and prints it.
import { formatTable } from '../../base/table.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { formatBytes, formatDuration } from '../../base/units.ts';
import { type Calibration, calibrate, keepCalibration } from '../../simulator/calibration/index.ts';
import type { CliContext } from '../command/command.ts';

type Streams = Pick<CliContext, 'stdout' | 'stderr' | 'environment' | 'endAtOnce'>;

export async function calibrateHere({ json }: { readonly json: boolean }, context: Streams): Promise<number> {
  const { calibration, path, seconds } = await measureAndKeep(context, { quiet: json });
  context.stdout.write(
    json
      ? `${JSON.stringify({ path, ...calibration })}\n`
      : `${describeCalibration(calibration)}\n\nmeasured in ${formatDuration(seconds)}, stored in ${path}\n`,
  );
  return 0;
}

/** Prints a progress line to standard error. */
export async function measureAndKeep(
  { stderr, environment, endAtOnce }: Omit<Streams, 'stdout'>,
  { quiet = false }: { readonly quiet?: boolean } = {},
): Promise<{
  readonly calibration: Calibration;
  readonly path: string;
  readonly seconds: number;
}> {
  await endAtOnce();
  const start = performance.now();
  using progress = new TaskProgress({ stream: stderr, quiet });
  const calibration = await calibrate({
    variables: environment,
    onProgress: (detail, share) => progress.update({ what: 'measuring this machine', done: share, total: 1, detail }),
  });
  progress.done();
  const path = keepCalibration(calibration, new Date(), environment);
  return { calibration, path, seconds: (performance.now() - start) / 1e3 };
}

/** Exported for its test. */
export function describeCalibration({ threads, rates, peakFlops, memoryBandwidth, error }: Calibration): string {
  const giga = (rate: number): string => (rate / 1e9).toFixed(rate < 1e10 ? 2 : 1);
  const curve = (points: Calibration['rates']['copy']): string =>
    // the nearest cache, the farthest, memory
    [points[0]!, points[points.length >> 1]!, points.at(-1)!]
      .map(({ bytes, rate }) => `${giga(rate)} (${formatBytes(bytes)})`)
      .join(', ');
  const rows: [string, string][] = [
    ['threads', `${threads}`],
    ['multiply-adds in registers', `${giga(peakFlops.f32)} GFLOP/s f32, ${giga(peakFlops.bf16)} bf16`],
    [
      'large multiplies',
      `${giga(2 / rates.multiplies.f32.product)} GFLOP/s f32, ${giga(2 / rates.multiplies.bf16.product)} bf16, ${giga(2 / rates.convolutions.product)} convolutions`,
    ],
    ['memory', `${giga(memoryBandwidth)} GB/s`],
    ['copies, GB/s', curve(rates.copy)],
    ['in place, GB/s', curve(rates.inPlace)],
    [
      'element operations, billions per second',
      `${giga(rates.simple)} simple, ${giga(rates.integer)} of integers, ${giga(rates.transcendental)} exp, ${giga(rates.division)} divisions, ${giga(rates.root)} roots, ${giga(rates.rounding)} roundings, ${giga(rates.randomWord)} random`,
    ],
    ['rows', `${giga(rates.gather)} GB/s gathered, ${giga(rates.scatter)} scattered`],
    [
      'launch overhead',
      `${(1e6 * rates.kernelStart).toFixed(1)} µs a kernel, ${(1e6 * rates.programStart).toFixed(0)} a program`,
    ],
    ['slowdown by other processes', `${rates.disturbance.toFixed(2)} × in a typical run`],
    ['error of the fitted rates', `${(100 * error).toFixed(1)} % on average`],
  ];
  return formatTable([{ header: 'quantity' }, { header: 'measured' }], rows);
}
