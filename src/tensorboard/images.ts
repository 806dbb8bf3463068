// Images as PNG, from elements on the host in any order of dims.
import { TrenioError } from '../base/errors.ts';
import { encodePng } from '../base/png.ts';
import { userLocation } from '../tensor/location.ts';

/** The elements of a tensor on the host, row by row. */
export interface HostElements {
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
  /** Whether they are integers from 0 to 255, not fractions of 1. */
  readonly isBytes: boolean;
}
export interface EncodedImage {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
  readonly png: Uint8Array;
}

/**
 * One image. `format` names the dims in their order: N (several images, side by side in a grid of 8 columns), C (1, 3 or 4
 * channels), H and W.
 */
export function encodeImage(image: HostElements, format: string, call: string): EncodedImage {
  const dims = format.toUpperCase();
  const letters = [...dims].sort().join('');
  if (!['CHW', 'CHNW', 'HW'].includes(letters) || dims.length !== image.shape.length)
    throw invalid(
      call,
      'dataformats',
      format,
      `one letter of N, C, H and W for each dim of [${image.shape}], such as CHW, NCHW or HW`,
    );
  const sizeOf = (dim: string): number => (dims.includes(dim) ? image.shape[dims.indexOf(dim)]! : 1);
  const strideOf = (dim: string): number =>
    dims.includes(dim) ? image.shape.slice(dims.indexOf(dim) + 1).reduce((a, b) => a * b, 1) : 0;
  const [count, channels, height, width] = [sizeOf('N'), sizeOf('C'), sizeOf('H'), sizeOf('W')];
  if (![1, 3, 4].includes(channels)) throw invalid(call, 'image', `${channels} channels`, '1, 3 or 4 channels');
  const [n, c, h, w] = [strideOf('N'), strideOf('C'), strideOf('H'), strideOf('W')];
  const columns = Math.min(count, gridColumns);
  const [gridWidth, gridHeight] = [width * columns, height * Math.ceil(count / columns)];
  const data = new Uint8Array(gridWidth * gridHeight * channels);
  const byteAt = (at: number): number => {
    const value = image.values[at]! * (image.isBytes ? 1 : 255);
    return value <= 0 || Number.isNaN(value) ? 0 : value >= 255 ? 255 : Math.floor(value);
  };
  for (let i = 0; i < count; i++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const from = i * n + y * h + x * w;
        const row = Math.floor(i / columns) * height + y;
        const to = (row * gridWidth + (i % columns) * width + x) * channels;
        for (let k = 0; k < channels; k++) data[to + k] = byteAt(from + k * c);
      }
  const png = encodePng(gridWidth, gridHeight, channels as 1 | 3 | 4, data);
  return { height: gridHeight, width: gridWidth, channels, png };
}
const gridColumns = 8;

const invalid = (what: string, option: string, got: string, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what, option, got, expected }, { location: userLocation() });
