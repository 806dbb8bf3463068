// Predicted and measured step times on this machine: calibrates, predicts each model's step from its program, then
// measures steps of all models, interleaved. Each model has its own process.
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from '../src/base/table.ts';
import { formatBytes } from '../src/base/units.ts';
import { parseModule } from '../src/hlo/index.ts';
import { threadPlan } from '../src/runtime/execution/threads.ts';
import { calibrate, machineOfCalibration } from '../src/simulator/calibration/index.ts';
import { measureProcessMemory } from '../src/simulator/calibration/process-memory.ts';
import { predictHere } from '../src/simulator/predict-here.ts';
import type { Prediction } from '../src/simulator/prediction.ts';
import { recordedProgram } from '../src/simulator/program/index.ts';
import { processBytes } from '../src/simulator/program/process-memory.ts';
import { bar } from './bars.ts';
import { median } from './peak.ts';
import { type LocalModel, localModels, type StepMessage } from './plan-local-step.ts';

const help = `Usage: node bench/plan-local.ts [MODEL …] [--rounds 9] [--memory]

  ${localModels.join(', ')}

  --memory   memory only: of a few steps, on a machine that may be busy

Close other programs first: calibration counts the fastest run of each kernel, a step all that disturbs it.`;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '9' },
    memory: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const unknown = positionals.filter(name => !(localModels as readonly string[]).includes(name));
if (values.help || unknown.length > 0) {
  console.log(help);
  process.exit(unknown.length > 0 ? 2 : 0);
}
const models = localModels.filter(name => positionals.length === 0 || positionals.includes(name));

class Child {
  readonly model: LocalModel;
  readonly #process: ChildProcess;
  readonly #messages: StepMessage[] = [];
  #waiting: ((message: StepMessage) => void) | undefined;

  constructor(mode: '--program' | '--steps', model: LocalModel) {
    this.model = model;
    this.#process = fork(join(import.meta.dirname, 'plan-local-step.ts'), [mode, model]);
    this.#process.on('message', (message: StepMessage) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting === undefined) this.#messages.push(message);
      else waiting(message);
    });
    this.#process.on('exit', code => {
      if (code !== 0 && code !== null) throw new Error(`${model} ended with exit code ${code}`);
    });
  }
  next(): Promise<StepMessage> {
    const message = this.#messages.shift();
    if (message !== undefined) return Promise.resolve(message);
    return new Promise(resolve => {
      this.#waiting = resolve;
    });
  }
  step(): Promise<StepMessage> {
    this.#process.send('step');
    return this.next();
  }
  end(): void {
    this.#process.kill();
  }
}

const percent = (predicted: number, measured: number): string => {
  const error = 100 * (predicted / measured - 1);
  return `${error > 0 ? '+' : ''}${error.toFixed(1)} %`;
};
const right = 'right' as const;
const show = (line: string): void => void (process.stderr.isTTY && process.stderr.write(`\r${line}\x1b[K`));

async function programOf(model: LocalModel) {
  const told = await new Child('--program', model).next();
  if (told.kind !== 'program') throw new Error('expected a program');
  const workload = recordedProgram(parseModule(readFileSync(told.file, 'utf8')), { name: model });
  rmSync(dirname(told.file), { recursive: true });
  return workload;
}

if (values.memory) {
  const threads = threadPlan().length;
  const ownMemory = await measureProcessMemory(process.env);
  const measured: string[][] = [];
  let worst = 0;
  for (const model of models) {
    show(model);
    const workload = await programOf(model);
    const child = new Child('--steps', model);
    await child.next();
    let resident = 0;
    for (let i = 0; i < 5; i++) {
      const message = await child.step();
      if (message.kind === 'step') resident = message.peakBytes;
    }
    child.end();
    const kinds = Object.entries({
      ...workload.memory,
      process: processBytes(workload, { threads, rates: ownMemory }),
    });
    const predicted = kinds.reduce((sum, [, bytes]) => sum + bytes, 0);
    worst = Math.max(worst, Math.abs(predicted / resident - 1));
    const parts = kinds.filter(([, bytes]) => bytes > 5e6).map(([kind, bytes]) => `${kind} ${formatBytes(bytes)}`);
    measured.push([
      model,
      formatBytes(predicted),
      formatBytes(resident),
      percent(predicted, resident),
      parts.join(', '),
    ]);
  }
  show('');
  const columns = [{ header: 'model' }, { header: 'predicted', align: right }, { header: 'peak', align: right }];
  console.log(formatTable([...columns, { header: 'error', align: right }, { header: 'of it' }], measured));
  bar({
    what: 'memory of steps on this machine',
    unit: '% off, worst',
    measured: 100 * worst,
    kind: 'at most',
    limit: 8,
  });
  process.exit(0);
}
const calibration = await calibrate({
  onProgress: (what, share) => show(`measuring this machine: ${what} ${Math.round(100 * share)} %`),
});
const machine = machineOfCalibration(calibration);
console.log(
  `mean error of the fitted rates: ${(100 * calibration.error).toFixed(1)} %, ${calibration.threads} threads`,
);

// One after another, because models that run at the same time compete for memory.
const children: Child[] = [];
const predictions = new Map<Child, Prediction>();
for (const model of models) {
  show(`${model}: its program`);
  const workload = await programOf(model);
  show(`${model}: first steps`);
  const child = new Child('--steps', model);
  children.push(child);
  await child.next();
  predictions.set(child, predictHere(workload, machine));
}
const times = new Map<Child, number[]>(children.map(child => [child, []]));
const resident = new Map<Child, number>();
for (let round = 0; round < Number(values.rounds); round++) {
  for (const child of children) {
    show(`round ${round + 1} of ${values.rounds}: ${child.model}`);
    await child.step(); // warm-up: other models have evicted its data from the caches
    const { stepSeconds: seconds } = predictions.get(child)!;
    const steps: number[] = [];
    for (let i = 0; i < Math.max(1, Math.min(50, Math.round(0.3 / seconds))); i++) {
      const message = await child.step();
      if (message.kind !== 'step') continue;
      steps.push(message.ms);
      resident.set(child, message.peakBytes);
    }
    times.get(child)!.push(median(steps));
  }
}
show('');
for (const child of children) child.end();

const rows = children.map(child => {
  const prediction = predictions.get(child)!;
  const ms = times.get(child)!;
  const [predicted, measured, fastest, bytes] = [
    1e3 * prediction.stepSeconds,
    median(ms),
    Math.min(...ms),
    resident.get(child)!,
  ];
  return { child, predicted, measured, fastest, predictedBytes: prediction.memory.total, bytes };
});
const digits = (ms: number): string => ms.toFixed(ms < 10 ? 2 : 1);
console.log(
  formatTable(
    [
      { header: 'model' },
      { header: 'predicted ms', align: right },
      { header: 'measured ms', align: right },
      { header: 'error', align: right },
      { header: 'fastest ms', align: right },
      { header: 'error', align: right },
      { header: 'predicted memory', align: right },
      { header: 'peak', align: right },
      { header: 'error', align: right },
    ],
    rows.map(({ child, predicted, measured, fastest, predictedBytes, bytes }) => [
      child.model,
      digits(predicted),
      digits(measured),
      percent(predicted, measured),
      digits(fastest),
      percent(predicted, fastest),
      formatBytes(predictedBytes),
      formatBytes(bytes),
      percent(predictedBytes, bytes),
    ]),
  ),
);
for (const { child, predicted, measured, predictedBytes, bytes } of rows) {
  if (!child.model.startsWith('bert')) continue;
  const off = (a: number, b: number): number => 100 * Math.abs(a / b - 1);
  const what = `${child.model} step on this machine`;
  bar({ what, unit: '% off the measured time', measured: off(predicted, measured), kind: 'at most', limit: 10 });
  bar({ what, unit: '% off the resident memory', measured: off(predictedBytes, bytes), kind: 'at most', limit: 10 });
}
