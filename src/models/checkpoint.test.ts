// Checkpoints: a resumed run gives the same bits; failures do not affect existing checkpoints.
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { functional as F } from '../nn/index.ts';
import { AdamW, getLinearScheduleWithWarmup, type LambdaLR } from '../optim/index.ts';
import { device, manualSeed, setDefaultDevice, tensor } from '../tensor/index.ts';
import { BertForSequenceClassification } from './bert.ts';
import {
  latestIntactCheckpoint,
  loadCheckpoint,
  saveCheckpoint,
  type Training,
  verifyCheckpoint,
} from './checkpoint.ts';
import { latestCheckpoint } from './checkpoint-folder.ts';
import { safetensorsLayout } from './safetensors.ts';

let root: string;
beforeEach(async () => {
  setDefaultDevice(undefined);
  setDefaultDevice(device('interpreter'));
  root = await mkdtemp(join(tmpdir(), 'trenio-checkpoint-'));
});
afterEach(() => rm(root, { recursive: true }));

const small = {
  vocab_size: 20,
  hidden_size: 8,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  intermediate_size: 16,
  max_position_embeddings: 6,
};

function start(seed: number): Training & { readonly schedule: LambdaLR } {
  manualSeed(seed);
  const model = new BertForSequenceClassification(small);
  const optimizer = new AdamW(model.parameters(), { lr: 0.01 });
  return {
    model,
    optimizer,
    schedule: getLinearScheduleWithWarmup(optimizer, { numWarmupSteps: 2, numTrainingSteps: 20 }),
  };
}
function train({ model, optimizer, schedule }: ReturnType<typeof start>, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const ids = tensor(
      [
        [1, 2, 3, i % 20],
        [4, 5, i % 20, 6],
      ],
      { dtype: 'i32' },
    );
    F.crossEntropy(
      (model as BertForSequenceClassification).forward(ids),
      tensor([i % 2, 1], { dtype: 'i32' }),
    ).backward();
    optimizer.step();
    optimizer.zeroGrad();
    device('interpreter').markStep();
    schedule.step();
  }
}

test('a resumed run goes on to the same bits, dropout included', async () => {
  const first = start(1);
  train(first, 0, 3);
  const directory = await saveCheckpoint(root, first, { step: 3, epoch: 0, extra: { batch: 3 } });
  train(first, 3, 6);
  const second = start(2);
  expect(await loadCheckpoint(directory, second)).toEqual({ step: 3, epoch: 0, extra: { batch: 3 } });
  train(second, 3, 6);
  expect(second.model.stateDict()).toEqual(first.model.stateDict());
  expect(second.optimizer.stateDict()).toEqual(first.optimizer.stateDict());
});

test('the last ones are kept', async () => {
  const training = start(1);
  for (const step of [1, 2, 10]) await saveCheckpoint(root, training, { step, epoch: 0 });
  expect((await readdir(root)).sort()).toEqual(['checkpoint-10', 'checkpoint-2']);
  expect(await latestCheckpoint(root)).toBe(join(root, 'checkpoint-10'));
  expect(await latestCheckpoint(join(root, 'nothing'))).toBeUndefined();
});

test('a failure while writing leaves the checkpoints as they were, and nothing beside them', async () => {
  const training = start(1);
  train(training, 0, 1);
  await saveCheckpoint(root, training, { step: 1, epoch: 0 });
  const { optimizer } = training;
  const broken = Object.create(optimizer, {
    namedState: {
      value: () => [
        [
          '0.step',
          {
            type: tensor(1).type,
            chunks: () => {
              throw new Error('the disk is full');
            },
          },
        ],
      ],
    },
  }) as typeof optimizer;
  broken.parameters = () => optimizer.parameters();
  await expect(saveCheckpoint(root, { ...training, optimizer: broken }, { step: 2, epoch: 0 })).rejects.toThrow(
    'the disk is full',
  );
  expect(await readdir(root)).toEqual(['checkpoint-1']);
  expect((await loadCheckpoint(join(root, 'checkpoint-1'), training)).step).toBe(1);
});

test('what is no checkpoint is an error that says so', async () => {
  const training = start(1);
  const directory = await saveCheckpoint(root, training, { step: 1, epoch: 0 });
  await rm(join(directory, 'checksums.json'));
  await expect(loadCheckpoint(directory, training)).rejects.toThrow('is not a checkpoint: checksums.json is missing');
  await writeFile(join(directory, 'trainer_state.json'), '{"version":1,"step":"one"}');
  await expect(loadCheckpoint(directory, training)).rejects.toThrow('is not a checkpoint: trainer_state.json: step: ');
  await writeFile(join(directory, 'trainer_state.json'), '{');
  await expect(loadCheckpoint(directory, training)).rejects.toThrow('is not JSON');
});

test('two runs in one folder keep their checkpoints, and each goes on with its own', async () => {
  const [old, young] = [start(1), start(2)];
  for (const step of [10, 20, 30]) await saveCheckpoint(root, old, { step, epoch: 0 });
  for (const step of [1, 2, 3]) await saveCheckpoint(root, young, { step, epoch: 0 });
  const steps = async (): Promise<number[]> =>
    (await readdir(root)).map(name => Number(name.replace('checkpoint-', ''))).sort((a, b) => a - b);
  expect(await steps()).toEqual([2, 3, 20, 30]);
  // The last one written.
  expect(await latestCheckpoint(root)).toBe(join(root, 'checkpoint-3'));
  const again = start(3);
  await loadCheckpoint(join(root, 'checkpoint-3'), again);
  await saveCheckpoint(root, again, { step: 4, epoch: 0 });
  expect(await steps()).toEqual([3, 4, 20, 30]);
});

test('a checkpoint of the same step by another run is kept beside the new one', async () => {
  const [one, other] = [start(1), start(2)];
  await saveCheckpoint(root, one, { step: 3, epoch: 0 }, { run: 'aaaa' });
  await saveCheckpoint(root, other, { step: 3, epoch: 0, extra: 'new' }, { run: 'bbbb' });
  expect((await readdir(root)).sort()).toEqual(['checkpoint-3', 'checkpoint-3.aaaa']);
  expect(await loadCheckpoint(join(root, 'checkpoint-3'), other)).toMatchObject({ extra: 'new' });
  expect(await loadCheckpoint(join(root, 'checkpoint-3.aaaa'), one)).toMatchObject({ extra: null });
  // A checkpoint of the same run is replaced.
  await saveCheckpoint(root, other, { step: 3, epoch: 0, extra: 'newer' }, { run: 'bbbb' });
  expect((await readdir(root)).sort()).toEqual(['checkpoint-3', 'checkpoint-3.aaaa']);
});

test('a trial run leaves the checkpoints as they are', async () => {
  const training = start(1);
  for (const step of [1, 2]) await saveCheckpoint(root, training, { step, epoch: 0 });
  vi.stubEnv('TRENIO_TRACE_ONLY', root);
  try {
    for (const step of [3, 4]) await saveCheckpoint(root, training, { step, epoch: 0 });
  } finally {
    vi.unstubAllEnvs();
  }
  expect((await readdir(root)).sort()).toEqual(['checkpoint-1', 'checkpoint-2']);
});

describe('checksums', () => {
  /** Flips bit `bit` of a file. */
  async function flip(file: string, bit: number): Promise<void> {
    const bytes = await readFile(file);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    await writeFile(file, bytes);
  }

  test('a flipped bit is found before anything is loaded, and named by file and tensor', async () => {
    const training = start(1);
    train(training, 0, 2);
    const directory = await saveCheckpoint(root, training, { step: 2, epoch: 0 });
    await verifyCheckpoint(directory);
    const other = start(2);
    const before = structuredClone(other.model.stateDict());
    const weights = join(directory, 'model.safetensors');
    const { size } = await stat(weights);
    await flip(weights, (size - 1) * 8);
    const { dataStart, entries } = await safetensorsLayout(weights);
    await expect(loadCheckpoint(directory, other)).rejects.toMatchObject({
      code: 'CHECKPOINT_DAMAGED',
      data: { file: weights, tensor: entries.at(-1)!.name },
    });
    expect(other.model.stateDict()).toEqual(before);
    await flip(weights, (size - 1) * 8);
    await verifyCheckpoint(directory);
    // Every file, any position.
    for (const name of await readdir(directory)) {
      const file = join(directory, name);
      const bits = (await stat(file)).size * 8;
      for (let i = 0; i < 20; i++) {
        const bit = Math.floor((bits * i) / 20);
        await flip(file, bit);
        const found = await verifyCheckpoint(directory).then(
          () => undefined,
          (error: unknown) => error,
        );
        // In the checksum file a flipped bit may have no effect, such as the case of a letter in a key.
        if (found === undefined) expect(name).toBe('checksums.json');
        else expect(found).toMatchObject({ name: expect.stringMatching(/^TrenioError/) });
        await flip(file, bit);
      }
    }
    expect(dataStart).toBeGreaterThan(8);
  });

  test('the last one that is whole, and what is wrong with the later ones', async () => {
    const training = start(1);
    for (const step of [1, 2, 3]) await saveCheckpoint(root, training, { step, epoch: 0 }, { keep: 3 });
    const [one, two, three] = [1, 2, 3].map(step => join(root, `checkpoint-${step}`)) as [string, string, string];
    expect(await latestIntactCheckpoint(root)).toEqual({ directory: three, step: 3, damaged: [] });
    await rm(join(three, 'optimizer.safetensors'));
    await flip(join(two, 'trainer_state.json'), 12);
    expect(await latestIntactCheckpoint(root)).toMatchObject({
      directory: one,
      damaged: [
        { directory: three, error: { code: 'FILE_UNREADABLE' } },
        { directory: two, error: { code: 'CHECKPOINT_DAMAGED', data: { file: join(two, 'trainer_state.json') } } },
      ],
    });
    await flip(join(one, 'model.safetensors'), 80);
    await expect(latestIntactCheckpoint(root)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    expect(await latestIntactCheckpoint(join(root, 'nothing'))).toBeUndefined();
  });

  test('a checkpoint of version 1, without checksums, is still loaded', async () => {
    const training = start(1);
    const directory = await saveCheckpoint(root, training, { step: 1, epoch: 0 });
    await rm(join(directory, 'checksums.json'));
    const file = join(directory, 'trainer_state.json');
    const { run: _, ...state } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    await writeFile(file, JSON.stringify({ ...state, version: 1 }));
    expect((await loadCheckpoint(directory, start(2))).step).toBe(1);
  });
});
