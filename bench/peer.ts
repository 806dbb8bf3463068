// Peer programs, each in its own process that takes steps on demand, so that steps of Trenio and its peers
// can be interleaved on one machine. The other side of the protocol is in bench/peers.
//
//   peer → { "ready": "PyTorch 2.13.0", "firstMs": 812 }          when its first step, compilation included, is done
//   "steps 5" → { "ms": 3.1, "cpuMs": 6, "loss": 0.69, "peakBytes": 1234 }    milliseconds per step, mean of five
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { median } from './peak.ts';

export interface Sample {
  /** Milliseconds of one step. */
  readonly ms: number;
  /** CPU milliseconds of one step, over all threads; with one thread, the load of the machine hardly affects it. */
  readonly cpuMs: number;
  /** Peak resident memory of its process. */
  readonly peakBytes: number;
}

/** Something that takes steps of one workload: Trenio in this process, or a peer in another. */
export interface Contender {
  readonly name: string;
  /** Milliseconds of the first step, compilation included. */
  readonly firstMs: number;
  steps(count: number): Sample | Promise<Sample>;
  end(): void;
}

export interface PeerCommand {
  readonly name: string;
  /** A file in bench/peers; `.py` runs with the given Python, `.js` with Node. */
  readonly script: string;
  readonly settings: object;
  /** A package that must be installed in bench/peers. */
  readonly needs?: string;
}

/** On a terminal, replaces the progress line. */
function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${line}\x1b[K`);
}

/** Starts a peer and waits for its first step. Undefined if it cannot run, after printing the reason. */
export async function startPeer(command: PeerCommand, python: string): Promise<Contender | undefined> {
  const { name, script, settings, needs } = command;
  const file = join(import.meta.dirname, 'peers', script);
  const left = (why: string): undefined => console.log(`  ${name} is not measured: ${why}`) as undefined;
  if (needs !== undefined && !existsSync(join(import.meta.dirname, 'peers/node_modules', needs)))
    return left(`${needs} is not installed (npm install --prefix bench/peers)`);
  const runner = script.endsWith('.py') ? python : process.execPath;
  progress(`starting ${name} …`);
  const child: ChildProcessWithoutNullStreams = spawn(runner, [file, JSON.stringify(settings)]);
  let failure = '';
  child.on('error', error => {
    failure = error.message;
  });
  child.stdin.on('error', () => {});
  child.stderr.on('data', (chunk: Buffer) => {
    failure = (failure + chunk.toString()).slice(-2000);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string | undefined> => {
    for (let line = await lines.next(); !line.done; line = await lines.next())
      if (line.value.startsWith('{')) return line.value;
    return undefined;
  };
  const first = await next();
  progress('');
  if (first === undefined) return left(failure.trim().split('\n').at(-1) ?? 'it ended');
  const { ready, firstMs } = JSON.parse(first) as { ready: string; firstMs: number };
  return {
    name: ready,
    firstMs,
    steps: async count => {
      child.stdin.write(`steps ${count}\n`);
      const answer = await next();
      if (answer === undefined) throw new Error(`${name} ended: ${failure.trim().split('\n').at(-1)}`);
      return JSON.parse(answer) as Sample;
    },
    end: () => void child.kill(),
  };
}

/** Trenio in this process. `step` takes one step and returns when it is done. */
export function ourselves(name: string, step: () => void): Contender {
  const start = performance.now();
  step();
  const firstMs = performance.now() - start;
  return {
    name,
    firstMs,
    steps: count => {
      const from = performance.now();
      const busy = process.cpuUsage();
      for (let i = 0; i < count; i++) step();
      const ms = (performance.now() - from) / count;
      const { user, system } = process.cpuUsage(busy);
      return { ms, cpuMs: (user + system) / 1e3 / count, peakBytes: peakResident() };
    },
    end: () => {},
  };
}

/** Peak resident memory of this process, in bytes. */
export const peakResident = (): number =>
  Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) * 1024;

export interface Measured {
  readonly contender: Contender;
  /** Milliseconds per step, one entry per round. */
  readonly ms: readonly number[];
  readonly median: number;
  /** Median of the rounds' CPU milliseconds per step. */
  readonly cpuMs: number;
  readonly peakBytes: number;
}

/**
 * Rounds in which each contender takes its steps in turn, for about `sampleMs` each. `beforeRound` may measure the
 * machine. Results are in the order of the contenders.
 */
export async function interleave(
  contenders: readonly Contender[],
  options: { readonly rounds: number; readonly sampleMs?: number; readonly beforeRound?: () => void },
): Promise<readonly Measured[]> {
  const counts: number[] = [];
  for (const contender of contenders) {
    const { ms } = await contender.steps(1);
    counts.push(Math.max(1, Math.min(10_000, Math.round((options.sampleMs ?? 200) / ms))));
  }
  const samples: Sample[][] = contenders.map(() => []);
  for (let round = 0; round < options.rounds; round++) {
    progress(`round ${round + 1} of ${options.rounds}`);
    options.beforeRound?.();
    for (const [i, contender] of contenders.entries()) samples[i]!.push(await contender.steps(counts[i]!));
  }
  progress('');
  return contenders.map((contender, i) => {
    const ms = samples[i]!.map(sample => sample.ms);
    const peakBytes = Math.max(...samples[i]!.map(sample => sample.peakBytes));
    return { contender, ms, median: median(ms), cpuMs: median(samples[i]!.map(sample => sample.cpuMs)), peakBytes };
  });
}

/** The median of the ratios of two contenders' steps, round by round: noise that lasts a round cancels. */
export const timesAsFast = (fast: Measured, slow: Measured): number => median(slow.ms.map((ms, i) => ms / fast.ms[i]!));

/** One line per contender: median, spread, first step, memory, ratio to the first. */
export function printMeasured(all: readonly Measured[]): void {
  const [ours] = all;
  const width = Math.max(...all.map(each => each.contender.name.length));
  for (const each of all) {
    const { contender, ms, peakBytes } = each;
    const digits = each.median < 10 ? 3 : each.median < 100 ? 2 : 0;
    const spread = `${Math.min(...ms).toFixed(digits)} … ${Math.max(...ms).toFixed(digits)}`;
    const ratio = each === ours ? '' : `   Trenio is ${timesAsFast(ours!, each).toFixed(2)} × as fast`;
    console.log(
      `  ${contender.name.padEnd(width)} ${each.median.toFixed(digits).padStart(8)} ms (${spread}), first ${(contender.firstMs / 1e3).toFixed(1)} s, ${(peakBytes / 2 ** 30).toFixed(2)} GiB peak resident memory${ratio}`,
    );
  }
}
