// The cost of observation for a training step: two processes take turns training the same small model, one recording for `trenio
// top` and `trenio monitor`, the other not (TRENIO_OBSERVE=0). Both tools run during the turns of the first process and are
// stopped during those of the second.
//
// All recording happens on the script's thread, so CPU time is compared: other processes disturb it much less than wall-clock
// time, which is printed as well. The tools' own CPU time is added. The limit is 1 %.
//
//   node bench/observe.ts [--rounds 40] [--steps 60]
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AdamW, nn, tensor } from 'trenio';
import { readProcess } from '../src/observe/index.ts';
import { bar } from './bars.ts';
import { median } from './peak.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    steps: { type: 'string', default: '60' },
    child: { type: 'boolean', default: false },
  },
});

if (values.child) train();
else await compare(Number(values.rounds), Number(values.steps));

/** Milliseconds of a step: on the clock, and of the processor in the script's thread. */
interface StepTime {
  readonly wallMs: number;
  readonly scriptMs: number;
}

/** Runs as many steps as it is told to, and answers with the time of one. */
function train(): void {
  const width = 256;
  const model = new nn.Sequential(new nn.Linear(width, width), new nn.GELU(), new nn.Linear(width, width));
  const optimizer = new AdamW(model.parameters(), { lr: 1e-3 });
  const x = tensor(Array.from({ length: 64 }, (_, i) => Array<number>(width).fill(i / 64)));
  process.on('message', (steps: number) => {
    const start = performance.now();
    const before = process.threadCpuUsage();
    let loss = x;
    for (let step = 0; step < steps; step++) {
      loss = model.forward(x).square().mean();
      optimizer.zeroGrad();
      loss.backward();
      optimizer.step();
    }
    loss.item();
    const { user, system } = process.threadCpuUsage(before);
    const time: StepTime = { wallMs: (performance.now() - start) / steps, scriptMs: (user + system) / 1000 / steps };
    process.send!(time);
  });
}

/** The CPU time of a process and its children. */
function cpuSeconds(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  const { userSeconds = 0, systemSeconds = 0 } = readProcess(pid) ?? {};
  return children.reduce((sum, child) => sum + cpuSeconds(child), userSeconds + systemSeconds);
}

async function compare(rounds: number, steps: number): Promise<void> {
  const self = fileURLToPath(import.meta.url);
  const trenio = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
  const child = (observe: string): ChildProcess =>
    fork(self, ['--child'], { env: { ...process.env, TRENIO_OBSERVE: observe } });
  const [on, off] = [child('1'), child('0')];
  // `top` on a pseudo-terminal, as a user has it.
  const tools = [
    spawn(process.execPath, [trenio, 'monitor', '--period', '1s'], { stdio: 'ignore' }),
    spawn('script', ['-qec', `${process.execPath} ${trenio} top`, '/dev/null'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    }),
  ];
  const measure = async (process: ChildProcess): Promise<StepTime> => {
    process.send(steps);
    return ((await once(process, 'message')) as [StepTime])[0];
  };
  try {
    for (const each of [on, off]) for (let warm = 0; warm < 3; warm++) await measure(each);
    const times = { on: [] as StepTime[], off: [] as StepTime[] };
    const toolsBefore = tools.map(({ pid }) => cpuSeconds(pid!));
    let onSeconds = 0;
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const);
      for (const which of order) {
        for (const tool of tools) tool.kill(which === 'on' ? 'SIGCONT' : 'SIGSTOP');
        const start = performance.now();
        times[which].push(await measure(which === 'on' ? on : off));
        if (which === 'on') onSeconds += (performance.now() - start) / 1000;
      }
    }
    const of = (which: 'on' | 'off', field: keyof StepTime): number => median(times[which].map(time => time[field]));
    const stepMs = of('off', 'wallMs');
    const recording = (100 * (of('on', 'scriptMs') - of('off', 'scriptMs'))) / stepMs;
    const seconds = tools.reduce((sum, { pid }, i) => sum + cpuSeconds(pid!) - toolsBefore[i]!, 0);
    const reading = (100 * seconds) / onSeconds / availableParallelism();
    console.log(`a step: ${stepMs.toFixed(3)} ms on the clock, observed ${of('on', 'wallMs').toFixed(3)} ms`);
    console.log(
      `of the script's thread: ${of('off', 'scriptMs').toFixed(4)} ms, observed ${of('on', 'scriptMs').toFixed(4)} ms`,
    );
    console.log(
      `recording: ${recording.toFixed(2)} % of a step; top and monitor: ${reading.toFixed(2)} % of the processors`,
    );
    bar({ what: 'recording', unit: '% of a step', measured: recording, limit: 1, kind: 'at most' });
    bar({ what: 'top and monitor', unit: '% of the processors', measured: reading, limit: 1, kind: 'at most' });
  } finally {
    for (const each of [on, off, ...tools]) {
      each.kill('SIGCONT');
      each.kill('SIGTERM');
    }
  }
}
