// Directories written by torch.distributed.checkpoint (scripts/golden/torch_distributed.py) from one and two ranks: they yield
// the tensors that PyTorch itself reads from them. Hostile and damaged directories are rejected.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { bytesOf, type Literal } from '../../hlo/literal.ts';
import { AdamW, device, loadTorchFile, nn, setDefaultDevice, type TorchValue, tensor } from '../../index.ts';
import { optimizerStateFromTorch } from '../../models/torch-file/torch-optimizer.ts';
import { Checkpointer } from './checkpointer.ts';
import { convertCheckpoint } from './convert.ts';
import { checkpointFormat } from './tensor-files.ts';
import { openTorchSource } from './torch-source.ts';

const golden = (name: string): string => goldenPath(`torch-files/${name}`);
const folder = mkdtempSync(join(tmpdir(), 'trenio-torch-'));
beforeAll(() => {
  setDefaultDevice(device('interpreter'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const field = (value: TorchValue, ...path: readonly string[]): TorchValue =>
  path.reduce((at, name) => (at as ReadonlyMap<string, TorchValue>).get(name)!, value);
const bits = (literal: Literal) => [literal.type, Buffer.from(bytesOf(literal)).toString('hex')];

describe.each([
  ['dcp-one', [], 'optimizer'],
  ['dcp-ranks', ['app'], 'optim'],
] as const)('%s', (name, parent, optimizerName) => {
  test('the tensors and the optimizer that PyTorch reads', async () => {
    expect(await checkpointFormat(golden(name))).toBe('torch-distributed');
    const expected = field(await loadTorchFile(golden(`${name}.pt`)), ...parent);
    const { tensors, optimizer, leftOut } = await openTorchSource(golden(name), 'torch-distributed', undefined, true);
    const model = field(expected, 'model') as ReadonlyMap<string, Literal>;
    expect([...tensors.types.keys()].sort()).toEqual([...model.keys()].sort());
    for (const [tensorName, literal] of model) expect(bits(await tensors.read(tensorName))).toEqual(bits(literal));
    expect(optimizer).toEqual(optimizerStateFromTorch(field(expected, optimizerName)));
    expect(leftOut).toBe(1);
  });

  test('becomes a checkpoint from which training continues', async () => {
    const target = join(folder, name);
    const converted = await convertCheckpoint({ source: golden(name), target, to: 'trenio' });
    expect(converted).toMatchObject({ from: 'torch-distributed', tensors: 4, hasOptimizer: true, leftOut: 1 });
    const model = new nn.Sequential(new nn.Linear(4, 5), new nn.Linear(5, 3));
    const optimizer = new AdamW(model.parameters(), { lr: 1 });
    await using checkpointer = new Checkpointer({ directory: target }, { model, optimizer });
    expect(await checkpointer.resume()).toBe(0);
    expect(optimizer.paramGroups[0]!.lr).toBe(0.01);
    model
      .forward(tensor([[1, 2, 3, 4]]))
      .sum()
      .backward();
    optimizer.step();
    expect(Number(optimizer.stateDict().tensors.get('0.step')!.data[0])).toBe(4);
  });
});

test('parts by their keys; a tensor that is split along its second dim', async () => {
  const opened = (part: string) => openTorchSource(golden('dcp-ranks'), 'torch-distributed', part, false);
  const { tensors } = await opened('app.extra');
  const columns = field(await loadTorchFile(golden('dcp-ranks.pt')), 'app', 'extra', 'columns') as Literal;
  expect(columns.type.shape).toEqual([3, 7]);
  expect(bits(await tensors.read('columns'))).toEqual(bits(columns));
  await expect(opened('weights')).rejects.toThrow(/no dictionary of tensors 'weights'; it has .*app\.model/);
  await expect(opened('app.scheduler')).rejects.toThrow(/'last_epoch' is no tensor/);
});

describe('what is refused', () => {
  const damaged = (change: (metadata: Buffer) => Buffer): string => {
    const copy = mkdtempSync(join(folder, 'damaged-'));
    cpSync(golden('dcp-one'), copy, { recursive: true });
    writeFileSync(join(copy, '.metadata'), change(readFileSync(join(copy, '.metadata'))));
    return copy;
  };
  const opened = (path: string) => openTorchSource(path, 'torch-distributed', undefined, true);

  test('a pickle that refers to any other function does not call it', async () => {
    const call = Buffer.from('\x80\x02cos\nsystem\n(X\x04\x00\x00\x00true\x85R.', 'latin1');
    await expect(opened(damaged(() => call))).rejects.toThrow(/names os\.system, which is neither .* not called/);
  });
  test('files outside of the directory are rejected', async () => {
    const path = damaged(metadata =>
      Buffer.from(metadata.toString('latin1').replaceAll('__0_0.distcp', '../a0.distcp'), 'latin1'),
    );
    await expect(opened(path)).rejects.toThrow(/is in "\.\.\/a0\.distcp", which is not a \.distcp file/);
  });
  test('damage at any byte of the metadata is an error, or in a byte that does not matter', async () => {
    const bytes = readFileSync(join(golden('dcp-one'), '.metadata'));
    for (let at = 0; at < bytes.length; at += 97) {
      const path = damaged(metadata => {
        metadata[at]! ^= 0x55;
        return metadata;
      });
      await opened(path).catch(error => {
        expect(['TORCH_FILE_INVALID', 'CHECKPOINT_INVALID', 'FILE_UNREADABLE']).toContain(error.code);
      });
      rmSync(path, { recursive: true });
    }
    await expect(opened(damaged(metadata => metadata.subarray(0, 100)))).rejects.toThrow(/is cut off/);
  });
});
