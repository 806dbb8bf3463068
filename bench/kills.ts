// Injects faults into runs on two virtual hosts at random moments and checks how the runs end:
//
//     node bench/kills.ts [--count 60] [--seed 1] [--kinds 'power failure,…'] [--cache DIR]     needs root
//
// A run has two hosts with two ranks each, may lose one (--nnodes 1:2), restarts up to three times, and saves after every step.
// One to three faults are injected, also while it restarts: a rank or a launcher gets SIGKILL, SIGTERM or SIGSTOP, a host
// loses its power or its network, the disk becomes full. A run that ends with a reason is restarted with another number of
// ranks, as a scheduler would do. In the end its weights must be bit-identical to those of an uninterrupted run. No restart may
// begin before the last intact checkpoint, and nothing may be left behind: processes, shared memory, files.
import './help.ts';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { listCheckpoints } from '../src/distributed/checkpoints/folder.ts';
import { verifyCheckpoint } from '../src/distributed/checkpoints/verify.ts';
import { type VirtualHost, VirtualNetwork } from '../src/distributed/launch/namespaces.testing.ts';
import { Running, root, scripts } from '../test/system.ts';

export interface HostKillCampaign {
  /** The number of faults to inject. */
  readonly count: number;
  readonly seed: number;
  readonly steps?: number;
  readonly kinds?: readonly Disturbance[];
  /** How long a launcher waits for the others. */
  readonly waitSeconds?: number;
  readonly log: (line: string) => void;
  readonly variables?: Readonly<Record<string, string>>;
}
export interface HostKillResult {
  readonly faults: readonly string[];
  readonly kills: number;
  readonly runs: number;
  /** The number of runs that completed by themselves, and of those that ended with a reason. */
  readonly wentOn: number;
  readonly ended: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly reasons: Readonly<Record<string, number>>;
}

export const disturbances = [
  'SIGKILL of a rank',
  'SIGTERM of a rank',
  'SIGSTOP of a rank',
  'SIGKILL of a launcher',
  'SIGTERM of a launcher',
  'SIGSTOP of a launcher',
  'power failure',
  'network cut',
  'disk full',
] as const;
export type Disturbance = (typeof disturbances)[number];

/** Long, because a busy machine starts ranks slowly; a run that hangs is still detected. */
const RUN_MS = 300_000;
const finalOf = (text: string): string | undefined => /final (\w+)/.exec(text)?.[1];

export async function hostKills(campaign: HostKillCampaign): Promise<HostKillResult> {
  const { count, log, steps = 25, kinds: among = disturbances, waitSeconds = 15 } = campaign;
  let state = campaign.seed >>> 0;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const home = mkdtempSync(join(tmpdir(), 'trenio-kills-'));
  const faults: string[] = [];
  const fault = (text: string): void => {
    faults.push(text);
    log(`  FAULT ${text}`);
  };
  const kinds: Record<string, number> = {};
  const reasons: Record<string, number> = {};
  let [kills, runs, wentOn, ended] = [0, 0, 0, 0];

  const variables = {
    TRENIO_RDZV_SECRET: 'of this campaign and no other',
    TRENIO_NUM_THREADS: '1',
    TRENIO_LOG: 'error',
    ...campaign.variables,
  };
  const script = join(scripts, 'killed.ts');
  const start = (host: VirtualHost | undefined, folder: string, options: readonly string[]): Running => {
    const command = [...(host?.enter ?? []), join(root, 'bin', 'trenio'), 'run', '--no-pin', ...options];
    const [first = '', ...words] = [...command, script, folder, '--steps', `${steps}`];
    return new Running(first, words, { variables });
  };
  const waits = `last_call_timeout=0.5,join_timeout=${waitSeconds},timeout=${waitSeconds}`;
  const conf = `${waits},heartbeat_interval=0.3,heartbeat_timeout=2`;
  const together = [
    '--nnodes=1:2',
    '--nproc_per_node=2',
    '--max-restarts=3',
    '--timeout=4',
    '--rdzv-endpoint=host1:29500',
    `--rdzv-conf=${conf}`,
  ];
  /** The last checkpoint; every checkpoint with its final name must be intact. */
  const lastSaved = async (folder: string): Promise<number> => {
    let last = 0;
    for (const { directory, step } of await listCheckpoints(folder)) {
      try {
        await verifyCheckpoint(directory);
        last = step;
      } catch (error) {
        // An old one may be removed meanwhile.
        const isStillThere = (await listCheckpoints(folder)).some(entry => entry.directory === directory);
        if (isStillThere) fault(`run ${runs}: ${(error as Error).message}`);
      }
    }
    return last;
  };

  async function disturb(network: VirtualNetwork, disk: string, launchers: readonly Running[]): Promise<string> {
    const kind = pick(among);
    const host = pick(network.hosts);
    const pidsOf = (pattern: string): number[] => {
      try {
        return host.execute('pgrep', '-f', pattern).trim().split('\n').map(Number);
      } catch {
        return []; // there is none
      }
    };
    const [signal, , , victim] = kind.split(' ') as [NodeJS.Signals, string, string, string | undefined];
    switch (kind) {
      case 'power failure':
        await host[Symbol.asyncDispose]();
        break;
      case 'network cut': {
        host.unplug();
        const backMs = 500 + 6000 * random();
        // The network comes back too early to be noticed, while the ranks are being stopped, or too late.
        void sleep(backMs).then(() => host.isUp && host.plug());
        break;
      }
      case 'disk full': {
        // The remaining space is too small for a checkpoint.
        const fill = join(disk, 'fill');
        try {
          writeFileSync(fill, Buffer.alloc(1 << 26));
        } catch {
          // Expected: the disk is full.
        }
        const all = Promise.all(launchers.map(one => one.ended));
        await Promise.race([all, sleep(500 + 3000 * random())]);
        rmSync(fill, { force: true });
        break;
      }
      default: {
        const pids = pidsOf(victim === 'rank' ? '[r]ank-preload' : '[m]ain.ts run|[b]in/trenio run');
        if (pids.length === 0) return 'nothing';
        try {
          host.signal(pick(pids), signal);
        } catch {
          return 'nothing'; // it has just ended
        }
      }
    }
    return `${kind} on ${host.name}`;
  }

  async function oneRun(expected: string): Promise<void> {
    runs++;
    const disk = join(home, `run-${runs}`);
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]);
    const folder = join(disk, 'checkpoints');
    const told: string[] = [];
    try {
      await using network = await VirtualNetwork.make(2);
      const launchers = network.hosts.map(host => start(host, folder, together));
      const output = (): string => launchers.map(one => one.stdout).join('\n');
      const times = Math.min(count - kills, pick([1, 1, 2, 3]));
      for (let k = 0; k < times; k++) {
        const isOver = (): boolean =>
          launchers.every(({ child }) => child.exitCode !== null || child.signalCode !== null);
        const begun = output().split('from step').length;
        // Kill it while it starts, while it trains or, after the first kill, while it restarts.
        const target = k > 0 && random() < 0.5 ? undefined : Math.floor(random() * steps);
        const until = performance.now() + (target === undefined ? 4000 * random() : 20_000);
        while (performance.now() < until && !isOver()) {
          if (
            target !== undefined &&
            (await lastSaved(folder)) >= target &&
            output().split('from step').length >= begun
          )
            break;
          await sleep(20);
        }
        await sleep(30 * random());
        const before = await lastSaved(folder);
        const seen = launchers.map(one => one.stdout.length);
        if (isOver()) break;
        const what = await disturb(network, disk, launchers);
        if (what === 'nothing') continue;
        kills++;
        told.push(what);
        const kind = what.replace(/ on host\d/, '');
        kinds[kind] = (kinds[kind] ?? 0) + 1;
        // A slower launcher may report an earlier start late.
        void Promise.all(launchers.map(one => one.ended)).then(() => {
          for (const [i, one] of launchers.entries())
            for (const match of one.stdout.slice(seen[i]).matchAll(/from step (\d+)/g))
              if (Number(match[1]) < before - 1)
                fault(`run ${runs}: began again at step ${match[1]}, and step ${before} was saved (${what})`);
        });
      }
      const late = setTimeout(() => {
        const state = launchers.map(({ stdout, stderr }, i) => {
          const host = network.hosts[i]!;
          const processes = host.isUp
            ? host.execute('ps', '-eo', 'pid,ppid,stat,etime,wchan:20,args', '--cols=160')
            : 'down';
          return `${host.name}\n${processes}\n${stdout.slice(-1500)}\n${stderr.slice(-1500)}`;
        });
        fault(`run ${runs} had not ended after ${RUN_MS / 1000} s (${told.join(', ')})\n${state.join('\n')}`);
        for (const { child } of launchers) child.kill('SIGKILL');
        for (const host of network.hosts) void host[Symbol.asyncDispose]();
      }, RUN_MS);
      // A stopped launcher exists until it is continued or killed.
      const stopped = told.some(what => what.includes('SIGSTOP of a launcher'));
      // Those of both hosts may be stopped.
      if (stopped) await Promise.race([...launchers.map(one => one.ended), sleep(30_000)]);
      if (stopped) await sleep(1500);
      if (stopped)
        for (const host of network.hosts)
          if (host.isUp) for (const pid of stoppedLaunchers(host)) host.signal(pid, 'SIGKILL');
      // nsenter stops with its child.
      if (stopped) for (const { child } of launchers) child.kill('SIGCONT');
      const ends = await Promise.all(launchers.map(one => one.ended));
      clearTimeout(late);
      let final = finalOf(output());
      if (final !== undefined) wentOn++;
      else {
        ended++;
        const errors = ends.map(({ stderr }) => stderr).join('\n');
        const reason =
          reasonOf(errors) ?? (told.some(what => /power|launcher/.test(what)) ? 'its launchers have ended' : undefined);
        if (reason === undefined)
          fault(`run ${runs} ended without a reason (${told.join(', ')}): ${errors.slice(-1500)}`);
        else reasons[reason] = (reasons[reason] ?? 0) + 1;
      }
      await sleep(100);
      for (const host of network.hosts.filter(one => one.isUp)) {
        const { processes, memory } = host.leftovers();
        // A killed launcher cannot clean up after itself; the next one does.
        const isKilled = told.some(what => what.endsWith(`launcher on ${host.name}`));
        if (processes.length > 0 || (memory.length > 0 && !isKilled))
          fault(`run ${runs} has left ${[...processes, ...memory].join(', ')} (${told.join(', ')})`);
      }
      if (final === undefined) {
        const again = start(undefined, folder, [`--nproc_per_node=${pick([1, 2, 4])}`]);
        const end = await again.ended;
        final = finalOf(end.stdout);
        const from = Number(/from step (\d+)/.exec(end.stdout)?.[1] ?? -1);
        log(`  started again from step ${from}`);
        if (final === undefined) fault(`run ${runs} could not be started again: ${end.stderr.slice(-1500)}`);
      }
      if (final !== undefined && final !== expected)
        fault(`run ${runs} ended with ${final}, not ${expected} (${told.join(', ')})`);
      const remains = readdirSync(folder).filter(name => !/^checkpoint-\d+$/.test(name));
      if (remains.length > 0) fault(`run ${runs} has left ${remains.join(', ')} (${told.join(', ')})`);
    } finally {
      execFileSync('umount', ['--lazy', disk]);
    }
    log(`run ${runs}: ${told.join(', ') || 'nothing'}; ${kills} of ${count} disturbances, ${faults.length} faults`);
  }

  try {
    const whole = await start(undefined, join(home, 'whole'), []).ended;
    const expected = finalOf(whole.stdout);
    if (expected === undefined) throw new Error(`the uninterrupted run failed:\n${whole.stderr}`);
    while (kills < count) await oneRun(expected);
    return { faults, kills, runs, wentOn, ended, kinds, reasons };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function stoppedLaunchers(host: VirtualHost): readonly number[] {
  return host
    .execute('ps', '-eo', 'pid=,stat=')
    .trim()
    .split('\n')
    .flatMap(line => (/ T/.test(line) ? [Number(line.trim().split(' ')[0])] : []));
}

/** The launchers' messages, without numbers and names. */
function reasonOf(errors: string): string | undefined {
  const found =
    /(?:the run has ended: )(.*)/.exec(errors)?.[1] ??
    /\[([A-Z_]+)\]/.exec(errors)?.[0] ??
    /trenio run: (rank \d+ of .*)/.exec(errors)?.[1] ??
    /(exiting as requested)/.exec(errors)?.[1];
  return found
    ?.replaceAll(/host\d(:\d+)?/g, 'HOST')
    .replaceAll(/\d+/g, 'N')
    .slice(0, 100);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      kinds: { type: 'string', default: disturbances.join() },
      count: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      cache: { type: 'string' },
    },
  });
  const result = await hostKills({
    count: Number(values.count),
    seed: Number(values.seed),
    kinds: disturbances.filter(kind => values.kinds.split(',').includes(kind)),
    log: line => console.log(line),
    variables: values.cache === undefined ? {} : { TRENIO_CACHE_DIR: values.cache },
  });
  console.log(JSON.stringify(result, null, 2));
  process.exitCode = result.faults.length === 0 ? 0 : 1;
}
