// A resumed run is bit-identical to an uninterrupted one; failures do not affect existing checkpoints.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DataLoader } from '../../data/index.ts';
import { bytesOf } from '../../hlo/literal.ts';
import { BatchNorm1d, functional as F, Linear, Module } from '../../nn/index.ts';
import { literalsOf } from '../../nn/literals.testing.ts';
import { AdamW, AveragedModel, GradScaler, getEmaMultiAvgFn, getLinearScheduleWithWarmup } from '../../optim/index.ts';
import { device, Generator, manualSeed, randn, setDefaultDevice, type Tensor, tensor } from '../../tensor/index.ts';
import { optimizerStep } from '../optimizer-step.ts';
import { Checkpointer } from './checkpointer.ts';
import { latestIntactCheckpoint, listCheckpoints } from './folder.ts';
import { readManifest } from './manifest.ts';
import { CheckpointReader } from './read-checkpoint.ts';
import { verifyCheckpoint } from './verify.ts';

let root: string;
const dev = device('interpreter');
beforeEach(async () => {
  setDefaultDevice(dev);
  root = await mkdtemp(join(tmpdir(), 'trenio-checkpoint-'));
});
afterEach(async () => {
  dev.gradientAccumulationSteps = 1;
  dev.setRounding({ mode: 'nearest-even' });
  await rm(root, { recursive: true });
});

class Net extends Module {
  readonly fc = new Linear(6, 8);
  readonly norm = new BatchNorm1d(8);
  readonly out = new Linear(8, 2);
  calls = 0;
  forward(x: Tensor): Tensor {
    this.calls++;
    return this.out.forward(F.dropout(this.norm.forward(this.fc.forward(x)).relu(), 0.3, true));
  }
  override getExtraState(): Tensor {
    return tensor(this.calls, { dtype: 'i32' });
  }
  override setExtraState(state: Tensor): void {
    this.calls = state.item();
  }
}

interface Setting {
  readonly dtype?: 'f32' | 'bf16';
  readonly stochastic?: boolean;
  readonly accumulation?: number;
}
/** All parts that a run may have. */
function start(seed: number, { dtype = 'f32', stochastic = false, accumulation = 1 }: Setting = {}) {
  manualSeed(seed);
  dev.gradientAccumulationSteps = accumulation;
  dev.setRounding(stochastic ? { mode: 'stochastic', seed: 7 } : { mode: 'nearest-even' });
  const model = new Net().to(dtype);
  const optimizer = new AdamW(model.parameters(), { lr: 0.02 });
  return {
    model,
    optimizer,
    scheduler: getLinearScheduleWithWarmup(optimizer, { numWarmupSteps: 2, numTrainingSteps: 20 }),
    scaler: new GradScaler({ initScale: 8, growthInterval: 2 }),
    ema: new AveragedModel(model, { multiAvgFn: getEmaMultiAvgFn(0.9) }),
    generator: new Generator(seed),
    user: { best: Number.NEGATIVE_INFINITY, losses: [] as number[], noise: randn([2]) as Tensor },
  };
}
const items = Array.from({ length: 22 }, (_, i) => i);
async function train(run: ReturnType<typeof start>, from: number, to: number, after?: (step: number) => Promise<void>) {
  const { model, optimizer, scheduler, scaler, ema, generator, user } = run;
  const accumulation = dev.gradientAccumulationSteps;
  const options = { batchSize: 4, shuffle: true, seed: 3, dropLast: true, gradientAccumulationSteps: accumulation };
  const loader = new DataLoader(items, options);
  loader.skipTo(from * accumulation);
  let step = from;
  let micro = 0;
  while (step < to)
    for await (const batch of loader) {
      const x = randn([4, 6], { generator }).to(model.fc.weight.dtype);
      const target = tensor(
        [...(batch as Tensor).data].map(i => Number(i) % 2),
        { dtype: 'i32' },
      );
      const loss = F.crossEntropy(model.forward(x).float(), target);
      scaler.scale(loss).backward();
      if (++micro % accumulation !== 0) {
        dev.markStep();
        continue;
      }
      optimizerStep(optimizer, { scaler, maxGradNorm: 1 });
      scheduler.step();
      ema.updateParameters(model);
      user.losses.push(loss.item());
      user.best = Math.max(user.best, -user.losses.at(-1)!);
      step++;
      await after?.(step);
      if (step === to) break;
    }
}
/** A hash of each state. */
const endOf = (run: ReturnType<typeof start>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(stateOf(run)).map(([name, state]) => {
      const text = JSON.stringify(state, (_, value: unknown) => {
        if (typeof value === 'bigint') return `${value}`;
        if (ArrayBuffer.isView(value))
          return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
        return value instanceof Map ? [...value] : value;
      });
      return [name, createHash('sha256').update(text).digest('hex').slice(0, 8)];
    }),
  );
const stateOf = ({ model, optimizer, scheduler, scaler, ema, generator, user }: ReturnType<typeof start>) => ({
  model: literalsOf(model.stateDict()),
  optimizer: { groups: optimizer.groupSettings(), tensors: literalsOf(optimizer.stateDict().tensors) },
  scheduler: scheduler.stateDict(),
  scaler: scaler.stateDict(),
  ema: literalsOf(ema.stateDict()),
  generator: generator.getState(),
  user: { ...user, noise: user.noise.literal() },
  random: dev.random.state,
});

describe('a resumed run is bit-identical', () => {
  test.each<[string, Setting]>([
    ['in f32', {}],
    ['in bf16', { dtype: 'bf16' }],
    ['in bf16 with stochastic rounding', { dtype: 'bf16', stochastic: true }],
    ['with accumulated gradients', { accumulation: 2 }],
  ])('%s', async (_, setting) => {
    const whole = start(1, setting);
    const first = new Checkpointer({ directory: root, every: 1, keep: 10 }, whole);
    await train(whole, 0, 7, step => first.step(step));
    await first.close();
    const end = endOf(whole);
    for (const { step } of await listCheckpoints(root)) {
      // As if the run had been killed after this step.
      const resumed = start(2, setting);
      await using checkpointer = new Checkpointer({ directory: root, keep: 10 }, resumed);
      const directory = join(root, `checkpoint-${step}`);
      expect(await checkpointer.resume({ directory, step, damaged: [] })).toBe(step);
      await train(resumed, step, 7, k => checkpointer.step(k));
      expect(endOf(resumed), `from step ${step}`).toEqual(end);
    }
  });
});

/** A run that is quick to save. */
function small(fill = 1) {
  return { user: { weights: tensor(new Float32Array(1000).fill(fill)), note: 'a' } as Record<string, unknown> };
}
const stepsIn = async (): Promise<number[]> => (await listCheckpoints(root)).map(({ step }) => step);

test('the last ones are kept, and one every n steps', async () => {
  await using checkpointer = new Checkpointer({ directory: root, every: 2, keep: 2, keepEvery: 6 }, small());
  for (let step = 1; step <= 16; step++) await checkpointer.step(step);
  await checkpointer.close();
  expect(await stepsIn()).toEqual([6, 12, 14, 16]);
  expect((await readdir(root)).every(name => name.startsWith('checkpoint-'))).toBe(true);
});

test('a run that does not resume does not mix its checkpoints with others', async () => {
  await using first = new Checkpointer({ directory: root }, small());
  expect(await first.resume()).toBe(0);
  await first.save(3);
  const other = new Checkpointer({ directory: root }, small());
  await expect(other.save(1)).rejects.toMatchObject({ code: 'RUN_IN_PROGRESS' });
  await other.close();
  await first.close();
  const second = new Checkpointer({ directory: root }, small());
  await expect(second.save(1)).rejects.toMatchObject({ code: 'CHECKPOINTS_PRESENT', data: { folder: root, step: 3 } });
  await second.close();
});

test('removes the remains of a killed process, and restores a checkpoint that was being replaced', async () => {
  const first = new Checkpointer({ directory: root }, small());
  await first.save(3);
  await first.close();
  await mkdir(join(root, '.checkpoint-6.1.partial'));
  await writeFile(join(root, '.checkpoint-6.1.partial', 'shard-00001-model-00001-of-00001.safetensors'), 'x');
  await mkdir(join(root, '.checkpoint-1.removed'));
  const { rename } = await import('node:fs/promises');
  await rename(join(root, 'checkpoint-3'), join(root, '.checkpoint-3.replaced'));
  await using second = new Checkpointer({ directory: root }, small());
  expect(await second.resume()).toBe(3);
  expect((await readdir(root)).filter(name => name !== '.lock')).toEqual(['checkpoint-3']);
});

describe('damage', () => {
  async function flip(file: string, bit: number): Promise<void> {
    const bytes = await readFile(file);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    await writeFile(file, bytes);
  }
  test('a flipped bit anywhere is detected, and the last intact checkpoint is used', async () => {
    const run = small();
    const first = new Checkpointer({ directory: root }, run);
    for (const step of [1, 2, 3]) {
      run.user.note = `after ${step}`;
      await first.save(step);
    }
    await first.close();
    const [one, two, three] = [1, 2, 3].map(step => join(root, `checkpoint-${step}`)) as [string, string, string];
    expect((await readdir(three)).sort()).toEqual(['manifest.json', 'shard-00001-model-00001-of-00001.safetensors']);
    for (const name of await readdir(three)) {
      const file = join(three, name);
      const bits = (await stat(file)).size * 8;
      for (let i = 0; i < 40; i++) {
        const bit = Math.floor((bits * i) / 40);
        await flip(file, bit);
        await expect(verifyCheckpoint(three), `${name}, bit ${bit}`).rejects.toMatchObject({
          code: 'CHECKPOINT_DAMAGED',
          data: { file },
        });
        await flip(file, bit);
      }
    }
    await verifyCheckpoint(three);
    const shard = 'shard-00001-model-00001-of-00001.safetensors';
    await flip(join(three, shard), ((await stat(join(three, shard))).size - 1) * 8);
    await rm(join(two, shard));
    expect(await latestIntactCheckpoint(root)).toMatchObject({
      directory: one,
      damaged: [
        { directory: three, error: { code: 'CHECKPOINT_DAMAGED', data: { tensor: 'user.weights' } } },
        { directory: two, error: { code: 'FILE_UNREADABLE' } },
      ],
    });
    const told: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation(text => told.push(String(text)) > 0);
    const resumed = small(5);
    const second = new Checkpointer({ directory: root }, resumed);
    expect(await second.resume()).toBe(1);
    vi.restoreAllMocks();
    expect(told.join('')).toContain(`${three} is damaged and was skipped`);
    expect(resumed.user.note).toBe('after 1');
    expect((resumed.user.weights as Tensor).data[7]).toBe(1);
    await second.close();
    await flip(join(one, 'manifest.json'), 100);
    const third = new Checkpointer({ directory: root }, small());
    await expect(third.resume()).rejects.toMatchObject({ code: 'CHECKPOINT_DAMAGED' });
    await third.close();
    expect(await stepsIn()).toEqual([1, 2, 3]);
  });

  test('a folder that is not a checkpoint is ignored', async () => {
    await mkdir(join(root, 'checkpoint-9'));
    expect(await stepsIn()).toEqual([]);
    expect(await latestIntactCheckpoint(join(root, 'nothing'))).toBeUndefined();
    await expect(readManifest(join(root, 'checkpoint-9'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });
});

test('a checkpoint that does not match the parts changes nothing', async () => {
  const first = new Checkpointer({ directory: root }, { model: new Linear(2, 3), ...small() });
  await first.save(1);
  await first.close();
  const model = new Linear(2, 4);
  const before = literalsOf(model.stateDict());
  const second = new Checkpointer({ directory: root }, { model, ...small() });
  await expect(second.resume()).rejects.toMatchObject({ code: 'WEIGHT_SHAPE' });
  expect(literalsOf(model.stateDict())).toEqual(before);
  await second.close();
  const third = new Checkpointer({ directory: root }, { network: model });
  await expect(third.resume()).rejects.toMatchObject({
    code: 'STATE_KEYS',
    data: { missing: ['network'], unexpected: ['model', 'user'] },
  });
  await third.close();
});

test('a value that cannot be saved is an error with its path', async () => {
  await using checkpointer = new Checkpointer({ directory: root }, { user: { at: { when: new Date(0) } } });
  await expect(checkpointer.save(1)).rejects.toMatchObject({
    code: 'CHECKPOINT_STATE',
    data: { path: 'user.at.when' },
  });
  expect(() => new Checkpointer({ directory: root }, { model: 3 as never })).toThrow("the part 'model'");
  expect(() => new Checkpointer({ directory: root, every: 0 }, {})).toThrow('every');
  expect(() => new Checkpointer({ directory: root, evry: 1 } as never, {})).toThrow('every');
});

test('a trial run writes nothing', async () => {
  vi.stubEnv('TRENIO_TRACE_ONLY', root);
  try {
    await using checkpointer = new Checkpointer({ directory: root, every: 1 }, small());
    expect(await checkpointer.resume()).toBe(0);
    await checkpointer.step(1);
  } finally {
    vi.unstubAllEnvs();
  }
  expect(await readdir(root)).toEqual([]);
});

test('hooks of modules see the state', async () => {
  const model = new Linear(2, 3);
  model.registerStateDictPostHook((_, state) => {
    state.delete('bias');
  });
  const first = new Checkpointer({ directory: root }, { model });
  await first.save(1);
  await first.close();
  await using reader = await CheckpointReader.open(join(root, 'checkpoint-1'));
  expect([...reader.types.keys()]).toEqual(['model.weight']);
  expect(bytesOf(await reader.read('model.weight'))).toEqual(bytesOf(model.weight.literal()));
});

test('a checkpoint of several megabytes, saved twice from the same memory', async () => {
  await using checkpointer = new Checkpointer({ directory: root, every: 1, keep: 2 }, { model: new Linear(1024, 700) });
  for (const step of [1, 2]) await checkpointer.step(step);
  await checkpointer.close();
  for (const { directory } of await listCheckpoints(root)) await verifyCheckpoint(directory);
  expect(await listCheckpoints(root)).toHaveLength(2);
});
