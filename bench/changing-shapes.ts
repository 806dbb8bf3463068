// Programs whose shapes change, as their users write them: the examples reinforce, dqn, packed-lstm and graph, and nanoGPT's
// generation. Each runs from an empty cache of programs and again from the filled one, in turn with the same program in PyTorch
// eager. Both print the same lines; their times of arrival are measured.
//
//   node bench/changing-shapes.ts --python ~/venv/bin/python [--only dqn,graph] [--rounds 3] [--limit 600]
import { spawn } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { bar } from './bars.ts';
import { median } from './peak.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    limit: { type: 'string', default: '600' },
    python: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`Usage: node bench/changing-shapes.ts [--python PYTHON] [--only NAME,…] [--rounds 3] [--limit 600]

  --python   a Python with torch, to compare with
  --only     some of reinforce, dqn, packed-lstm, graph, generate
  --limit    seconds after which a run is stopped

  node bench/changing-shapes.ts --only graph --python ~/venv/bin/python`);
  process.exit(0);
}

interface Program {
  readonly name: string;
  readonly script: string;
  readonly peer: string;
  readonly args: readonly string[];
  /** How many steps or epochs, as its lines count them, are an epoch here. */
  readonly epoch: number;
  /** The least speed of a later epoch, in that of PyTorch. */
  readonly speed: number;
}
const programs: readonly Program[] = [
  {
    name: 'reinforce',
    script: '../examples/reinforce/train.ts',
    peer: 'reinforce.py',
    args: ['--steps', '5000'],
    epoch: 1000,
    speed: 0.8,
  },
  {
    name: 'dqn',
    script: '../examples/dqn/train.ts',
    peer: 'dqn.py',
    args: ['--steps', '4000'],
    epoch: 1000,
    speed: 0.8,
  },
  {
    name: 'packed-lstm',
    script: '../examples/packed-lstm/train.ts',
    peer: 'packed_lstm.py',
    args: ['--epochs', '8'],
    epoch: 1,
    speed: 1,
  },
  {
    name: 'graph',
    script: '../examples/graph/train.ts',
    peer: 'graph.py',
    args: ['--epochs', '8'],
    epoch: 1,
    speed: 1,
  },
  {
    name: 'generate',
    script: 'changing-shapes/generate.ts',
    peer: 'generate.py',
    args: ['--epochs', '6'],
    epoch: 1,
    speed: 1,
  },
];

interface Line {
  /** Seconds since the process was started. */
  readonly at: number;
  readonly text: string;
  /** Programs compiled, or loaded from the cache, so far. */
  readonly programs: number;
}
interface Run {
  /** Lines of progress. */
  readonly lines: readonly Line[];
  readonly seconds: number;
  readonly programs: number;
  readonly isFinished: boolean;
}

/** Runs a program to its end or to the limit. */
async function run(command: string, args: readonly string[], cache?: string): Promise<Run> {
  const start = performance.now();
  // One pipe for both streams, so that the messages about programs arrive in order with the lines of progress.
  const child = spawn('sh', ['-c', 'exec "$0" "$@" 2>&1', command, ...args], {
    env: {
      ...process.env,
      TRENIO_TIERS: 'auto',
      TRENIO_LOG: 'info',
      ...(cache === undefined ? {} : { TRENIO_CACHE_DIR: cache }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('exit', resolve);
    child.on('error', reject);
  });
  const stop = setTimeout(() => child.kill(), Number(values.limit) * 1000);
  const lines: Line[] = [];
  let compiled = 0;
  let last = '';
  for await (const text of createInterface({ input: child.stdout })) {
    last = text;
    if (/^trenio: \w+: (re)?compiling the /.test(text)) compiled++;
    else if (/^(first|epoch|\d+ steps)\b/.test(text))
      lines.push({ at: (performance.now() - start) / 1000, text, programs: compiled });
  }
  const exitCode = await ended;
  clearTimeout(stop);
  if (exitCode !== 0 && exitCode !== null) throw new Error(`${args[0]}: ${last}`);
  return { lines, seconds: (performance.now() - start) / 1000, programs: compiled, isFinished: exitCode === 0 };
}

/** Steps or epochs that were done when a line was printed; undefined for the first result. */
function progressOf({ text }: Line): number | undefined {
  const match = /^epoch (\d+)|^(\d+) steps/.exec(text);
  return match === null ? undefined : Number(match[1] ?? match[2]);
}

interface Figures {
  readonly firstLoss: number;
  /** Programs at the end of the first epoch. */
  readonly firstPrograms: number | undefined;
  /** Seconds of an epoch in the later half of the run. */
  readonly laterEpoch: number | undefined;
}
function figures({ lines }: Run, epoch: number): Figures {
  const counted = lines.flatMap(line => {
    const done = progressOf(line);
    return done === undefined || done < epoch ? [] : [{ ...line, done: done / epoch }];
  });
  const [first, middle, end] = [counted[0], counted[Math.floor((counted.length - 1) / 2)], counted.at(-1)];
  return {
    firstLoss: lines[0]?.at ?? Number.NaN,
    firstPrograms: first?.programs,
    laterEpoch: counted.length < 2 ? undefined : (end!.at - middle!.at) / (end!.done - middle!.done),
  };
}

const shown = (seconds: number | undefined): string =>
  seconds === undefined ? '–' : seconds < 1 ? `${(seconds * 1000).toFixed(0)} ms` : `${seconds.toFixed(1)} s`;

console.log(`${availableParallelism()} threads, ${values.rounds} rounds`);
const chosen = values.only?.split(',') ?? programs.map(({ name }) => name);
for (const { name, script, peer, args, epoch, speed } of programs.filter(one => chosen.includes(one.name))) {
  console.log(`${name} ${args.join(' ')}`);
  const [cold, warm, torch]: [Run[], Run[], Run[]] = [[], [], []];
  for (let round = 0; round < Number(values.rounds); round++) {
    using cache = mkdtempDisposableSync(join(tmpdir(), 'trenio-bench-'));
    const ours = (): Promise<Run> => run(process.execPath, [join(import.meta.dirname, script), ...args], cache.path);
    cold.push(await ours());
    if (values.python !== undefined)
      torch.push(await run(values.python, [join(import.meta.dirname, 'peers/changing_shapes', peer), ...args]));
    warm.push(await ours());
  }
  const report = (what: string, runs: readonly Run[]): void => {
    const all = runs.map(one => figures(one, epoch));
    const middle = (number: (one: Figures) => number | undefined): number | undefined => {
      const known = all.flatMap(one => number(one) ?? []);
      return known.length === 0 ? undefined : median(known);
    };
    const stopped = runs.some(({ isFinished }) => !isFinished);
    const last = runs.at(-1)!;
    console.log(
      `  ${what.padEnd(13)} first result ${shown(middle(one => one.firstLoss))}, later epoch ${shown(middle(one => one.laterEpoch))}, ` +
        (stopped
          ? `stopped after ${values.limit} s: ${last.lines.at(-1)?.text ?? 'no result'}`
          : `whole run ${shown(median(runs.map(({ seconds }) => seconds)))}`),
    );
  };
  report('empty cache', cold);
  report('filled cache', warm);
  if (torch.length > 0) report('PyTorch', torch);
  const [{ firstPrograms = Number.NaN }, { programs: all, isFinished }] = [figures(cold[0]!, epoch), cold[0]!];
  // A run that was stopped has no figures.
  const later = isFinished ? all - firstPrograms : Number.NaN;
  console.log(`  programs: ${firstPrograms} in the first epoch, ${later} later; ${all} in all`);
  bar({
    what: `${name}, programs after the first epoch`,
    unit: 'programs',
    measured: later,
    kind: 'at most',
    limit: 4,
  });
  if (torch.length === 0) continue;
  const ratios = torch.map((theirs, round) => {
    const [mine, other] = [figures(warm[round]!, epoch), figures(theirs, epoch)];
    return (other.laterEpoch ?? Number.NaN) / (mine.laterEpoch ?? Number.NaN);
  });
  const unit = '× PyTorch eager';
  bar({ what: `${name}, a later epoch`, unit, measured: median(ratios), kind: 'at least', limit: speed });
  const secondsOf = ({ isFinished: done, seconds }: Run): number => (done ? seconds : Number.NaN);
  const whole = median(torch.map((theirs, round) => secondsOf(theirs) / secondsOf(cold[round]!)));
  bar({ what: `${name}, the whole run from an empty cache`, unit, measured: whole, kind: 'at least', limit: 0.5 });
}
