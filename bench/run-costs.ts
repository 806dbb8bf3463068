// The cost of profiling and of checkpoints during training: one process trains a BERT in alternating blocks of steps: plain,
// profiled, and with an asynchronous save of the whole state in the middle of the block. A block with a save continues until the
// files are written, so that the whole write is counted.
//
//   node bench/run-costs.ts [--rounds 5] [--steps 10] [--size small|base] [--folder DIR]
//
// The bars: profiling < 5 % of a step, saves < 2 % of the throughput at one in 50 steps. Medians of rounds; the CPU time of the
// process, which other processes disturb less, is printed next to the wall-clock time.
import './help.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Checkpointer, profiler } from 'trenio';
import { bar } from './bars.ts';
import { median } from './peak.ts';
import { bertSizes, bertTraining } from './workloads.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    steps: { type: 'string', default: '10' },
    size: { type: 'string', default: 'small' },
    folder: { type: 'string', default: tmpdir() },
  },
});
const steps = Number(values.steps);
const { step, model, optimizer } = bertTraining(bertSizes[values.size === 'base' ? 'base' : 'small']);
const folder = mkdtempSync(join(values.folder, 'trenio-bench-'));

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}
async function measured(run: () => Promise<number>): Promise<Cost & { readonly steps: number }> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const done = await run();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000, steps: done };
}
const plain = async (): Promise<number> => {
  for (let i = 0; i < steps; i++) step();
  return steps;
};
const profiled = async (): Promise<number> => {
  const profile = profiler.profile();
  for (let i = 0; i < steps; i++) {
    step();
    profile.step();
  }
  profile.stop();
  return steps;
};
let saves = 0;
try {
  await using checkpointer = new Checkpointer(
    { directory: join(folder, 'checkpoints'), keep: 1 },
    { model, optimizer },
  );
  const saving = async (): Promise<number> => {
    let done = 0;
    const one = (): void => {
      step();
      done++;
    };
    one();
    await checkpointer.save(++saves);
    while (done < steps || checkpointer.lastSaved?.writeMs === undefined) {
      one();
      await new Promise(resolve => setImmediate(resolve));
    }
    return done;
  };
  for (const run of [plain, profiled, saving, plain]) await run();
  const rounds = {
    profiling: [] as number[],
    profilingCpu: [] as number[],
    saving: [] as number[],
    savingCpu: [] as number[],
  };
  for (let round = 0; round < Number(values.rounds); round++) {
    const before = await measured(plain);
    const withProfile = await measured(profiled);
    const withSave = await measured(saving);
    const after = await measured(plain);
    const base = (of: keyof Cost): number => (before[of] + after[of]) / 2 / steps;
    const extra = (cost: typeof before, of: keyof Cost): number => cost[of] - cost.steps * base(of);
    rounds.profiling.push((100 * extra(withProfile, 'wallMs')) / (steps * base('wallMs')));
    rounds.profilingCpu.push((100 * extra(withProfile, 'cpuMs')) / (steps * base('cpuMs')));
    rounds.saving.push((100 * extra(withSave, 'wallMs')) / (50 * base('wallMs')));
    rounds.savingCpu.push((100 * extra(withSave, 'cpuMs')) / (50 * base('cpuMs')));
    const { heldMs, writeMs } = checkpointer.lastSaved!;
    console.log(
      `round ${round + 1}: a step ${base('wallMs').toFixed(1)} ms (CPU ${base('cpuMs').toFixed(1)}); profiled ${rounds.profiling.at(-1)!.toFixed(1)} % more (CPU ${rounds.profilingCpu.at(-1)!.toFixed(1)} %); ` +
        `a save in 50 steps ${rounds.saving.at(-1)!.toFixed(1)} % (CPU ${rounds.savingCpu.at(-1)!.toFixed(1)} %; blocked for ${heldMs.toFixed(0)} ms, written in ${writeMs!.toFixed(0)} ms); load ${loadavg()[0]!.toFixed(0)}`,
    );
  }
  const what = `BERT-${values.size}`;
  const unit = '% of a step';
  bar({ what: `${what}, profiling`, unit, measured: median(rounds.profiling), limit: 5, kind: 'at most' });
  bar({ what: `${what}, profiling, CPU time`, unit, measured: median(rounds.profilingCpu), limit: 5, kind: 'at most' });
  const share = '% of the throughput at one in 50 steps';
  bar({ what: `${what}, asynchronous saves`, unit: share, measured: median(rounds.saving), limit: 2, kind: 'at most' });
  bar({ what: `${what}, saves, CPU time`, unit: share, measured: median(rounds.savingCpu), limit: 2, kind: 'at most' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
