// Kills a run at random moments and checks that it resumes to bit-identical final weights.
//
//   node bench/checkpoint-kills.ts --count 200 [--seed 1] [--ranks 1,2,4] [--folder DIR]
//
// Each run saves after every step. It is started, killed at a random moment (SIGKILL of the launcher or of a rank, or SIGTERM
// of the launcher: right after its start, while it trains, or as soon as the folder of a checkpoint changes, that is, during
// writes, between files and around renames), and restarted with another number of ranks, until it completes. Then its
// final hash must be that of an uninterrupted run. After each kill, every checkpoint must be intact, and none may be lost.
import './help.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listCheckpoints } from '../src/distributed/checkpoints/folder.ts';
import { verifyCheckpoint } from '../src/distributed/checkpoints/verify.ts';

export interface KillCampaign {
  readonly count: number;
  readonly seed: number;
  readonly ranks: readonly number[];
  readonly steps?: number;
  /** Kills of a run before it may complete. */
  readonly killsPerRun?: number;
  readonly log: (line: string) => void;
  /** Where the folders of the runs are made. */
  readonly folder?: string;
  readonly variables?: Readonly<Record<string, string>>;
}
export interface KillResult {
  readonly faults: readonly string[];
  readonly kills: number;
  readonly runs: number;
  readonly partials: number;
  readonly exits: Readonly<Record<string, number>>;
  /** The maximum number of steps lost by a kill. */
  readonly mostStepsLost: number;
}

const root = join(import.meta.dirname, '..');
const script = join(root, 'test', 'scripts', 'killed.ts');

function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export async function checkpointKills(campaign: KillCampaign): Promise<KillResult> {
  const { count, ranks, steps = 30, killsPerRun = 5, log } = campaign;
  const random = randomNumbers(campaign.seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const home = mkdtempSync(join(campaign.folder ?? tmpdir(), 'trenio-kills-'));
  const faults: string[] = [];
  const exits: Record<string, number> = {};
  let [kills, runs, partials, mostStepsLost] = [0, 0, 0, 0];

  const start = (folder: string, n: number) => {
    const args = ['run', `--nproc_per_node=${n}`, script, folder, '--steps', `${steps}`];
    const child: ChildProcess = spawn(join(root, 'bin', 'trenio'), args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TRENIO_LOG: 'error', ...campaign.variables },
    });
    let output = '';
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text: Buffer) => (output += `${text}`));
    const ended = new Promise<number | string>(resolve => {
      child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    });
    return { child, ended, output: () => output };
  };
  const finalOf = (output: string): string | undefined => /final (\w+)/.exec(output)?.[1];
  const stepsOf = async (folder: string): Promise<number[]> => {
    const found: number[] = [];
    for (const { directory, step } of await listCheckpoints(folder)) {
      await verifyCheckpoint(directory).catch((error: Error) => faults.push(`run ${runs}: ${error.message}`));
      found.push(step);
    }
    return found;
  };

  try {
    const whole = start(join(home, 'whole'), ranks[0]!);
    await whole.ended;
    const expected = finalOf(whole.output());
    if (expected === undefined) throw new Error(`the uninterrupted run failed:\n${whole.output()}`);
    while (kills < count) {
      const folder = join(home, `run-${++runs}`);
      mkdirSync(folder);
      let last = 0;
      for (let k = 0; k <= killsPerRun; k++) {
        const n = pick(ranks);
        const run = start(folder, n);
        const mayEnd = k === killsPerRun || kills >= count;
        let how = '';
        if (!mayEnd) {
          how = pick(['SIGKILL launcher', 'SIGKILL rank', 'SIGKILL launcher', 'SIGKILL rank', 'SIGTERM launcher']);
          await killMoment(folder, random, run.ended);
          if (run.child.exitCode === null) {
            strike(run.child, how, pick);
            kills++;
          }
        }
        const code = await run.ended;
        // The ranks of a killed launcher end a moment after it.
        await ranksGone(folder);
        const key = how === '' ? `completed ${code}` : `${how}: ${code}`;
        exits[key] = (exits[key] ?? 0) + 1;
        const saved = await stepsOf(folder);
        partials += readdirSync(folder).filter(name => name.endsWith('.partial')).length;
        if ((saved.at(-1) ?? 0) < last)
          faults.push(`run ${runs}: was at step ${last} and is at ${saved.at(-1)} (${how})`);
        const from = /from step (\d+)/.exec(run.output())?.[1];
        if (from !== undefined && Number(from) < last) {
          mostStepsLost = Math.max(mostStepsLost, last - Number(from));
          faults.push(`run ${runs}: went on from step ${from}, and step ${last} was saved`);
        }
        last = saved.at(-1) ?? 0;
        const final = finalOf(run.output());
        if (final !== undefined && final !== expected) faults.push(`run ${runs}: ended with ${final}, not ${expected}`);
        if (final === undefined && how === '')
          faults.push(`run ${runs} ended with ${code}:\n${run.output().slice(-2000)}`);
        if (final !== undefined || how === '') break;
      }
      rmSync(folder, { recursive: true, force: true });
      log(`run ${runs}: ${kills} of ${count} kills, ${faults.length} faults`);
    }
    return { faults, kills, runs, partials, exits, mostStepsLost };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Waits until a random moment of a run: during its start, its training, or the write of a checkpoint. */
async function killMoment(folder: string, random: () => number, ended: Promise<unknown>): Promise<void> {
  const after = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));
  const kind = random();
  if (kind < 0.15) {
    await Promise.race([ended, after(3000 * random())]);
    return;
  }
  // Shortly after the n-th change of a name in the folder, or in the folder of a checkpoint that is being written.
  let left = 1 + Math.floor(30 * random());
  const reached = Promise.withResolvers<void>();
  const watcher = watch(folder, { recursive: true }, () => {
    if (--left === 0) reached.resolve();
  });
  watcher.on('error', () => {});
  await Promise.race([ended, reached.promise, after(60_000)]);
  watcher.close();
  await after(kind < 0.5 ? 0 : 20 * random());
}

function strike(child: ChildProcess, how: string, pick: <T>(from: readonly T[]) => T): void {
  const [signal, victim] = how.split(' ') as [NodeJS.Signals, string];
  const { pid } = child;
  if (pid === undefined) return;
  const ranks = childrenOf(pid);
  const target = victim === 'rank' && ranks.length > 0 ? pick(ranks) : pid;
  try {
    process.kill(target, signal);
  } catch (error) {
    // It has just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Waits until no process has this folder in its command line. */
async function ranksGone(folder: string): Promise<void> {
  const isThere = (): boolean =>
    readdirSync('/proc')
      .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
      .some(pid => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
        } catch {
          return false;
        }
      });
  while (isThere()) await new Promise(resolve => setTimeout(resolve, 20));
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      ranks: { type: 'string', default: '1,2,4' },
      folder: { type: 'string' },
    },
  });
  const result = await checkpointKills({
    count: Number(values.count),
    seed: Number(values.seed),
    ranks: values.ranks.split(',').map(Number),
    log: line => console.log(line),
    ...(values.folder === undefined ? {} : { folder: values.folder }),
  });
  console.log(JSON.stringify(result, null, 2));
  process.exitCode = result.faults.length === 0 ? 0 : 1;
}
