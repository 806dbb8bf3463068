// Planes of YCbCr samples to RGB, with the rounding of jpeg-js.

import type { Plane, RgbImage } from './jpeg-planes.ts';
import type { ImageLoops } from './native-images.ts';

/** Combines planes into an image: gray, or YCbCr with chroma in full or half resolution. */
export function toRgb(planes: readonly Plane[], width: number, height: number, native: ImageLoops): RgbImage {
  const data = new Uint8Array(3 * width * height);
  const [luma, cb, cr] = planes;
  if (cb !== undefined && cr !== undefined) {
    const half = [luma!.h === 2 ? 1 : 0, luma!.v === 2 ? 1 : 0] as const;
    native.rgb(luma!.samples, luma!.width, cb.samples, cr.samples, cb.width, ...half, width, height, data);
    return { width, height, channels: 3, data };
  }
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++, to += 3) data.fill(luma!.samples[y * luma!.width + x]!, to, to + 3);
  return { width, height, channels: 3, data };
}
