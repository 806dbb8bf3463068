// .npy files: written files can be read back, and all variants that NumPy writes are supported.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTrenioError } from '../../base/errors.ts';
import { bytesOf, literal, literalOfBytes } from '../../hlo/literal.ts';
import { elementBytes, elementTypes, tensorType } from '../../hlo/types.ts';
import { decodeNpy, encodeNpy, readNpy, writeNpy } from './npy.ts';

/** A file in the given version, byte order and header. */
function file(header: string, elements: readonly number[], version = 1): Uint8Array {
  const text = [...new TextEncoder().encode(`${header}\n`)];
  const length = version === 1 ? [text.length, 0] : [text.length, 0, 0, 0];
  return Uint8Array.from([0x93, ...new TextEncoder().encode('NUMPY'), version, 0, ...length, ...text, ...elements]);
}
const header = (descr: string, shape: string, fortran = 'False'): string =>
  `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': (${shape}), }`;
const reasonOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (isTrenioError(error, 'NPY_INVALID')) return error.data.reason;
    throw error;
  }
  return 'nothing';
};

describe('written files can be read back', () => {
  test('every element type and shape, bit for bit', () => {
    const shapes = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 });
    fc.assert(
      fc.property(
        fc.constantFrom(...elementTypes),
        shapes,
        fc.infiniteStream(fc.nat(1)),
        (elementType, shape, bits) => {
          if (elementType === 'tf32') return; // written as f32
          const type = tensorType(elementType, shape);
          const count = shape.reduce((a, b) => a * b, 1) * elementBytes(elementType);
          const value = literalOfBytes(
            type,
            Uint8Array.from({ length: count }, () => bits.next().value!),
          );
          const parts = encodeNpy(value);
          expect(parts[0]!.length % 64).toBe(0);
          const bytes = Uint8Array.from(parts.flatMap(part => [...part]));
          const read = decodeNpy(bytes, 'a.npy', elementType);
          expect(read.type).toEqual(type);
          expect(bytesOf(read)).toEqual(bytesOf(value));
        },
      ),
      { numRuns: 60 },
    );
  });
  test('through the file system', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trenio-npy-'));
    try {
      const value = literal('bf16', [2], [1.5, -2]);
      await writeNpy(join(folder, 'new', 'a.npy'), value);
      expect(await readNpy(join(folder, 'new', 'a.npy'), value.type)).toEqual(value);
      await writeFile(join(folder, 'b.npy'), 'no array');
      await expect(readNpy(join(folder, 'b.npy'))).rejects.toMatchObject({ code: 'NPY_INVALID' });
      await expect(readNpy(join(folder, 'c.npy'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the variants of the format', () => {
  test('big-endian numbers; complex ones are swapped per part', () => {
    expect(decodeNpy(file(header('>i2', '2,'), [1, 2, 255, 254]), 'a')).toEqual(literal('i16', [2], [258, -2]));
    const parts = [0x3f, 0x80, 0, 0, 0x40, 0, 0, 0];
    expect([...decodeNpy(file(header('>c8', ''), parts), 'a').data]).toEqual([1, 2]);
  });
  test('versions 2 and 3, and Fortran order', () => {
    const columns = [0, 3, 1, 4, 2, 5];
    for (const version of [2, 3]) {
      const read = decodeNpy(file(header('|u1', '2, 3', 'True'), columns, version), 'a');
      expect(read).toEqual(literal('ui8', [2, 3], [0, 1, 2, 3, 4, 5]));
    }
    const cube = decodeNpy(file(header('|u1', '2, 1, 2', 'True'), [0, 2, 1, 3]), 'a');
    expect([...cube.data]).toEqual([0, 1, 2, 3]);
  });
  test('booleans are read as 0 or 1, whatever the value of their byte', () => {
    expect([...decodeNpy(file(header('|b1', '3,'), [0, 7, 1]), 'a').data]).toEqual([0, 1, 1]);
  });
  test('raw elements get the expected type', () => {
    const raw = file(header('<V2', '1,'), [0x80, 0x3f]);
    expect(decodeNpy(raw, 'a', 'bf16')).toEqual(literal('bf16', [1], [1]));
    expect(decodeNpy(file(header('<V1', '1,'), [0xff]), 'a', 'i4')).toEqual(literal('i4', [1], [-1]));
    expect(reasonOf(() => decodeNpy(raw, 'a'))).toContain('have no known type');
    expect(reasonOf(() => decodeNpy(raw, 'a', 'f16'))).toContain('f16 was expected');
    expect(reasonOf(() => decodeNpy(raw, 'a', 'f8E5M2'))).toContain('f8E5M2 was expected');
  });
});

test('unaligned elements are read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trenio-npy-'));
  const values = Float64Array.of(1.5, -2, 3e300);
  // NumPy aligns the elements; other writers need not.
  for (let padding = 0; padding < 9; padding++) {
    const path = join(folder, `${padding}.npy`);
    await writeFile(path, file(`${header('<f8', '3,')}${' '.repeat(padding)}`, [...new Uint8Array(values.buffer)]));
    expect((await readNpy(path)).data).toEqual(values);
    await writeFile(path, file(`${header('>f8', '3,')}${' '.repeat(padding)}`, [...new Uint8Array(values.buffer)]));
    const swapped = new DataView(values.buffer);
    expect((await readNpy(path)).data).toEqual(Float64Array.of(...[0, 8, 16].map(at => swapped.getFloat64(at))));
  }
  await rm(folder, { recursive: true });
});

test('damaged files are rejected, never partly read', () => {
  const good = file(header('<f4', '2,'), [0, 0, 0, 0, 0, 0, 0, 0]);
  for (let length = 0; length < good.length; length++)
    expect(reasonOf(() => decodeNpy(good.slice(0, length), 'a'))).not.toBe('nothing');
  expect(reasonOf(() => decodeNpy(file(header('|O', '2,'), []), 'a'))).toContain("'O'");
  expect(reasonOf(() => decodeNpy(file("{'descr': [('x', '<f4')], 'shape': ()}", []), 'a'))).toContain('not plain');
  expect(reasonOf(() => decodeNpy(file(header('<f4', '-1,'), []), 'a'))).toContain('not understood');
  expect(reasonOf(() => decodeNpy(file(header('<f4', '99999999999, 99999999999'), []), 'a'))).toContain('requires');
  expect(reasonOf(() => decodeNpy(file(header('<f4', '2,'), [], 9), 'a'))).toContain('version is 9.0');
});
