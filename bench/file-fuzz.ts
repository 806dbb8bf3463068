// Mutants of files of every format that is read: random edits of small valid files. They are read in child processes: each must
// end with a typed error or a value; no other error, no end of the process, no file over its budget of time or memory. A process
// that ends, or does not come back, counts as one file, which is kept, and the next process goes on behind it. Before the
// mutants, the hostile files of the format are read.
//
//   node bench/file-fuzz.ts [--count 1000] [--seed 1] [--format png,tar,…] [--first 0]
import './help.ts';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isTrenioError } from 'trenio';
import { bar } from './bars.ts';
import { formats } from './file-fuzz/formats.ts';
import { hostileFiles } from './file-fuzz/hostile-files.ts';
import { mutant, randomOf } from './file-fuzz/mutants.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    format: { type: 'string' },
    /** The folder of a child process. */
    child: { type: 'string' },
  },
});
const count = Number(values.count);
const slowMs = 12_000;
/** Without progress, by the clock; far more than a slow file takes on a busy machine. */
const stuckMs = 600_000;
/** A format is not read further after this many ends of a process. */
const mostEnded = 20;
const mostBytes = 3 * 2 ** 30;

/** CPU time, so that other processes do not count. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
/** The file with the number of the mutant that is being read. */
const progressIn = (folder: string): string => join(folder, 'progress');

/** Reads the mutants from `first` on, each of which depends on its number and the seed alone. */
async function runChild(name: string, folder: string, first: number): Promise<void> {
  const { name: fileName, samples, read, beside, repair } = formats[name]!;
  const valid = samples();
  const path = join(folder, fileName);
  for (const [other, bytes] of Object.entries(beside?.() ?? {})) writeFileSync(join(folder, other), bytes);
  const counts = { read: 0, refused: 0, untyped: 0, slow: 0, wrong: 0 };
  const seen = new Set<string>();
  const rejected = (error: unknown): void => {
    counts.untyped++;
    console.log(`${name}: unhandled: ${(error as Error).stack}`);
  };
  process.on('unhandledRejection', rejected);
  /** Counts the result of reading the file at `path`; returns the code of its error. */
  const readOne = async (i: number | string): Promise<string | null> => {
    const start = cpuMs();
    let code: string | null = null;
    try {
      await read(path);
      counts.read++;
    } catch (error) {
      code = isTrenioError(error) ? error.code : 'untyped';
      if (isTrenioError(error)) counts.refused++;
      else {
        counts.untyped++;
        const { stack = String(error) } = error as Error;
        const place = stack
          .split('\n')
          .filter(line => line.startsWith('    at '))
          .slice(0, 3)
          .join('\n');
        if (!seen.has(place)) {
          copyFileSync(path, keptName(name, i));
          console.log(`${name} ${i}: ${stack.slice(0, 300)}\n${place}`);
        }
        seen.add(place);
      }
    }
    if (cpuMs() - start > slowMs) {
      counts.slow++;
      copyFileSync(path, keptName(name, i));
      console.log(`${name} ${i}: ${Math.round(cpuMs() - start)} ms`);
    }
    return code;
  };
  const hostile = first > 0 ? [] : hostileFiles.filter(({ format }) => format === name);
  for (const { what, code, bytes } of hostile) {
    writeFileSync(path, bytes());
    const found = await readOne(what);
    if (found === code) continue;
    counts.wrong++;
    console.log(`${name}: ${what}: ${found}, not ${code}`);
  }
  for (let i = first; i < count; i++) {
    const random = randomOf(Number(values.seed) * 1_000_003 + i);
    const edited = mutant(valid, random);
    writeFileSync(path, repair !== undefined && random(4) > 0 ? repair(edited) : edited);
    writeFileSync(progressIn(folder), String(i));
    await readOne(i);
    if (i % 1000 === 999 || i === count - 1)
      process.send!({ ...counts, next: i + 1, bytes: process.resourceUsage().maxRSS * 1024 });
  }
}
/** Where a file is kept that was not handled. */
const keptName = (name: string, i: number | string): string =>
  join(tmpdir(), `trenio-fuzz-${name}-${values.seed}-${i}`.replaceAll(/[^\w-]/g, '_'));

interface Counts {
  readonly read: number;
  readonly refused: number;
  readonly untyped: number;
  readonly slow: number;
  /** Hostile files with another result than expected. */
  readonly wrong: number;
  readonly bytes: number;
}

/** All mutants of a format, with a new process where one ends. */
async function runFormat(name: string): Promise<Counts & { readonly ended: number }> {
  const done: Counts[] = [];
  let ended = 0;
  const folder = mkdtempSync(join(tmpdir(), 'trenio-fuzz-'));
  try {
    for (let first = Number(values.first); first < count && ended < mostEnded; ) {
      const options = ['--child', folder, '--format', name, '--count', values.count, '--seed', values.seed];
      const child = fork(import.meta.filename, [...options, '--first', String(first)]);
      let counts: (Counts & { readonly next: number }) | undefined;
      child.on('message', message => {
        counts = message as Counts & { readonly next: number };
      });
      const progress = (): number => Number(readFileSync(progressIn(folder), 'utf8'));
      writeFileSync(progressIn(folder), String(first));
      let last = -1;
      const watch = setInterval(() => {
        if (progress() === last) child.kill('SIGKILL');
        last = progress();
      }, stuckMs);
      const [code, signal] = await once(child, 'exit');
      clearInterval(watch);
      if (counts !== undefined) done.push(counts);
      if (counts?.next === count) break;
      const at = progress();
      ended++;
      copyFileSync(join(folder, formats[name]!.name), keptName(name, at));
      console.log(`${name} ${at}: the process ended with ${code ?? signal}`);
      first = at + 1;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const sum = (field: keyof Counts): number => done.reduce((total, one) => total + one[field], 0);
  return {
    read: sum('read'),
    refused: sum('refused'),
    untyped: sum('untyped'),
    slow: sum('slow'),
    wrong: sum('wrong'),
    bytes: Math.max(0, ...done.map(({ bytes }) => bytes)),
    ended,
  };
}

if (values.child !== undefined) await runChild(values.format!, values.child, Number(values.first));
else {
  const totals = { untyped: 0, slow: 0, wrong: 0, ended: 0, heavy: 0 };
  for (const name of values.format?.split(',') ?? Object.keys(formats)) {
    const { read, refused, untyped, slow, wrong, ended, bytes } = await runFormat(name);
    totals.untyped += untyped;
    totals.slow += slow;
    totals.wrong += wrong;
    totals.ended += ended;
    if (bytes > mostBytes) totals.heavy++;
    console.log(
      `${name}: ${read} read, ${refused} refused, ${untyped} untyped, ${slow} slow, ${wrong} wrong, ${ended} ended, at most ${Math.round(bytes / 2 ** 20)} MiB`,
    );
  }
  for (const [what, measured] of Object.entries(totals))
    bar({ what, unit: 'files', measured, kind: 'at most', limit: 0 });
}
