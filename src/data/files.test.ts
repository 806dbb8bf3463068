// Rows from files: text, JSON Lines, CSV with any columns, Parquet.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, expectTypeOf, test } from 'vitest';
import { goldenPath } from '../../test/golden.testing.ts';
import { toNumbers } from '../hlo/literal.ts';
import type { Tensor } from '../tensor/index.ts';
import { IterableDataset } from './datasets/iterable-dataset.ts';
import { readCsv } from './files/csv-columns.ts';
import { readJsonLines } from './files/json-lines.ts';
import { readParquet } from './files/parquet.ts';
import { readTextLines } from './files/text-lines.ts';
import { DataLoader } from './loader/data-loader.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (content: string | Uint8Array, name = 'file'): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};
const all = <T>(rows: AsyncIterable<T>) => Array.fromAsync(rows);
const message = async (rows: AsyncIterable<unknown>) =>
  all(rows).then(
    () => 'no error',
    (e: Error) => e.message.replaceAll(`${folder}/`, '').split('\n')[0],
  );

describe('text', () => {
  test('lines with both kinds of line endings, also across read chunks', async () => {
    expect(await all(readTextLines(write('\ufeffone\r\n\ntwo é\nlast')))).toEqual(['one', '', 'two é', 'last']);
    expect(await all(readTextLines(write('')))).toEqual([]);
    for (let cut = -3; cut < 3; cut++) {
      const first = 'é'.repeat((65_536 + 2 * cut) / 2);
      expect(await all(readTextLines(write(`${first}\r\n${'x'.repeat(200_000)}\nend`)))).toEqual([
        first,
        'x'.repeat(200_000),
        'end',
      ]);
    }
  });
  test('errors have a line and a column', async () => {
    expect(await message(readTextLines(write(Uint8Array.of(0x61, 10, 0x62, 0xff, 0x63))))).toBe(
      'file:2: column 2: bytes that are not UTF-8, expected UTF-8 text',
    );
    expect(await message(readTextLines(write(`a\n${'x'.repeat(100)}`), { maxLineBytes: 50 }))).toBe(
      'file:2: column 1: a line of more than 50 bytes, expected a line end before that',
    );
    await expect(all(readTextLines(join(folder, 'none')))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    await expect(all(readTextLines('/dev/zero'))).rejects.toThrow('it is a device');
  });
  test('the loop may break early', async () => {
    for await (const _ of readTextLines(write('a\n'.repeat(100_000)))) break;
  });
});

describe('JSON Lines', () => {
  test('yields values, which form batches', async () => {
    const file = write('{"x":[1,2],"y":0}\n\n{"x":[3,4],"y":1}\n{"x":[5,6],"y":2}');
    const rows = new IterableDataset(() => readJsonLines<{ x: number[]; y: number }>(file));
    const batches = await all(new DataLoader(rows, { batchSize: 2 }));
    expectTypeOf(batches[0]!).toEqualTypeOf<{ x: Tensor; y: Tensor }>();
    expect(batches.map(({ x, y }) => [x.shape, toNumbers(x), toNumbers(y)])).toEqual([
      [
        [2, 2],
        [1, 2, 3, 4],
        [0, 1],
      ],
      [[1, 2], [5, 6], [2]],
    ]);
  });
  test.each([
    ['{"a":1}\n{"a":x}', 'file:2: column 6: Unexpected token'],
    ['{"a":1', 'file:1: column 7: '],
    ['\n\n[1,]', 'file:3: column 4: Unexpected token'],
    ['{"a":1}{"b":2}', 'file:1: column 8: Unexpected non-whitespace character after JSON'],
    ['{a:1}', 'file:1: column 2: '],
  ])('errors have a line and a column: %j', async (text, expected) => {
    expect(await message(readJsonLines(write(text)))).toContain(expected);
  });
});

test('integers that a number cannot hold are bigints', async () => {
  const file = write('[1234567890123456789, -9007199254740993, 9007199254740991, 1e300, 0.1234567890123456]');
  expect(await all(readJsonLines(file))).toEqual([
    [1234567890123456789n, -9007199254740993n, 9007199254740991, 1e300, 0.1234567890123456],
  ]);
});
test('bytes that are not UTF-8, and compressed files, are errors', async () => {
  const file = write('');
  const failing = async (bytes: Uint8Array, read: (path: string) => AsyncIterable<unknown>) => {
    writeFileSync(file, bytes);
    return await message(read(file));
  };
  expect(await failing(Buffer.from('a,b\n1,caf\u00e9\n', 'latin1'), readCsv)).toContain(
    'file:2: column 1: bytes that are not UTF-8',
  );
  const long = Buffer.from(`a\n${'\u00e9\ud83d\ude42'.repeat(40_000)}\n`);
  writeFileSync(file, long);
  expect(await all(readCsv(file))).toHaveLength(1);
  expect(await failing(Buffer.concat([long, Buffer.of(0xc3)]), readCsv)).toContain(
    'file:3: column 1: bytes that are not UTF-8',
  );
  expect(await failing(gzipSync('a\n1\n'), readCsv)).toContain(
    'compressed with gzip, expected text: unpack it with gunzip',
  );
  expect(await failing(gzipSync('{}\n'), readJsonLines)).toContain('compressed with gzip');
  expect(await failing(Buffer.from('a,b\n'), readCsv)).toContain('a header without rows');
});

describe('CSV', () => {
  const houses = 'city,area,"rooms, all",sold\n"Rome, IT",10.5,3,true\nParis,-2e1,4,0\n';
  test('columns by name, with their types', async () => {
    const rows = readCsv(write(houses), {
      columns: { area: 'number', 'rooms, all': 'integer', sold: 'boolean', city: 'text' },
    });
    const found = await all(rows);
    expectTypeOf(found[0]!).toEqualTypeOf<{
      readonly area: number;
      readonly 'rooms, all': number;
      readonly sold: boolean;
      readonly city: string;
    }>();
    expect(found.map(row => ({ ...row }))).toEqual([
      { area: 10.5, 'rooms, all': 3, sold: true, city: 'Rome, IT' },
      { area: -20, 'rooms, all': 4, sold: false, city: 'Paris' },
    ]);
  });
  test('all columns as strings, other delimiters, no header row', async () => {
    expect((await all(readCsv(write('a\tb\n1\t2\r\n'), { delimiter: '\t' }))).map(row => ({ ...row }))).toEqual([
      { a: '1', b: '2' },
    ]);
    expect(
      (await all(readCsv(write('1;2\n'), { delimiter: ';', header: ['x', '__proto__'] }))).map(row =>
        Object.entries(row),
      ),
    ).toEqual([
      [
        ['x', '1'],
        ['__proto__', '2'],
      ],
    ]);
    const batches = await all(
      new DataLoader(new IterableDataset(() => readCsv(write(houses), { columns: { area: 'number' } })), {
        batchSize: 2,
      }),
    );
    expect(batches.map(batch => toNumbers(batch.area))).toEqual([[10.5, -20]]);
  });
  test.each([
    ['a,b\n1,x\n', { columns: { b: 'number' } }, 'file:2: column 2: b is "x", expected a number'],
    ['a,b\n1,2\n3\n', {}, 'file:3: column 2: the row ends after 1 of 2 columns, expected the column b'],
    ['a,b\n1,2,3\n', {}, 'file:2: column 3: one column too many, "3", expected 2 columns'],
    ['a,b\n"x\ny",1.5\n', { columns: { b: 'integer' } }, 'file:2: column 2: b is "1.5", expected an integer'],
    ['area,b\n1,2\n', { columns: { aera: 'text' } }, 'file has no column aera'],
    ['a,a\n1,2\n', {}, 'file:1: column 2: a second column "a", expected a name for each column'],
    ['a,b\n"1,2\n', {}, 'file:2: column 1: a quoted field that never ends, expected a closing quote'],
    ['', {}, 'file:1: column 1: the file is empty, expected at least one row'],
    ['a\n1\n', { columns: { a: 'float' } }, 'readCsv: columns.a is float, expected text, number, integer, boolean'],
    ['a\n1\n', { delimiter: ',,' }, "readCsv: delimiter is ',,', expected one character"],
    ['a\n1\n', { seperator: ';' }, 'readCsv has no option seperator'],
  ])('the error names the problem: %j %j', async (text, options, expected) => {
    expect(await message(readCsv(write(text), options as never))).toContain(expected);
  });
});

describe('Parquet', () => {
  const golden = (name: string) => goldenPath(`parquet/${name}.parquet`);
  test.each(['none', 'snappy', 'gzip', 'brotli', 'zstd', 'lz4'])(
    'rows of a file of pyarrow, compression %s',
    async name => {
      const rows = await all(readParquet(golden(name)));
      expect(rows.map(row => ({ ...row }))).toEqual(
        Array.from({ length: 10 }, (_, i) => ({
          id: BigInt(i),
          label: i % 3,
          score: i / 4,
          text: i === 5 ? null : `text ${i} é`,
          tokens: Array.from({ length: i % 4 }, (_, j) => j),
          flag: i % 2 === 0,
        })),
      );
      const two = await all(
        readParquet<{ score: number; label: number }>(golden(name), { columns: ['score', 'label'] }),
      );
      expect({ ...two[3] }).toEqual({ score: 0.75, label: 0 });
      const [batch] = await all(new DataLoader(two, { batchSize: 10 }));
      expect([batch!.score.type.elementType, batch!.label.type.elementType, toNumbers(batch!.score)[9]]).toEqual([
        'f32',
        'i64',
        2.25,
      ]);
    },
  );
  test('nested columns and bytes', async () => {
    const rows = await all(readParquet(golden('nested')));
    expect(rows.map(row => ({ ...row }))).toEqual(
      Array.from({ length: 5 }, (_, i) => ({
        image: { bytes: Uint8Array.of(255, i, 0), path: `${i}.jpg` },
        spans: i === 2 ? null : [[i], [], [i, i + 1]],
        counts: { a: i },
        parts: Array.from({ length: i % 3 }, () => ({ name: 'x', size: BigInt(i) })),
      })),
    );
  });
  test('damaged files are errors that name the problem', async () => {
    const whole = readFileSync(golden('zstd'));
    expect(await message(readParquet(write('PAR1 nothing')))).toMatch(/^file is not a valid Parquet file: /);
    expect(await message(readParquet(write('')))).toMatch(/^file is not a valid Parquet file: /);
    for (const name of ['zstd', 'snappy', 'lz4', 'nested', 'none']) {
      const bytes = readFileSync(golden(name));
      for (let at = 0; at < bytes.length; at += 13) {
        const changed = Uint8Array.from(bytes);
        changed[at]! ^= 0x2a;
        const result = await all(readParquet(write(changed))).catch((e: { code: string }) => e.code);
        if (typeof result === 'string') expect(result).toBe('PARQUET_INVALID');
      }
    }
    expect(await message(readParquet(write(whole.subarray(0, 900))))).toMatch(/^file is not a valid Parquet file: /);
    await expect(all(readParquet(golden('zstd'), { columns: ['lable'] }))).rejects.toThrow('did you mean label?');
    await expect(all(readParquet(golden('zstd'), { maxGroupBytes: 10 }))).rejects.toThrow('a group of rows has');
  });
});
