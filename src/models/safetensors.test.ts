import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { goldenPath } from '../../test/golden.testing.ts';
import { bytesOf, type Literal, literal, zeros } from '../hlo/literal.ts';
import { type ElementType, tensorType } from '../hlo/types.ts';
import { openSafetensors, readSafetensors, totalBytes, writeSafetensors } from './safetensors.ts';
import { matchWeights, openWeights } from './weights.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-safetensors-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'x.safetensors');
const golden = goldenPath('bert-small');

const types: readonly ElementType[] = [
  'i1',
  'i8',
  'ui8',
  'i16',
  'ui16',
  'i32',
  'ui32',
  'i64',
  'ui64',
  'f16',
  'bf16',
  'f32',
  'f64',
  'f8E4M3FN',
  'f8E5M2',
  'f8E8M0FNU',
  'complex<f32>',
];

/** A file with the header `json` and `dataBytes` zeros. */
function write(json: string, dataBytes = 0, headerLength = Buffer.byteLength(json)): string {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(headerLength));
  writeFileSync(file, Buffer.concat([length, Buffer.from(json), Buffer.alloc(dataBytes)]));
  return file;
}
const entry = (dtype: string, shape: readonly number[], offsets: readonly number[]): string =>
  JSON.stringify({ dtype, shape, data_offsets: offsets });

test('written tensors are read back unchanged, for every type and shape', async () => {
  const tensor = fc
    .record({
      type: fc.constantFrom(...types),
      shape: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
      bytes: fc.infiniteStream(fc.nat(255)),
    })
    .map(({ type, shape, bytes }): Literal => {
      const out = zeros(tensorType(type, shape));
      const raw = bytesOf(out);
      for (let i = 0; i < raw.length; i++) raw[i] = bytes.next().value! & (type === 'i1' ? 1 : 255);
      return out;
    });
  const tensors = fc.dictionary(
    fc.string({ maxLength: 8 }).filter(name => name !== '__metadata__'),
    tensor,
    { noNullPrototype: true },
  );
  await fc.assert(
    fc.asyncProperty(
      tensors,
      fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }),
      async (named, metadata) => {
        const written = new Map(Object.entries(named));
        const bytes = await writeSafetensors(file, written, new Map(Object.entries(metadata)));
        expect(readFileSync(file).byteLength).toBe(bytes);
        await using reader = await openSafetensors(file);
        expect(new Map(reader.metadata)).toEqual(new Map(Object.entries(metadata)));
        expect(new Set(reader.types.keys())).toEqual(new Set(written.keys()));
        for (const [name, tensor] of written) {
          const read = await reader.read(name);
          expect(read.type).toEqual(tensor.type);
          expect(bytesOf(read)).toEqual(bytesOf(tensor));
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('a Hugging Face file is read, and written again byte for byte', async () => {
  const source = join(golden, 'model.safetensors');
  const tensors = await readSafetensors(source);
  expect(tensors.get('classifier.weight')!.type).toEqual(tensorType('f32', [2, 64]));
  expect(totalBytes(new Map([...tensors].map(([name, t]) => [name, t.type])))).toBe(4 * 86_338);
  await writeSafetensors(file, tensors, new Map([['format', 'pt']]));
  expect(readFileSync(file).equals(readFileSync(source))).toBe(true);
});

test('lazy tensors are requested one at a time; wrong data leaves the old file', async () => {
  let open = 0;
  const lazy = (name: string, data: Literal) => ({
    type: tensorType('f32', [2]),
    *chunks(): Generator<Uint8Array> {
      expect(++open, name).toBe(1);
      const bytes = bytesOf(data);
      yield bytes.subarray(0, 4);
      yield bytes.subarray(4);
      open--;
    },
  });
  const good = literal('f32', [2], [1, 2]);
  await writeSafetensors(
    file,
    new Map([
      ['a', lazy('a', good)],
      ['b', lazy('b', good)],
    ]),
  );
  const before = readFileSync(file);
  const wrong = new Map([
    ['a', lazy('a', good)],
    ['b', lazy('b', literal('f32', [3], [1, 2, 3]))],
  ]);
  await expect(writeSafetensors(file, wrong)).rejects.toThrow("tensor 'b': its data has 12 bytes, its type needs 8");
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(['x.safetensors']);
});

test('values that the format cannot represent are errors', async () => {
  await expect(writeSafetensors(file, new Map([['a', zeros(tensorType('i4', [2]))]]))).rejects.toThrow(
    "element type i4 (tensor 'a')",
  );
  await expect(writeSafetensors(file, new Map([['__metadata__', zeros(tensorType('f32'))]]))).rejects.toThrow(
    'reserves this name',
  );
});

describe('damaged and hostile files', () => {
  const problem = (): Promise<string> =>
    readSafetensors(file).then(
      () => 'no error',
      (e: Error) => e.message.replace(`${file}: `, '').split('\n')[0]!,
    );
  const f32 = (shape: readonly number[], from: number, to: number): string => entry('F32', shape, [from, to]);

  test.each<[string, string, number, number | undefined, string]>([
    ['not JSON', '{"a":', 0, undefined, 'the header is not JSON'],
    ['not an object', '[1]', 0, undefined, 'the header is not a JSON object'],
    [
      'a header longer than the file',
      '{}',
      0,
      1000,
      'the header claims 1000 bytes, the file has only 2 after its length: it is truncated',
    ],
    [
      'a header longer than allowed',
      '{}',
      0,
      2 ** 40,
      'the header claims 1099511627776 bytes, more than the 16777216 that are allowed',
    ],
    [
      'a truncated file',
      `{"a":${f32([2], 0, 8)},"b":${f32([2, 3], 8, 32)}}`,
      20,
      undefined,
      "tensor 'b': tensor<2x3xf32> takes 24 bytes and ends at byte 32 of the data, the file has only 20: it is truncated",
    ],
    [
      'a size that does not fit',
      `{"a":${f32([3], 0, 8)}}`,
      8,
      undefined,
      "tensor 'a': tensor<3xf32> takes 12 bytes, its offsets [0, 8) hold 8",
    ],
    [
      'offsets backwards',
      `{"a":${f32([2], 8, 0)}}`,
      8,
      undefined,
      "tensor 'a': tensor<2xf32> takes 8 bytes, its offsets [8, 0) hold -8",
    ],
    [
      'an overlap',
      `{"a":${f32([2], 0, 8)},"b":${f32([2], 4, 12)}}`,
      12,
      undefined,
      "tensor 'b': it begins at byte 4, before the previous tensor ends, at byte 8",
    ],
    [
      'a hole',
      `{"a":${f32([2], 0, 8)},"b":${f32([2], 12, 20)}}`,
      20,
      undefined,
      "tensor 'b': there is a gap of 4 bytes before it, at byte 8",
    ],
    ['bytes left over', `{"a":${f32([2], 0, 8)}}`, 9, undefined, '1 bytes follow the last tensor'],
    [
      'a duplicate name',
      `{"a":${f32([2], 0, 8)},"\\u0061":${f32([2], 0, 8)}}`,
      8,
      undefined,
      "tensor 'a': its name occurs twice",
    ],
    ['an unknown type', `{"a":${entry('F12', [2], [0, 3])}}`, 3, undefined, 'tensor \'a\': unknown dtype "F12"'],
    ['a shape with a fraction', `{"a":${f32([1.5], 0, 6)}}`, 6, undefined, "tensor 'a': shape.0: "],
    ['a negative dimension', `{"a":${f32([-1], 0, 4)}}`, 4, undefined, "tensor 'a': shape.0: "],
    [
      'a shape larger than any memory',
      `{"a":${f32([2 ** 50, 2 ** 50], 0, 4)}}`,
      4,
      undefined,
      "tensor 'a': tensor<1125899906842624x1125899906842624xf32> takes",
    ],
    [
      'an extra field',
      '{"a":{"dtype":"F32","shape":[],"data_offsets":[0,4],"x":1}}',
      4,
      undefined,
      "tensor 'a': Unrecognized key",
    ],
    ['an invalid entry', '{"a":7}', 0, undefined, "tensor 'a': Invalid input"],
    [
      'metadata that is not text',
      '{"__metadata__":{"a":1}}',
      0,
      undefined,
      '__metadata__ is not a map of strings: a: ',
    ],
    ['a boolean of 7', `{"a":${entry('BOOL', [1], [0, 1])}}\u0007`, 0, undefined, 'the header is not JSON'],
  ])('%s', async (_, json, dataBytes, headerLength, expected) => {
    write(json, dataBytes, headerLength);
    expect(await problem()).toContain(expected);
  });

  test('a header longer than any real one is rejected before it is read', async () => {
    write(`{${' '.repeat(16 * 2 ** 20)}}`);
    expect(await problem()).toBe(
      'the header claims 16777218 bytes, more than the 16777216 that are allowed: is this a safetensors file?',
    );
    // Hostile headers of the maximum length are quickly rejected or read.
    const shape = (n: number): string => `{"a":{"dtype":"F32","shape":[${'1,'.repeat(n)}1],"data_offsets":[0,4]}}`;
    write(shape(2 ** 22), 4);
    expect(await problem()).toBe('the header has a list of more than 262144 numbers');
    write(shape(64), 4);
    expect(await problem()).toBe("tensor 'a': its shape has 65 dimensions, more than 64");
    write(`{"a":${'['.repeat(2 ** 22)}`);
    expect(await problem()).toBe('the header is nested deeper than the format allows');
    const many = Array.from({ length: 2 ** 18 + 1 }, (_, i) => `"${i}":""`).join();
    for (const json of [`{${many}}`, `{"__metadata__":{${many}}}`]) {
      write(json);
      expect(await problem()).toBe('the header has more than 262144 entries');
    }
  });

  test('errors: a file that is too short, not UTF-8, has an invalid BOOL, or lacks a tensor', async () => {
    writeFileSync(file, 'abc');
    expect(await problem()).toBe('the file has 3 bytes, too few for the length of a header');
    writeFileSync(file, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0xff]));
    expect(await problem()).toBe('the header is not UTF-8');
    write(`{"a":${entry('BOOL', [1], [0, 1])}}`);
    writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from([7])]));
    expect(await problem()).toBe("tensor 'a': a BOOL element is neither 0 nor 1");
    await expect(readSafetensors(join(folder, 'none'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    write('{}');
    await using reader = await openSafetensors(file);
    await expect(reader.read('a')).rejects.toThrow("tensor 'a': there is no tensor of this name");
  });

  test('random bytes do not crash the parser', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async bytes => {
        writeFileSync(file, bytes);
        await readSafetensors(file).catch((e: { code: string }) => expect(e.code).toBe('SAFETENSORS_INVALID'));
      }),
    );
  });

  test('every truncation and every flipped bit of a header is read or rejected, without a crash', async () => {
    await writeSafetensors(
      file,
      new Map([
        ['a', literal('f32', [2], [1, 2])],
        ['b', literal('i8', [3], [1, 2, 3])],
      ]),
    );
    const whole = readFileSync(file);
    for (let cut = 0; cut < whole.length; cut++) {
      writeFileSync(file, whole.subarray(0, cut));
      await expect(readSafetensors(file), `cut at ${cut}`).rejects.toMatchObject({ code: 'SAFETENSORS_INVALID' });
    }
    for (let byte = 0; byte < whole.length; byte++) {
      const flipped = Buffer.from(whole);
      flipped[byte]! ^= 1 << (byte % 8);
      writeFileSync(file, flipped);
      await readSafetensors(file).catch((e: { code: string }) =>
        expect(e.code, `byte ${byte}`).toBe('SAFETENSORS_INVALID'),
      );
    }
  });
});

describe('model directories', () => {
  const shards = async (index: object): Promise<string> => {
    const directory = mkdtempSync(join(folder, 'model-'));
    await writeSafetensors(join(directory, 'one.safetensors'), new Map([['a', literal('f32', [1], [1])]]));
    await writeSafetensors(join(directory, 'two.safetensors'), new Map([['b', literal('f32', [1], [2])]]));
    writeFileSync(join(directory, 'model.safetensors.index.json'), JSON.stringify(index));
    return directory;
  };
  test('shards are read as one set of tensors', async () => {
    await using weights = await openWeights(
      await shards({ metadata: {}, weight_map: { a: 'one.safetensors', b: 'two.safetensors' } }),
    );
    expect([...weights.types.keys()]).toEqual(['a', 'b']);
    expect((await weights.read('b')).data[0]).toBe(2);
    await expect(weights.read('c')).rejects.toThrow("tensor 'c'");
  });
  test.each<[object, string]>([
    [{}, 'weight_map: '],
    [{ weight_map: { a: 'three.safetensors' } }, 'which is missing'],
    [{ weight_map: { a: '../one.safetensors' } }, 'is not a plain file name'],
  ])('an invalid index: %j', async (index, expected) => {
    await expect(openWeights(await shards(index))).rejects.toThrow(expected);
  });

  test('matching: a missing prefix, missing and unexpected tensors', async () => {
    const one = literal('f32', [1], [1]);
    const names = ['embeddings.LayerNorm.weight', 'bert.pooler.weight', 'cls.bias'];
    await writeSafetensors(file, new Map(names.map(name => [name, one])));
    await using reader = await openSafetensors(file);
    const wanted = (shape: readonly number[]) =>
      new Map(
        ['bert.embeddings.LayerNorm.weight', 'bert.pooler.weight', 'classifier.weight'].map(
          name => [name, tensorType('f32', shape)] as const,
        ),
      );
    const match = matchWeights(reader, wanted([1]), { basePrefix: 'bert.' });
    expect([...match.found]).toEqual([
      ['bert.embeddings.LayerNorm.weight', 'embeddings.LayerNorm.weight'],
      ['bert.pooler.weight', 'bert.pooler.weight'],
    ]);
    expect(match.missing).toEqual(['classifier.weight']);
    expect(match.unexpected).toEqual(['cls.bias']);
    expect(() => matchWeights(reader, wanted([2]), { basePrefix: 'bert.' })).toThrow(
      "tensor 'embeddings.LayerNorm.weight' is tensor<1xf32>, the model expects tensor<2xf32>",
    );
  });
});
