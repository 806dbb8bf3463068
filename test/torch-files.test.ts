// A file of torch.save is converted to a checkpoint, from which a run resumes.
import { copyFileSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trenio } from '../src/cli/process.testing.ts';
import { AdamW, Checkpointer, loadTorchFile, nn, optimizerStateFromTorch, type TorchValue } from '../src/index.ts';
import { goldenPath } from './golden.testing.ts';

const golden = (name: string): string => goldenPath(`torch-files/${name}.pt`);

test('a run resumes from the model and optimizer of PyTorch', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-torch-'));
  const directory = join(folder.path, 'checkpoints');
  const converted = await trenio('checkpoints', 'convert', golden('adamw'), directory, '--json');
  expect(converted.stderr).toBe('');
  expect(JSON.parse(converted.stdout)).toMatchObject({ from: 'torch-file', to: 'trenio', tensors: 2 });
  const model = new nn.Linear(4, 3);
  const groups = [{ params: [model.weight] }, { params: [model.bias!] }];
  const optimizer = new AdamW(groups, { lr: 1, amsgrad: true });
  const checkpointer = new Checkpointer({ directory, signals: false }, { model, optimizer });
  expect(await checkpointer.resume()).toBe(0);
  await checkpointer.close();
  const file = (await loadTorchFile(golden('adamw'))) as ReadonlyMap<string, TorchValue>;
  const expected = optimizerStateFromTorch(file.get('optimizer')!);
  const { tensors, groups: settings } = optimizer.stateDict();
  expect(settings).toMatchObject(expected.groups.map(({ lr, betas, weightDecay }) => ({ lr, betas, weightDecay })));
  for (const [name, tensor] of expected.tensors)
    expect([...tensors.get(name)!.data].map(Number), name).toEqual([...tensor.data].map(Number));
});

test('files that cannot be converted are rejected with the reason', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-torch-'));
  const target = join(folder.path, 'out');
  const none = await trenio('checkpoints', 'convert', golden('kinds'), target, '--part', 'list');
  expect(none.stderr).toMatch(/it has no dictionary of tensors 'list'; it has base, view/);
  const other = await trenio('checkpoints', 'convert', golden('other'), target);
  expect(other.stderr).toMatch(/TORCH_FILE_INVALID|names __main__\.Other/);
  const text = join(folder.path, 'text.pt');
  writeFileSync(text, 'not a zip archive');
  expect((await trenio('checkpoints', 'convert', text, target)).stderr).toMatch(/it is not a zip archive/);
  copyFileSync(golden('adamw'), join(folder.path, 'a.txt'));
  expect((await trenio('checkpoints', 'convert', join(folder.path, 'a.txt'), target)).exitCode).not.toBe(0);
});
