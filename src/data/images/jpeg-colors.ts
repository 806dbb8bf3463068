// Planes of YCbCr samples to RGB, with the rounding of jpeg-js.

import type { Plane, RgbImage } from './jpeg-planes.ts';
import type { ImageLoops } from './native-images.ts';

const chroma = Array.from({ length: 256 }, (_, i) => i - 128);
const redOfCr = Float64Array.from(chroma, c => 1.402 * c);
const greenOfCb = Float64Array.from(chroma, c => 0.3441363 * c);
const greenOfCr = Float64Array.from(chroma, c => 0.71413636 * c);
const blueOfCb = Float64Array.from(chroma, c => 1.772 * c);
const clamp = (value: number): number => Math.min(255, Math.max(0, value));

/** Combines planes into an image: gray, or YCbCr with chroma in full or half resolution. */
export function toRgb(
  planes: readonly Plane[],
  width: number,
  height: number,
  native: ImageLoops | undefined,
): RgbImage {
  const data = new Uint8Array(3 * width * height);
  const [luma, cb, cr] = planes;
  if (native !== undefined && cb !== undefined && cr !== undefined) {
    const half = [luma!.h === 2 ? 1 : 0, luma!.v === 2 ? 1 : 0] as const;
    native.rgb(luma!.samples, luma!.width, cb.samples, cr.samples, cb.width, ...half, width, height, data);
    return { width, height, channels: 3, data };
  }
  let to = 0;
  for (let y = 0; y < height; y++) {
    const from = y * luma!.width;
    if (cb === undefined || cr === undefined) {
      for (let x = 0; x < width; x++, to += 3) {
        const value = luma!.samples[from + x]!;
        data[to] = value;
        data[to + 1] = value;
        data[to + 2] = value;
      }
      continue;
    }
    const halfX = luma!.h === 2 ? 1 : 0;
    const line = (luma!.v === 2 ? y >> 1 : y) * cb.width;
    for (let x = 0; x < width; x++, to += 3) {
      const value = luma!.samples[from + x]!;
      const b = cb.samples[line + (x >> halfX)]!;
      const r = cr.samples[line + (x >> halfX)]!;
      data[to] = clamp(value + redOfCr[r]!);
      data[to + 1] = clamp(value - greenOfCb[b]! - greenOfCr[r]!);
      data[to + 2] = clamp(value + blueOfCb[b]!);
    }
  }
  return { width, height, channels: 3, data };
}
