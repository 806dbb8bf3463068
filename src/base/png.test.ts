// PNG files of each kind, with the values of Pillow's convert('RGB'); damaged and hostile files.
import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodePng, encodePng } from './png.ts';

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.concat([new Uint8Array(4), Buffer.from(type), data, new Uint8Array(4)]);
  bytes.writeUInt32BE(data.length, 0);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}
interface Kind {
  readonly size: readonly [number, number];
  readonly depth: number;
  readonly color: number;
  readonly interlace?: number;
  readonly chunks?: Readonly<Record<string, readonly number[]>>;
}
function png({ size: [width, height], depth, color, interlace = 0, chunks = {} }: Kind, raw: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, color, 0, 0, interlace], 8);
  return Buffer.concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    ...Object.entries(chunks).map(([type, data]) => chunk(type, Uint8Array.from(data))),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', new Uint8Array(0)),
  ]);
}
const free = (): void => {};
const pixels = (kind: Kind, ...raw: number[]): number[] => [...decodePng(png(kind, Uint8Array.from(raw)), free).data];

test.each<readonly [string, Kind, readonly number[], readonly number[]]>([
  ['gray of 1 bit', { size: [3, 1], depth: 1, color: 0 }, [0, 0b101_00000], [255, 255, 255, 0, 0, 0, 255, 255, 255]],
  ['gray of 2 bits', { size: [2, 1], depth: 2, color: 0 }, [0, 0b01_10_0000], [85, 85, 85, 170, 170, 170]],
  [
    'gray of 4 bits with a color key',
    { size: [2, 1], depth: 4, color: 0, chunks: { tRNS: [0, 1] } },
    [0, 0x1f],
    [17, 17, 17, 255, 255, 255],
  ],
  [
    'gray of 16 bits is clipped',
    { size: [3, 1], depth: 16, color: 0 },
    [0, 0, 9, 1, 0, 255, 255],
    [9, 9, 9, 255, 255, 255, 255, 255, 255],
  ],
  [
    'RGB with a color key',
    { size: [2, 1], depth: 8, color: 2, chunks: { tRNS: [0, 1, 0, 2, 0, 3] } },
    [0, 1, 2, 3, 4, 5, 6],
    [1, 2, 3, 4, 5, 6],
  ],
  ['RGB of 16 bits', { size: [1, 1], depth: 16, color: 2 }, [0, 1, 99, 2, 99, 3, 99], [1, 2, 3]],
  [
    'palette with opacities, and an index beyond it',
    { size: [4, 1], depth: 2, color: 3, chunks: { PLTE: [1, 2, 3, 4, 5, 6], tRNS: [0, 9] } },
    [0, 0b00_01_10_00],
    [1, 2, 3, 4, 5, 6, 0, 0, 0, 1, 2, 3],
  ],
  ['gray with alpha', { size: [2, 1], depth: 8, color: 4 }, [0, 7, 0, 8, 255], [7, 7, 7, 8, 8, 8]],
  ['RGBA of 16 bits', { size: [1, 1], depth: 16, color: 6 }, [0, 1, 0, 2, 0, 3, 0, 0, 0], [1, 2, 3]],
  [
    'filters',
    { size: [1, 5], depth: 8, color: 0 },
    [0, 10, 1, 20, 2, 5, 3, 7, 4, 1],
    [10, 20, 25, 19, 20].flatMap(v => [v, v, v]),
  ],
  [
    'interlaced',
    { size: [2, 2], depth: 8, color: 0, interlace: 1 },
    [0, 1, 0, 2, 0, 3, 4],
    [1, 2, 3, 4].flatMap(v => [v, v, v]),
  ],
])('%s', (_, kind, raw, rgb) => {
  expect(pixels(kind, ...raw)).toEqual(rgb);
});

test('written files are read again', () => {
  const data = Uint8Array.from({ length: 5 * 3 * 3 }, (_, i) => i * 5);
  expect(decodePng(encodePng(5, 3, 3, data), free)).toEqual({ width: 5, height: 3, data });
  const gray = decodePng(encodePng(15, 3, 1, data), free).data;
  expect([...gray.subarray(0, 6)]).toEqual([0, 0, 0, 5, 5, 5]);
});

describe('invalid files', () => {
  const whole = encodePng(4, 4, 3, new Uint8Array(48));
  const decode = (bytes: Uint8Array) => () => decodePng(bytes, free);
  test('damage', () => {
    for (let end = 8; end < whole.length; end++) expect(decode(whole.subarray(0, end))).toThrow(/ends|truncated/);
    const flipped = Uint8Array.from(whole);
    flipped[45]! ^= 1;
    expect(decode(flipped)).toThrow('the checksum of a chunk "IDAT" is wrong');
    expect(decode(png({ size: [1, 1], depth: 8, color: 0 }, Uint8Array.of(9, 1)))).toThrow('unknown filter 9');
    expect(decode(png({ size: [1, 1], depth: 8, color: 3 }, Uint8Array.of(0, 1)))).toThrow('it has no palette');
    expect(decode(png({ size: [1, 1], depth: 4, color: 2 }, Uint8Array.of(0, 1)))).toThrow('is not a kind of PNG');
  });
  test('sizes are checked before pixels are inflated', () => {
    const bomb = new Uint8Array(1 << 20);
    expect(decode(png({ size: [60_000, 60_000], depth: 16, color: 6, interlace: 1 }, bomb))).toThrow(
      /samples take \d+ bytes/,
    );
    expect(decode(png({ size: [20_000, 5000], depth: 8, color: 0 }, bomb))).toThrow('its pixels are truncated');
    expect(decode(png({ size: [4, 4], depth: 8, color: 0 }, bomb))).toThrow();
  });
});
