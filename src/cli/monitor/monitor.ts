// Runs `trenio monitor`.
import { setTimeout as sleep } from 'node:timers/promises';
import { TrenioError } from '../../base/errors.ts';
import { LocalSource, type ObservationSource, readHost } from '../../observe/index.ts';
import type { CliContext, CommandInput } from '../command/command.ts';
import { defaultConfig, parsePeriod, periodExpected, readConfig } from './config.ts';
import { Exporter } from './exporter.ts';
import { metricsText } from './metrics.ts';
import type { monitorOptions } from './monitor-options.ts';
import { type Reading, reportOf } from './report.ts';

/** Samples that the longest period of a report may need are read; a process writes at most four a second. */
const samplesPerMs = 4 / 1000;

export async function monitor({ options }: CommandInput<typeof monitorOptions>, context: CliContext): Promise<number> {
  const source = new LocalSource(context.environment);
  const { prometheus, host } = options;
  if (prometheus !== undefined) return serve(source, host, prometheus, context);

  const periodMs = options.period === undefined ? undefined : parsePeriod(options.period);
  if (options.period !== undefined && periodMs === undefined)
    throw new TrenioError('BAD_ARGUMENT', {
      command: 'monitor',
      argument: '--period',
      got: `'${options.period}'`,
      expected: periodExpected,
    });
  const file = options['config-file'];
  const config = file === undefined ? defaultConfig(periodMs) : await readConfig(file, periodMs);
  const longestMs = Math.max(
    config.periodMs,
    ...config.runtimes.flatMap(({ metrics }) => metrics.map(metric => metric.periodMs)),
  );
  const say = tellerOf(options.verbose, context);
  let before: Reading | undefined;
  const start = performance.now();
  for (let report = 0; report < (options.count ?? Number.POSITIVE_INFINITY); report++) {
    if (report > 0 && !(await waited(start + report * config.periodMs - performance.now(), context.signal))) break;
    const now = await read(source, Math.ceil(longestMs * samplesPerMs) + 4);
    say(before, now);
    const elapsedMs = report * config.periodMs;
    // A slow reader must not make the process grow.
    if (!context.stdout.write(`${JSON.stringify(reportOf(config, before, now, elapsedMs))}\n`)) await drained(context);
    before = now;
  }
  if (context.signal.aborted) throw context.signal.reason;
  return 0;
}

async function read(source: ObservationSource, samples: number): Promise<Reading> {
  const processes = await source.processes(samples);
  return { timeMs: Date.now(), host: readHost(), processes };
}

async function serve(source: ObservationSource, host: string, port: number, context: CliContext): Promise<number> {
  const exporter = new Exporter(async format => metricsText(await read(source, 100), format));
  const bound = await exporter.listen(host, port);
  context.stdout.write(`metrics at http://${host.includes(':') ? `[${host}]` : host}:${bound}/metrics\n`);
  if (!context.signal.aborted)
    await new Promise<void>(resolve => context.signal.addEventListener('abort', () => resolve(), { once: true }));
  await exporter.close();
  throw context.signal.reason;
}

/** False if the command was interrupted. */
async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(Math.max(0, ms), undefined, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

const drained = ({ stdout, signal }: CliContext): Promise<void> =>
  new Promise(resolve => {
    stdout.once('drain', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

function tellerOf(level: number, { stderr }: CliContext): (before: Reading | undefined, now: Reading) => void {
  return (before, now) => {
    if (level < 1) return;
    const pidsOf = (reading: Reading | undefined): ReadonlySet<number> =>
      new Set(reading?.processes.map(({ identity }) => identity.pid));
    const [old, current] = [pidsOf(before), pidsOf(now)];
    for (const { identity } of now.processes)
      if (!old.has(identity.pid)) stderr.write(`trenio monitor: process ${identity.pid}: ${identity.script}\n`);
    for (const pid of old) if (!current.has(pid)) stderr.write(`trenio monitor: process ${pid} has ended\n`);
    if (level >= 2)
      stderr.write(`trenio monitor: ${now.processes.length} processes at ${new Date(now.timeMs).toISOString()}\n`);
  };
}
