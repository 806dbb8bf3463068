// The dynamic tree code compared with the table of its definition (scripts/golden/optimizers.py); encoding finds the nearest
// value.
import { expect, test } from 'vitest';
import { device, record, setDefaultDevice, type Tensor, tensor } from '../../tensor/index.ts';
import { golden } from '../golden.testing.ts';
import { blockSize, decode, encode, zeroCode } from './dynamic-code.ts';

setDefaultDevice(device('interpreter'));
const numbers = (x: Tensor): number[] => Array.from(x.float().data as Float32Array);
const encoded = (values: Tensor, isSigned: boolean): { codes: number[]; absmax: number[] } => ({
  codes: numbers(record('encode', [values], (b, [x]) => encode(b, x!, isSigned)[0])),
  absmax: numbers(record('encode', [values], (b, [x]) => encode(b, x!, isSigned)[1])),
});

test.each([true, false])('with a sign: %s', isSigned => {
  const table = isSigned ? golden.tables.signed : golden.tables.unsigned;
  const all = tensor(
    Uint8Array.from({ length: 256 }, (_, i) => i),
    { shape: [1, 256], dtype: 'ui8' },
  );
  const decoded = numbers(
    record('decode', [all, tensor([1])], (b, [codes, absmax]) => decode(b, codes!, absmax!, isSigned)),
  );
  decoded.forEach((value, i) => {
    expect(Math.abs(value - table[i]!), `code ${i}`).toBeLessThanOrEqual(3e-7 * Math.abs(table[i]!));
  });
  expect(table[zeroCode(isSigned)]).toBe(0);
  // Every number of the table is encoded as itself, and so are numbers near it.
  const around = [1, 0.999, 1.001].flatMap(factor => table.map(value => Math.min(1, value * factor)));
  const rows = around.length / blockSize;
  // Each block has a 1, so that its scale is 1: the last code.
  const { codes, absmax } = encoded(tensor(Float32Array.from(around), { shape: [rows, blockSize] }), isSigned);
  around.forEach((value, i) => {
    const scaled = value / absmax[Math.floor(i / blockSize)]!;
    const error = Math.abs(table[codes[i]!]! - scaled);
    const least = Math.min(...table.map(entry => Math.abs(entry - scaled)));
    expect(error - least, `${value}`).toBeLessThanOrEqual(1e-7 * Math.abs(scaled));
  });
});

test('blocks of zeros and of tiny numbers', () => {
  const { codes, absmax } = encoded(
    tensor(
      Float32Array.from({ length: 512 }, (_, i) => (i < 256 ? 0 : 1e-30)),
      { shape: [2, 256] },
    ),
    false,
  );
  expect(new Set(codes.slice(0, 256))).toEqual(new Set([0]));
  expect(new Set(codes.slice(256))).toEqual(new Set([255]));
  expect(absmax).toEqual([0, expect.closeTo(1e-30, 36)]);
});
