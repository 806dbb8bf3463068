// Checkpoints: a resumed run goes on to the same bits; what fails leaves what was there.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { functional as F } from '../nn/index.ts';
import { AdamW, LinearSchedule } from '../optim/index.ts';
import { device, manualSeed, setDefaultDevice, tensor } from '../tensor/index.ts';
import { BertForSequenceClassification } from './bert.ts';
import { latestCheckpoint, loadCheckpoint, saveCheckpoint, type Training } from './checkpoint.ts';

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

function start(seed: number): Training {
  manualSeed(seed);
  const model = new BertForSequenceClassification(small);
  const optimizer = new AdamW(model.parameters(), { lr: 0.01 });
  return { model, optimizer, schedule: new LinearSchedule(optimizer, { warmupSteps: 2, totalSteps: 20 }) };
}
function train({ model, optimizer, schedule }: Training, from: number, to: number): void {
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
    schedule!.step();
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
            read: () => {
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
  await writeFile(join(directory, 'trainer_state.json'), '{"version":1,"step":"one"}');
  await expect(loadCheckpoint(directory, training)).rejects.toThrow('is not a checkpoint: trainer_state.json: step: ');
  await writeFile(join(directory, 'trainer_state.json'), '{');
  await expect(loadCheckpoint(directory, training)).rejects.toThrow('is not JSON');
});
