// Files of torch.save (scripts/golden/torch_file.py): contents, resuming optimizers from their states, and rejected
// files.
import { copyFileSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { type Literal, literal, toNumbers, zeros } from '../../hlo/literal.ts';
import { tensorType } from '../../hlo/types.ts';
import { AdamW, nn, type Optimizer, SGD, tensor } from '../../index.ts';
import { loadTorchFile, type TorchValue } from './torch-file.ts';
import { optimizerStateFromTorch, torchOptimizerState } from './torch-optimizer.ts';
import { saveTorchFile, writeTorchFile } from './write-torch-file.ts';
import { zipArchive } from './write-zip.ts';

const golden = (name: string): string => goldenPath(`torch-files/${name}.pt`);
const field = (value: TorchValue, ...path: readonly (string | number)[]): TorchValue =>
  path.reduce((at, name) => (at as ReadonlyMap<string | number, TorchValue>).get(name)!, value);
const numbers = (value: TorchValue, ...path: readonly (string | number)[]): number[] => [
  ...(toNumbers(field(value, ...path) as Literal) as Iterable<number>),
];

test('reads values of every kind', async () => {
  const file = await loadTorchFile(golden('kinds'));
  expect(numbers(file, 'base')).toEqual(Array.from({ length: 24 }, (_, i) => i));
  expect((field(file, 'view') as Literal).type.shape).toEqual([3, 3, 2]);
  expect(numbers(file, 'view').slice(0, 6)).toEqual([1, 13, 5, 17, 9, 21]);
  expect(numbers(file, 'row')).toEqual([4, 5, 6, 7]);
  for (const name of ['half', 'brain']) expect(numbers(file, name)).toEqual([1.5, -2]);
  expect(numbers(file, 'long').map(Number)).toEqual([2 ** 40, -1]);
  expect(numbers(file, 'bool').map(Boolean)).toEqual([true, false]);
  expect(numbers(file, 'scalar')).toEqual([3.5]);
  expect((field(file, 'empty') as Literal).type.shape).toEqual([0, 3]);
  expect(numbers(file, 'parameter')).toEqual([1, 1]);
  expect(field(file, 'list')).toEqual([1, -2.5, null, true, 'é', 2n ** 70n]);
});

test('archives with zip64 fields, which files above 4 GiB have', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-torch-'));
  const path = join(folder.path, 'wide.pt');
  const value = new Map<string, TorchValue>([
    [
      'large',
      literal(
        'f32',
        [2, 40],
        Array.from({ length: 80 }, (_, i) => i),
      ),
    ],
    ['small', literal('i64', [1], [-3n])],
    ['empty', literal('f32', [0, 3], [])],
  ]);
  // Both of the sizes and the offset, the offset only, and neither are in zip64 fields.
  for (const wideFrom of [200, 0]) {
    await writeTorchFile(path, value, wideFrom);
    expect(await loadTorchFile(path)).toEqual(value);
  }
  const bytes = readFileSync(path);
  for (const length of [bytes.length - 23, bytes.length - 43, bytes.length - 99]) {
    writeFileSync(path, Buffer.concat([bytes.subarray(0, length), bytes.subarray(-22)]));
    await expect(loadTorchFile(path)).rejects.toMatchObject({ code: 'TORCH_FILE_INVALID' });
  }
});

const optimizers: Readonly<Record<string, (model: nn.Linear) => Optimizer>> = {
  adamw: model => new AdamW([{ params: [model.weight] }, { params: [model.bias!] }], { lr: 1, amsgrad: true }),
  sgd: model =>
    new SGD([{ params: [model.weight] }, { params: [model.bias!] }], { lr: 1, momentum: 0.9, nesterov: true }),
};
describe.each(Object.entries(optimizers))('%s', (name, make) => {
  test('resumes from PyTorch’s state like PyTorch, also after a round trip through our writer', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-torch-'));
    const [before, after] = await Promise.all([name, `${name}-after`].map(file => loadTorchFile(golden(file))));
    const state = optimizerStateFromTorch(field(before!, 'optimizer'));
    const again = join(folder.path, 'again.pt');
    await saveTorchFile(again, torchOptimizerState(state));
    expect(optimizerStateFromTorch(await loadTorchFile(again))).toEqual(state);
    const model = new nn.Linear(4, 3);
    model.loadStateDict(field(before!, 'model') as ReadonlyMap<string, Literal>);
    const optimizer = make(model);
    optimizer.loadStateDict(state);
    const inputs = numbers(after!, 'inputs');
    for (let i = 0; i < 3; i++) {
      optimizer.zeroGrad();
      const x = tensor(literal('f32', [5, 4], inputs.slice(20 * i, 20 * i + 20)));
      model.forward(x).square().mean().backward();
      optimizer.step();
    }
    for (const parameter of ['weight', 'bias']) {
      const expected = numbers(after!, 'model', parameter);
      const got = [...(toNumbers(model.stateDict().get(parameter) as Literal) as Iterable<number>)];
      got.forEach((x, i) => {
        expect(Math.abs(x - expected[i]!), `${parameter}[${i}]`).toBeLessThan(1e-6);
      });
    }
  });
});

test('sets, bytes and all dtypes come back from our own writer', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-torch-'));
  const path = join(folder.path, 'kinds.pt');
  const value = new Map<string, TorchValue>([
    ['set', new Set([1, 'two'])],
    ['bytes', Uint8Array.of(0, 255, 10)],
    ...(['ui16', 'ui32', 'ui64', 'complex<f32>', 'complex<f64>', 'f8E4M3FN', 'f8E5M2'] as const).map(
      (type): [string, TorchValue] => [type, zeros(tensorType(type, [2, 3]))],
    ),
  ]);
  await saveTorchFile(path, value);
  expect(await loadTorchFile(path)).toEqual(value);
});

// What torch.save writes for each value, as the text of the pickle after its header; storages have the bytes 0, 1, 2, …
const storage = 'X\x07\0\0\0storagectorch\nComplexFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpuK\x02tQ';
test.each<[string, string, unknown]>([
  ['a dtype', 'ctorch\nfloat16\n', 'float16'],
  ['a layout', 'ctorch.serialization\n_get_layout\nX\x0d\0\0\0torch.strided\x85R', 'strided'],
  ['a Counter', 'ccollections\nCounter\n}X\x01\0\0\0aK\x02s\x85R', new Map([['a', 2]])],
  ['a defaultdict', 'ccollections\ndefaultdict\nc__builtin__\nlong\n\x85R(X\x01\0\0\0kK\x03u', new Map([['k', 3]])],
  ['bytes', 'c_codecs\nencode\nX\x03\0\0\0\0\xc3\xbfX\x06\0\0\0latin1\x86R', Uint8Array.of(0, 255)],
  ['a set in protocol 4', '\x8f(K\x01K\x02\x90', new Set([1, 2])],
  ['bytes in protocol 4', 'C\x02ab', Uint8Array.of(97, 98)],
  ['a complex number', 'c__builtin__\ncomplex\nG?\xf0\0\0\0\0\0\0G\xc0\0\0\0\0\0\0\0\x86R', [1, -2]],
  [
    "a number of NumPy's",
    'cnumpy._core.multiarray\nscalar\ncnumpy\ndtype\nX\x02\0\0\0i2\x89\x88\x87R(K\x03X\x01\0\0\0<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tbC\x02\x07\0\x86R',
    7,
  ],
  [
    'a conjugate',
    `ctorch._utils\n_rebuild_tensor_v2\n((${storage}K\0K\x02\x85K\x01\x85\x89N}X\x04\0\0\0conj\x88stR`,
    [1, -2, 3, -4],
  ],
])('%s', async (_, pickle, want) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-torch-'));
  const path = join(folder.path, 'value.pt');
  const entries = [
    ['archive/data.pkl', Buffer.from(`\x80\x02${pickle}.`, 'latin1')],
    ['archive/data/0', new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer)],
  ] as const;
  const archive = zipArchive(entries.map(([name, bytes]) => ({ name, bytes: bytes.length, chunks: () => [bytes] })));
  writeFileSync(path, Buffer.concat(await Array.fromAsync(archive)));
  const got = await loadTorchFile(path);
  expect(typeof got === 'object' && got !== null && 'data' in got ? [...(got.data as Float32Array)] : got).toEqual(
    want,
  );
});

describe('rejects', () => {
  test('a pickle that names a class, which is not called', async () => {
    await expect(loadTorchFile(golden('other'))).rejects.toThrow(
      /names __main__\.Other, which is neither .* not called/,
    );
  });

  test('files with any relevant byte damaged', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-torch-'));
    const bytes = readFileSync(golden('adamw'));
    const path = join(folder.path, 'damaged.pt');
    for (let at = 0; at < bytes.length; at += 29) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 0x55;
      writeFileSync(path, damaged);
      await loadTorchFile(path).catch(error => {
        expect(error.code).toBe('TORCH_FILE_INVALID');
      });
    }
    for (const length of [0, 10, 100, bytes.length >> 1, bytes.length - 1]) {
      writeFileSync(path, bytes.subarray(0, length));
      await expect(loadTorchFile(path)).rejects.toMatchObject({ code: 'TORCH_FILE_INVALID' });
    }
  });

  test('a small pickle that expands to too many values or bytes', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-torch-'));
    const path = join(folder.path, 'bomb.pt');
    const refused = async (pickle: string, reason: RegExp): Promise<void> => {
      const entries = [
        ['archive/data.pkl', Buffer.from(`\x80\x02${pickle}.`, 'latin1')],
        ['archive/data/0', new Uint8Array(4)],
      ] as const;
      const zipped = entries.map(([name, content]) => ({ name, bytes: content.byteLength, chunks: () => [content] }));
      writeFileSync(path, Buffer.concat(await Array.fromAsync(zipArchive(zipped))));
      await expect(loadTorchFile(path)).rejects.toThrow(reason);
    };
    // A list of two references to a list of two references …
    let list = ']';
    for (let n = 0; n < 60; n++) list = `](${list}q${String.fromCharCode(n)}h${String.fromCharCode(n)}e`;
    await refused(list, /more than 10\d{4} values/);
    // One element, as 2 ** 20 × 2 ** 20 of them.
    const storage = '(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpuK\x01tQ';
    const shape = 'J\0\0\x10\0'.repeat(2);
    await refused(
      `ctorch._utils\n_rebuild_tensor_v2\n(${storage}K\0(${shape}t(K\0K\0t\x89}tR`,
      /its tensors have 4398046511104 bytes/,
    );
  });
  test('other files and values', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-torch-'));
    const path = join(folder.path, 'text.pt');
    copyFileSync(fileURLToPath(import.meta.url), path);
    await expect(loadTorchFile(path)).rejects.toThrow(/it is not a zip archive/);
    await expect(loadTorchFile(join(folder.path, 'none.pt'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    expect(() => optimizerStateFromTorch(new Map())).toThrow(/it has no 'state'/);
  });
});
