// Every file, damaged ones included, decodes to the same bytes as with jpeg-js, or is left to it.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import jpeg from 'jpeg-js';
import { expect, test } from 'vitest';
import { decodeBaselineJpeg } from './jpeg-baseline.ts';
import { imageLoops } from './native-images.ts';

const golden = JSON.parse(
  readFileSync(new URL('../../../test/golden/jpegs.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>;
const files = Object.entries(golden).map(([name, text]) => ({
  name,
  bytes: new Uint8Array(Buffer.from(text, 'base64')),
}));
const maxPixels = 1e6;
const slow = (bytes: Uint8Array) =>
  jpeg.decode(bytes, { useTArray: true, formatAsRGBA: false, tolerantDecoding: false, maxResolutionInMP: 1 });

const native = imageLoops();
if (native === undefined) throw new Error('there is no C compiler');
const decode = (bytes: Uint8Array) => decodeBaselineJpeg(bytes, maxPixels, native);

test.each(files)('$name', ({ name, bytes }) => {
  const fast = decode(bytes);
  if (/progressive|CMYK/.test(name)) expect(fast).toBeUndefined();
  else {
    const { width, height, data } = slow(bytes);
    expect(fast).toEqual({ width, height, channels: 3, data });
  }
});

test('images of any size', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 100 }),
      fc.infiniteStream(fc.nat(255)),
      (width, height, quality, random) => {
        const pixels = Buffer.from(Array.from({ length: 4 * width * height }, () => random.next().value as number));
        const { data: bytes } = jpeg.encode({ width, height, data: pixels }, quality);
        expect(decode(bytes)?.data).toEqual(slow(bytes).data);
      },
    ),
    { numRuns: 30 },
  );
});

test('a damaged file decodes as with jpeg-js, or is left to it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...files),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
      fc.option(fc.nat()),
      ({ bytes }, changes, cut) => {
        const damaged = bytes.slice(0, cut === null ? bytes.length : cut % bytes.length);
        for (const [at, byte] of changes) if (at % bytes.length > 1) damaged[at % bytes.length] = byte;
        const fast = decode(damaged);
        if (fast !== undefined) expect(fast.data).toEqual(slow(damaged).data);
      },
    ),
    { numRuns: 300 },
  );
});

test('an image that is too large is rejected before decoding', () => {
  expect(decodeBaselineJpeg(files[0]!.bytes, 10, native)).toBeUndefined();
});
