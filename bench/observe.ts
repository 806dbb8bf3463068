// The cost of observation for a training step: a process that trains a small model records for `trenio top` and `trenio monitor`
// in every other turn. Both tools run while it records and are stopped otherwise. Two processes, only one of which records, would
// differ by more than the cost of recording, because their machine code and memory layout differ.
//
// All recording happens on the script's thread, so CPU time is compared: other processes disturb it much less than wall-clock
// time, which is printed as well. The tools' own CPU time is added. The limit is 1 %.
//
//   node bench/observe.ts [--rounds 40] [--steps 200]
import './help.ts';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AdamW, nn, tensor } from 'trenio';
import { loggerFrom } from '../src/base/logger.ts';
import { emit, type ObservedEvent, observeProcess, readProcess, subscribe } from '../src/observe/index.ts';
import { bar } from './bars.ts';
import { median } from './peak.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    steps: { type: 'string', default: '200' },
    child: { type: 'boolean', default: false },
  },
});

if (values.child) train();
else await compare(Number(values.rounds), Number(values.steps));

/** Milliseconds of a step: wall-clock time, and CPU time of the script's thread. */
interface StepTime {
  readonly wallMs: number;
  readonly scriptMs: number;
}

/** A request to the training process. */
interface Turn {
  readonly steps: number;
  readonly isObserved: boolean;
}

/** Runs the requested number of steps, and answers with the time of one. */
function train(): void {
  const facts = { rank: 0, worldSize: 1, localRank: 0, cpus: [0], threads: availableParallelism() };
  // A program announces itself once, and every recorder must receive that event.
  const programs: ObservedEvent[] = [];
  const unsubscribe = subscribe(event => {
    if (event.kind === 'program') programs.push(event);
  });
  const width = 256;
  const model = new nn.Sequential(new nn.Linear(width, width), new nn.GELU(), new nn.Linear(width, width));
  const optimizer = new AdamW(model.parameters(), { lr: 1e-3 });
  const x = tensor(Array.from({ length: 64 }, (_, i) => Array<number>(width).fill(i / 64)));
  const run = (steps: number): void => {
    let loss = x;
    for (let step = 0; step < steps; step++) {
      loss = model.forward(x).square().mean();
      optimizer.zeroGrad();
      loss.backward();
      optimizer.step();
    }
    loss.item();
  };
  run(10);
  unsubscribe();
  process.on('message', ({ steps, isObserved }: Turn) => {
    const end = isObserved ? observeProcess(facts, loggerFrom(), { variables: {} }) : undefined;
    if (isObserved) programs.forEach(emit);
    run(10);
    const start = performance.now();
    const before = process.threadCpuUsage();
    run(steps);
    const { user, system } = process.threadCpuUsage(before);
    const time: StepTime = { wallMs: (performance.now() - start) / steps, scriptMs: (user + system) / 1000 / steps };
    end?.();
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
  const training = fork(self, ['--child'], { env: { ...process.env, TRENIO_OBSERVE: '0' } });
  // `top` on a pseudo-terminal, as on a user's screen.
  const tools = [
    spawn(process.execPath, [trenio, 'monitor', '--period', '1s'], { stdio: 'ignore' }),
    spawn('script', ['-qec', `${process.execPath} ${trenio} top`, '/dev/null'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    }),
  ];
  const measure = async (turn: Turn): Promise<StepTime> => {
    training.send(turn);
    return ((await once(training, 'message')) as [StepTime])[0];
  };
  try {
    for (let warm = 0; warm < 6; warm++) await measure({ steps, isObserved: warm % 2 === 0 });
    const times = { on: [] as StepTime[], off: [] as StepTime[] };
    const toolsBefore = tools.map(({ pid }) => cpuSeconds(pid!));
    let onSeconds = 0;
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const);
      for (const which of order) {
        for (const tool of tools) tool.kill(which === 'on' ? 'SIGCONT' : 'SIGSTOP');
        const start = performance.now();
        times[which].push(await measure({ steps, isObserved: which === 'on' }));
        if (which === 'on') onSeconds += (performance.now() - start) / 1000;
      }
    }
    const of = (which: 'on' | 'off', field: keyof StepTime): number => median(times[which].map(time => time[field]));
    const stepMs = of('off', 'wallMs');
    // The two turns of a round follow each other directly.
    const extraMs = median(times.on.map((time, i) => time.scriptMs - times.off[i]!.scriptMs));
    const recording = (100 * extraMs) / stepMs;
    const seconds = tools.reduce((sum, { pid }, i) => sum + cpuSeconds(pid!) - toolsBefore[i]!, 0);
    const reading = (100 * seconds) / onSeconds / availableParallelism();
    console.log(`a step: ${stepMs.toFixed(3)} ms wall-clock, observed ${of('on', 'wallMs').toFixed(3)} ms`);
    console.log(
      `CPU of the script's thread: ${of('off', 'scriptMs').toFixed(4)} ms, observed ${of('on', 'scriptMs').toFixed(4)} ms; median difference ${(1000 * extraMs).toFixed(1)} µs`,
    );
    console.log(
      `recording: ${recording.toFixed(2)} % of a step; top and monitor: ${reading.toFixed(2)} % of the processors`,
    );
    bar({ what: 'recording', unit: '% of a step', measured: recording, limit: 1, kind: 'at most' });
    bar({ what: 'top and monitor', unit: '% of the processors', measured: reading, limit: 1, kind: 'at most' });
  } finally {
    for (const each of [training, ...tools]) {
      each.kill('SIGCONT');
      each.kill('SIGTERM');
    }
  }
}
