// Kills ranks and launchers of a run on two nodes at random moments, and counts how the runs end:
//
//     node bench/kills.ts [--count 20] [--seed 1]
//
// Every run must end with the result of an undisturbed run, or with a reason; and nothing may be left of it.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const script = fileURLToPath(new URL('../src/distributed/launch/fixtures/resume.ts', import.meta.url));
const STEPS = 60;
const RUN_MS = 90_000;

let state = Number(values.seed);
const random = (): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

interface Launcher {
  readonly child: ChildProcess;
  output: string;
  readonly ended: Promise<number>;
}

function start(folder: string, port: number): Launcher {
  const conf = 'last_call_timeout=0.5,join_timeout=20,timeout=20,heartbeat_interval=0.3,heartbeat_timeout=2';
  const flags = [
    '--nnodes=1:2',
    '--max-restarts=3',
    `--rdzv-endpoint=127.0.0.1:${port}`,
    `--rdzv-conf=${conf}`,
    '--no-pin',
  ];
  const child = spawn(process.execPath, [main, 'run', ...flags, script, folder, `${STEPS}`], {
    env: { ...process.env, TRENIO_RDZV_SECRET: 'of this campaign and no other' },
  });
  const launcher: Launcher = {
    child,
    output: '',
    ended: new Promise(resolve => child.once('close', code => resolve(code ?? -1))),
  };
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => {
      launcher.output += chunk.toString();
    });
  return launcher;
}

const pidsOf = ({ output }: Launcher): number[] => [...output.matchAll(/rank \d+ is (\d+)/g)].map(m => Number(m[1]));
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const finalOf = (text: string): string | undefined => /final (\d+)/.exec(text)?.[1];

async function run(port: number, kill: boolean): Promise<{ what: string; outcome: string; left: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-kills-'));
  const launchers = [start(folder, port), start(folder, port)];
  let what = 'nothing';
  if (kill) {
    await sleep(500 + random() * 3500);
    const launcher = pick(launchers);
    const signal = pick(['SIGKILL', 'SIGTERM'] as const);
    const target = pick(['rank', 'launcher'] as const);
    const pid = target === 'launcher' ? launcher.child.pid! : pidsOf(launcher).findLast(isAlive);
    what = pid === undefined ? 'nothing' : `${signal} to a ${target}`;
    if (pid !== undefined && isAlive(pid)) process.kill(pid, signal);
  }
  const late = setTimeout(() => {
    for (const { child } of launchers) child.kill('SIGKILL');
  }, RUN_MS);
  const codes = await Promise.all(launchers.map(({ ended }) => ended));
  clearTimeout(late);
  await sleep(200);
  const left =
    launchers.flatMap(pidsOf).filter(isAlive).length +
    readdirSync('/dev/shm').filter(name => launchers.some(({ child }) => name.startsWith(`trenio-${child.pid}-`)))
      .length;
  const text = launchers.map(({ output }) => output).join('\n');
  rmSync(folder, { recursive: true });
  const reason = /(?:the run has ended: |RANK_FAILED|trenio run: rank \d+ of )(.*)/.exec(text)?.[0];
  const final = finalOf(text);
  return { what, outcome: final !== undefined ? `final ${final}` : (reason ?? `NO REASON ${codes}: ${text}`), left };
}

const undisturbed = await run(24_000 + Math.floor(random() * 1000), false);
console.log(`undisturbed: ${undisturbed.outcome}`);
let failed = 0;
for (let i = 1; i <= Number(values.count); i++) {
  const { what, outcome, left } = await run(25_000 + Math.floor(random() * 2000), true);
  const isRight = (outcome === undisturbed.outcome || !/^final|^NO REASON/.test(outcome)) && left === 0;
  if (!isRight) failed++;
  console.log(`${i}. ${what}: ${outcome}${left === 0 ? '' : `, ${left} LEFT`}${isRight ? '' : '  WRONG'}`);
}
console.log(`${failed} of ${values.count} wrong`);
process.exitCode = failed === 0 ? 0 : 1;
