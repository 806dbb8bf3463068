// Two runs compete for one folder and are killed at random: checks that neither loses a checkpoint, and that each resumes its
// own.
//
//   node bench/two-runs.ts --kills 20 [--seed 1]
//
// The example trains indefinitely, with a checkpoint after each step. Each round starts one of the runs (new, resumed, or
// starting over in the folder of the other one), tries to start the other one in the same folder while it runs, and kills it
// (launcher or rank; SIGKILL or SIGTERM) at a random moment. Then every earlier checkpoint must still exist
// or have been replaced by later ones of the same run, and all must be intact. At the end, both runs resume and complete.
import './help.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listCheckpoints } from '../src/distributed/checkpoints/folder.ts';
import { verifyCheckpoint } from '../src/distributed/checkpoints/verify.ts';
import { readRunFile } from '../src/jobs/run-file.ts';

export interface Campaign {
  readonly kills: number;
  readonly seed: number;
  readonly log: (line: string) => void;
}
export interface CampaignResult {
  /** The failures; empty on success. */
  readonly faults: readonly string[];
  readonly kills: number;
  /** Starts that were rejected because the other run was training. */
  readonly refusedWhileRunning: number;
  /** Starts that were rejected because the folder had the other run's files. */
  readonly refusedTaken: number;
  readonly resumed: number;
  readonly startedOver: number;
  /** Half-written checkpoints that kills left behind. */
  readonly interruptedWrites: number;
  readonly lastSteps: Readonly<Record<string, number>>;
}

const root = join(import.meta.dirname, '..');
const train = join(root, 'examples', 'bert-polarity', 'train.ts');
const small = '--layers 1 --hidden 16 --heads 2 --intermediate 32 --max-length 16 --batch-size 2'.split(' ');
const epochs = ['--epochs', '100000'];
type Name = 'A' | 'B';

class Session {
  readonly child: ChildProcess;
  output = '';
  readonly ended: Promise<number | null>;

  constructor(folder: string, output: string, name: Name, ranks: number, ...more: string[]) {
    const words = ['run', `--nproc_per_node=${ranks}`, train, '--data', 'train.csv', '--validation', 'validation.csv'];
    // Both are the same run for any number of ranks: two micro-batches a step.
    const options = ['--gradient-accumulation', `${2 / ranks}`, '--seed', name === 'A' ? '1' : '2', '--output', output];
    this.child = spawn(join(root, 'bin', 'trenio'), [...words, ...options, ...small, ...more], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    this.ended = once(this.child, 'close').then(([code]) => code as number | null);
  }
}

export async function twoRuns({ kills, seed, log }: Campaign): Promise<CampaignResult> {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-two-runs-'));
  let state = seed;
  // Park and Miller's generator, good enough to choose random moments.
  const random = (): number => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const review = (i: number): string => `"${(i % 2) + 1}","item","a ${['poor', 'good'][i % 2]} thing, number ${i}"\n`;
  const rows = Array.from({ length: 4 }, (_, i) => review(i)).join('');
  writeFileSync(join(folder, 'train.csv'), rows);
  writeFileSync(join(folder, 'validation.csv'), rows);

  const shared = join(folder, 'out');
  const faults: string[] = [];
  const counts = {
    kills: 0,
    refusedWhileRunning: 0,
    refusedTaken: 0,
    resumed: 0,
    startedOver: 0,
    interruptedWrites: 0,
  };
  const ids = new Map<Name, string>();
  let round = 0;
  const fault = (text: string, session?: Session): void => {
    const line = `round ${round}: ${text}${session === undefined ? '' : `\n${session.output}`}`;
    faults.push(line);
    log(`FAULT ${line}`);
  };

  /** The folder that currently contains the files of a run. */
  const homeOf = async (name: Name): Promise<string | undefined> => {
    const id = ids.get(name);
    const previous = join(shared, 'previous');
    const all = [shared, ...(existsSync(previous) ? readdirSync(previous).map(entry => join(previous, entry)) : [])];
    for (const home of all) if (id !== undefined && (await readRunFile(home))?.id === id) return home;
    return undefined;
  };
  /** Steps of the checkpoints of a run, each of which must be intact. */
  const stepsOf = async (name: Name): Promise<readonly number[]> => {
    const home = await homeOf(name);
    if (home === undefined) return [];
    const entries = await listCheckpoints(join(home, 'checkpoints'));
    for (const { directory } of entries) {
      const run = await verifyCheckpoint(directory).then(
        found => found.run,
        (error: Error) => {
          fault(`${directory}: ${error.message}`);
          return undefined;
        },
      );
      if (run !== ids.get(name)) fault(`${directory} belongs to run ${run}, but its folder to run ${ids.get(name)}`);
    }
    return entries.map(({ step }) => step);
  };

  async function play(name: Name): Promise<void> {
    const other: Name = name === 'A' ? 'B' : 'A';
    const before = { mine: await stepsOf(name), others: await stepsOf(other) };
    const home = before.mine.length > 0 ? (await homeOf(name))! : shared;
    const taken =
      home === shared && before.mine.length === 0 && before.others.length > 0 && (await homeOf(other)) === shared;
    const ranks = pick(1, 1, 2);
    if (taken && random() < 0.5) {
      const refused = new Session(folder, shared, name, ranks, ...epochs);
      if ((await refused.ended) === 0 || !refused.output.includes('[RUN_FOLDER_TAKEN]')) fault('not refused', refused);
      counts.refusedTaken++;
    }
    const how = before.mine.length > 0 ? ['--resume'] : home === shared && existsSync(shared) ? ['--start-over'] : [];
    const session = new Session(folder, home, name, ranks, ...epochs, ...how);
    // Wait for its first checkpoint of this session, then for a random time.
    const last = before.mine.at(-1) ?? 0;
    const early = round > 2 && random() < 0.15;
    const deadline = Date.now() + (early ? 500 + 2500 * random() : 60_000);
    while (Date.now() < deadline && session.child.exitCode === null) {
      await new Promise(resolve => setTimeout(resolve, 20));
      const id = await readRunFile(home).then(
        run => run?.id,
        () => undefined,
      );
      const steps = id === undefined ? [] : (await listCheckpoints(join(home, 'checkpoints'))).map(({ step }) => step);
      if (!early && how[0] !== '--start-over' && (steps.at(-1) ?? 0) > last) break;
      if (!early && how[0] === '--start-over' && id !== ids.get(other) && steps.length > 0) break;
    }
    if (session.child.exitCode !== null) fault('ended by itself', session);
    if (!early && random() < 0.5) {
      // Start the other one while this one trains.
      const rival = new Session(folder, home, other, 1, ...epochs, ...pick(['--resume'], ['--start-over'], []));
      if ((await rival.ended) === 0 || !rival.output.includes('[RUN_IN_PROGRESS]')) fault('not refused', rival);
      counts.refusedWhileRunning++;
    }
    await new Promise(resolve => setTimeout(resolve, 800 * random()));
    kill(session);
    await session.ended;
    counts.kills++;
    const run = await readRunFile(home);
    // If it is killed before writing run.json, the folder still belongs to its previous run.
    if (run !== undefined && run.id !== ids.get(other) && before.mine.length === 0) ids.set(name, run.id);
    counts.interruptedWrites += hidden(home);
    if (how[0] === '--resume') {
      counts.resumed++;
      const from = /resuming run (\w+) from \S*checkpoint-(\d+)/.exec(session.output);
      if (from !== null && (from[1] !== ids.get(name) || Number(from[2]) !== last))
        fault(`went on from ${from[0]}`, session);
    }
    if (how[0] === '--start-over') counts.startedOver++;
    const after = { mine: await stepsOf(name), others: await stepsOf(other) };
    if (before.others.join() !== after.others.join())
      fault(`${other} had checkpoints ${before.others.join()} and has ${after.others.join()}`, session);
    if ((after.mine.at(-1) ?? 0) < last) fault(`${name} was at step ${last} and is at ${after.mine.at(-1)}`, session);
    // Two checkpoints are kept; the older one may only have been replaced by a later one.
    if (after.mine.length < Math.min(2, before.mine.length)) fault(`${name} has only ${after.mine.join()}`, session);
    const where = home === shared ? 'out' : 'out/previous';
    log(
      `${round}: ${name} in ${where} ${how.join('') || 'new'}, ${ranks} rank(s), killed${early ? ' early' : ''}: A at ${(await stepsOf('A')).at(-1) ?? '-'}, B at ${(await stepsOf('B')).at(-1) ?? '-'}`,
    );
  }

  function kill(session: Session): void {
    const { pid } = session.child;
    if (session.child.exitCode !== null || pid === undefined) return;
    const ranks = childrenOf(pid);
    const victim = pick('launcher', 'rank', 'politely');
    if (victim === 'politely') process.kill(pid, 'SIGTERM');
    else process.kill(victim === 'rank' && ranks.length > 0 ? pick(...ranks) : pid, 'SIGKILL');
  }

  try {
    for (round = 1; round <= kills; round++) await play(round <= 1 ? 'A' : round === 2 ? 'B' : pick('A', 'B'));
    // Both resume their own run and complete it.
    const lastSteps: Record<string, number> = {};
    for (const name of ['A', 'B'] as const) {
      const last = (await stepsOf(name)).at(-1);
      const home = await homeOf(name);
      if (last === undefined || home === undefined) continue;
      const session = new Session(folder, home, name, 1, '--epochs', '100000', '--steps', `${last + 2}`, '--resume');
      const code = await session.ended;
      if (code !== 0 || !session.output.includes(`resuming run ${ids.get(name)} from`))
        fault('did not resume', session);
      lastSteps[name] = (await stepsOf(name)).at(-1) ?? 0;
      if (lastSteps[name] !== last + 2) fault(`${name} ended at step ${lastSteps[name]}, not ${last + 2}`, session);
    }
    return { faults, ...counts, lastSteps };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hidden(home: string): number {
  const checkpoints = join(home, 'checkpoints');
  return existsSync(checkpoints) ? readdirSync(checkpoints).filter(name => name.endsWith('.partial')).length : 0;
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // exited in the meantime, or not Linux
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
  });
  const result = await twoRuns({ kills: Number(values.kills), seed: Number(values.seed), log: console.log });
  console.log(JSON.stringify(result, undefined, 2));
  process.exitCode = result.faults.length > 0 ? 1 : 0;
}
