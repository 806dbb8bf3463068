// Images as arrays of bytes, and PNG and JPEG files as images. Decoding is the work of png.ts, jpeg-baseline.ts and jpeg-js
// (docs/decisions/0005); this file selects the decoder, limits the size of images, and adds the name of the file to errors.
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import { decodePng, isPng } from '../../base/png.ts';
import { readBytes, readBytesNow } from '../../base/read-file.ts';
import { decodeBaselineJpeg } from './jpeg-baseline.ts';
import { imageLoops } from './native-images.ts';

/** An image: rows of pixels, each with the bytes of its channels adjacent. */
export interface Image {
  /** The width in pixels. */
  readonly width: number;
  /** The height in pixels. */
  readonly height: number;
  /** 3 for red, green and blue. */
  readonly channels: number;
  /** The pixels row by row, interleaved by channel. */
  readonly data: Uint8Array;
}

/** Images with more pixels are rejected: decoding one would take more than 400 MB. */
const maxPixels = 100_000_000;
const maxFileBytes = 1 << 28;
/** Pixels times scans of a JPEG. */
const maxScannedPixels = 2e9;

/**
 * The image of a PNG or JPEG file as red, green and blue: transparency is dropped, gray is repeated, and the EXIF orientation is
 * not applied, as in torchvision's default loader.
 * @throws {FILE_UNREADABLE}
 * @throws {IMAGE_INVALID} if the file is neither, is damaged, or has more than 100 million pixels
 * @example
 * ```ts no-run
 * const { width, height, data } = await readImage('cat.jpg');
 * ```
 */
export async function readImage(file: string): Promise<Image> {
  return decodeImage(await readFileOf(file), file);
}

/** If a read takes longer than this, later reads are asynchronous, so that many can wait at once. */
const slowReadMs = 2;
let slowReads = 0;

/** Files in the page cache are read synchronously, which takes a tenth of the time, until a read is slow. */
async function readFileOf(file: string): Promise<Uint8Array> {
  if (slowReads > 0) {
    slowReads--;
    return readBytes(file, maxFileBytes);
  }
  const start = performance.now();
  const bytes = readBytesNow(file, maxFileBytes);
  if (performance.now() - start > slowReadMs) slowReads = 64;
  return bytes;
}

/** @throws {IMAGE_INVALID} */
export async function decodeImage(bytes: Uint8Array, file: string): Promise<Image> {
  try {
    if (isPng(bytes)) return { ...decodePng(bytes, requireSize), channels: 3 };
    if (bytes[0] === 0xff && bytes[1] === 0xd8) return await decodeJpeg(bytes);
  } catch (cause) {
    if (isTrenioError(cause)) throw cause;
    // Decoders report damaged files with many kinds of errors, such as a read beyond the end.
    throw new TrenioError('IMAGE_INVALID', { file, reason: (cause as Error).message }, { cause });
  }
  throw new TrenioError('IMAGE_INVALID', {
    file,
    reason: bytes.length === 0 ? 'the file is empty' : 'it starts as neither a PNG nor a JPEG does',
  });
}

async function decodeJpeg(bytes: Uint8Array): Promise<Image> {
  const native = imageLoops();
  const usual = native && decodeBaselineJpeg(bytes, maxPixels, native);
  if (usual !== undefined) return usual;
  requireJpegWork(bytes);
  const { default: jpeg } = await import('jpeg-js');
  const { width, height, data } = jpeg.decode(bytes, {
    useTArray: true,
    formatAsRGBA: false,
    // A damaged image is an error, not a gray area.
    tolerantDecoding: false,
    maxResolutionInMP: maxPixels / 1e6,
    maxMemoryUsageInMB: 2048,
  });
  requireSize(width, height);
  return { width, height, channels: 3, data };
}

/**
 * A progressive file has several scans, each of which visits the whole image, and may have almost no data in them: the work is
 * limited before it is done. Every scan of a complete file has at least a bit for 64 pixels of its brightness.
 */
function requireJpegWork(bytes: Uint8Array): void {
  let pixels = 0;
  let scans = 0;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!;
    const length = bytes[at + 2]! * 256 + bytes[at + 3]!;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      pixels = (bytes[at + 5]! * 256 + bytes[at + 6]!) * (bytes[at + 7]! * 256 + bytes[at + 8]!);
      if (pixels > maxPixels) throw new Error(`it has ${pixels} pixels, more than ${maxPixels / 1e6} million`);
    }
    at += 2 + length;
    if (marker !== 0xda) continue;
    scans++;
    while (at < bytes.length && !(bytes[at] === 0xff && bytes[at + 1] !== 0 && (bytes[at + 1]! & 0xf8) !== 0xd0)) at++;
  }
  if (pixels > bytes.length * 512) throw new Error('its pixels are truncated');
  if (pixels * scans > maxScannedPixels) throw new Error(`its ${scans} scans of ${pixels} pixels are too much work`);
}

function requireSize(width: number, height: number): void {
  if (width * height > maxPixels)
    throw new Error(`it has ${width} × ${height} pixels, more than ${maxPixels / 1e6} million`);
  if (width === 0 || height === 0) throw new Error('it has no pixels');
}
