import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { loadReviews, readReviews } from './csv.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-csv-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (content: string | Uint8Array): string => {
  const file = join(folder, 'reviews.csv');
  writeFileSync(file, content);
  return file;
};
const load = (content: string | Uint8Array) => loadReviews(write(content));

describe('good files', () => {
  test('labels from 1 become classes from 0; doubled quotes, commas, line breaks as characters and as \\n', async () => {
    const csv =
      '"2","Great ""CD""","lovely, really"\n"1","","line one\nline two"\n2,plain,no quotes\n"1","t","a\\nb"\n';
    expect(await load(csv)).toEqual([
      { label: 1, title: 'Great "CD"', text: 'lovely, really' },
      { label: 0, title: '', text: 'line one\nline two' },
      { label: 1, title: 'plain', text: 'no quotes' },
      { label: 0, title: 't', text: 'a\nb' },
    ]);
  });

  test('a byte order mark, CRLF, blank lines and a missing last line break', async () => {
    expect(await load('\ufeff"1","é","x"\r\n\r\n"2","y","z"')).toEqual([
      { label: 0, title: 'é', text: 'x' },
      { label: 1, title: 'y', text: 'z' },
    ]);
  });

  test('three kinds of line endings in one file, also within a field', async () => {
    const rows = '"1","a","one"\n"2","b","two"\r\n"1","c","three"\r2,d,four\r\n\r\n1,"e","x\r\ny\rz"\r';
    const expected = [
      { label: 0, title: 'a', text: 'one' },
      { label: 1, title: 'b', text: 'two' },
      { label: 0, title: 'c', text: 'three' },
      { label: 1, title: 'd', text: 'four' },
      { label: 0, title: 'e', text: 'x\r\ny\rz' },
    ];
    expect(await load(rows)).toEqual(expected);
    // The results do not depend on where the file is cut into chunks.
    const padded = (n: number): string => `"1","","${'p'.repeat(n)}"\r\n`;
    for (let cut = 0; cut < 8; cut++) expect((await load(padded(65_536 - 20 + cut) + rows)).slice(1)).toEqual(expected);
  });

  test('a written file is read back unchanged', async () => {
    // \n is the dataset's notation for a line break, so a backslash before an n does not come back as it was.
    const field = fc
      .string({ unit: 'grapheme' })
      .filter(s => !s.includes('\\n') && !s.includes('\r') && !s.includes('\ufeff'));
    const row = fc.record({ label: fc.integer({ min: 0, max: 1 }), title: field, text: field });
    const quote = (s: string): string => `"${s.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async rows => {
        const csv = rows.map(r => `"${r.label + 1}",${quote(r.title)},${quote(r.text)}\n`).join('');
        expect(await load(csv)).toEqual(rows);
      }),
      { numRuns: 50 },
    );
  });

  test('more than two classes', async () => {
    const file = write('"5","","five stars"\n');
    expect(await loadReviews(file, { classes: 5 })).toEqual([{ label: 4, title: '', text: 'five stars' }]);
  });

  test('rows are yielded while the file is being read, and the loop may break early', async () => {
    const file = write('"1","a","b"\n'.repeat(100_000));
    let rows = 0;
    for await (const _ of readReviews(file)) if (++rows === 10) break;
    expect(rows).toBe(10);
  });
});

describe('bad files', () => {
  const message = async (content: string | Uint8Array): Promise<string> =>
    load(content).then(
      () => 'no error',
      (e: Error) => e.message.replaceAll(join(folder, ''), '').split('\n')[0]!.replace(/^\//, ''),
    );

  test.each([
    [
      'a header row',
      'label,title,text\n1,a,b\n',
      'reviews.csv:1: column 1: the label is "label", expected 1 (negative) or 2 (positive)',
    ],
    [
      'a label out of range',
      '"1","a","b"\n"3","a","b"\n',
      'reviews.csv:2: column 1: the label is "3", expected 1 (negative) or 2 (positive)',
    ],
    [
      'a label that is almost a number',
      '"1.0","a","b"',
      'reviews.csv:1: column 1: the label is "1.0", expected 1 (negative) or 2 (positive)',
    ],
    [
      'a missing column',
      '"1","a","b\nc"\n\n"2","x"\n',
      'reviews.csv:4: column 3: the row ends after 2 of 3 columns, expected the text',
    ],
    ['a missing title', '"1"\n', 'reviews.csv:1: column 2: the row ends after 1 of 3 columns, expected the title'],
    [
      'an extra column',
      '"1","a","b","c"\n',
      'reviews.csv:1: column 4: a fourth column, "c", expected the end of the row',
    ],
    [
      'an error in a row of several lines',
      '"1","a","b\nc"\n"9","x\ny","z\n"\n',
      'reviews.csv:3: column 1: the label is "9", expected 1 (negative) or 2 (positive)',
    ],
    [
      'a quote that is not doubled',
      '"1","a","b"\n"1","a","he said "no" to me"\n',
      'reviews.csv:2: column 3: text after a closing quote, expected a comma or the end of the row (a quote inside a field is doubled)',
    ],
    [
      'a quote in a bare field',
      '1,a,b "c"\n',
      'reviews.csv:1: column 3: a quote inside a field without quotes, expected the whole field in quotes, the inner ones doubled',
    ],
    [
      'a quote that is not closed',
      '"1","a","b"\n\n"1","a","b\nmore\nand more\n',
      'reviews.csv:3: column 3: a quoted field that never ends, expected a closing quote',
    ],
    ['a file without rows', '\n\n', 'reviews.csv:1: column 1: the file is empty, expected at least one row'],
    ['an empty file', '', 'reviews.csv:1: column 1: the file is empty, expected at least one row'],
    [
      'a binary file',
      new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]),
      'reviews.csv:1: column 1: the label is "\\u{7f}ELF\\u0002\\u0001\\u0001\\u0000", expected 1 (negative) or 2 (positive)',
    ],
    [
      'a row without end',
      `"1","a","${'x\n'.repeat(1 << 20)}`,
      'reviews.csv:1: column 3: a row of more than 1 MiB, expected a closing quote before that',
    ],
    [
      'more commas than a row can have',
      `"1","a","b"\n${','.repeat(1 << 22)}`,
      'reviews.csv:2: column 1: the label is "", expected 1 (negative) or 2 (positive)',
    ],
    [
      'more columns than there can be',
      `"1","a","b\nc"\n\n"2","x","y"${',z'.repeat(1 << 20)}`,
      'reviews.csv:4: column 4: a fourth column, "z", expected the end of the row',
    ],
    [
      'the first of two errors',
      '"1","a","b"\n"7","a","b"\n"1","a","b","c"\n"x\n',
      'reviews.csv:2: column 1: the label is "7", expected 1 (negative) or 2 (positive)',
    ],
    [
      'an error after three kinds of line endings',
      '"1","a","b"\r"1","a","b"\r\n"1","a\r\nb","c"\n\r\n"3","a","b"',
      'reviews.csv:6: column 1: the label is "3", expected 1 (negative) or 2 (positive)',
    ],
  ])('%s', async (_, content, expected) => {
    expect(await message(content)).toBe(expected);
  });

  test('a missing file and a folder are errors', async () => {
    await expect(loadReviews(join(folder, 'none.csv'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    await expect(loadReviews(folder)).rejects.toThrow('it is a folder, not a file');
  });
});

describe('paths that are not files', () => {
  test.skipIf(process.platform === 'win32')('a FIFO without a writer and devices are errors', async () => {
    const fifo = join(folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    await expect(loadReviews(fifo)).rejects.toThrow('it is a FIFO, not a file');
    await expect(loadReviews('/dev/zero')).rejects.toThrow('it is a device, not a file');
  });

  test.skipIf(process.platform === 'win32')('/dev/stdin is read as a stream, from a pipe or a file', () => {
    const module = new URL('./csv.ts', import.meta.url).href;
    const code = `import { loadReviews } from '${module}'; console.log((await loadReviews('/dev/stdin')).length);`;
    const file = write('"1","a","b"\n'.repeat(3));
    const read = (shell: string): string =>
      execFileSync('sh', ['-c', shell, 'sh', process.execPath, code, file], { encoding: 'utf8', stdio: 'pipe' });
    const node = '"$1" --input-type=module --eval "$2"';
    expect(read(`(cat "$3"; sleep 0.3; cat "$3") | ${node}`)).toBe('6\n');
    expect(read(`${node} < "$3"`)).toBe('3\n');
    expect(() => read(`${node} < /dev/null`)).toThrow('it is a device, not a file');
  });
});
