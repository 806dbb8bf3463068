// Colors of images changed, equal to Pillow's bit for bit (ImageEnhance, Convert.c); a blur as in torchvision.
import type { Image } from '../images/image.ts';

/** The gray value of each pixel. A gray image is its own. */
function grays({ channels, data }: Image): Uint8Array {
  if (channels < 3) return data;
  const out = new Uint8Array(data.length / channels);
  for (let i = 0, at = 0; i < out.length; i++, at += channels)
    out[i] = (data[at]! * 19595 + data[at + 1]! * 38470 + data[at + 2]! * 7471 + 0x8000) >> 16;
  return out;
}
export function grayscale(image: Image, channels: 1 | 3): Image {
  const gray = grays(image);
  const data = new Uint8Array(gray.length * channels);
  for (let i = 0; i < data.length; i++) data[i] = gray[Math.floor(i / channels)]!;
  return { ...image, channels, data };
}

/** from + factor · (data − from), in f32. */
function blended(image: Image, factor: number, from: (i: number) => number): Image {
  if (factor === 1) return image;
  const { data } = image;
  const share = Math.fround(factor);
  const out = new Uint8Array(data.length);
  for (let i = 0; i < out.length; i++) {
    const value = Math.fround(from(i) + Math.fround(share * (data[i]! - from(i))));
    out[i] = Math.min(255, Math.max(0, Math.trunc(value)));
  }
  return { ...image, data: out };
}
export const withBrightness = (image: Image, factor: number): Image => blended(image, factor, () => 0);
export function withContrast(image: Image, factor: number): Image {
  const gray = grays(image);
  const mean = Math.trunc(gray.reduce((sum, value) => sum + value, 0) / gray.length + 0.5);
  return blended(image, factor, () => mean);
}
export function withSaturation(image: Image, factor: number): Image {
  const { channels } = image;
  const gray = grays(image);
  return blended(image, factor, i => gray[Math.floor(i / channels)]!);
}

/** The hue turned by this share of a circle, from −0.5 to 0.5. */
export function withHue(image: Image, factor: number): Image {
  const { channels, data } = image;
  if (channels < 3) return image;
  const turn = Math.trunc(factor * 255);
  const out = data.slice();
  for (let at = 0; at < data.length; at += channels) {
    const [h, s, v] = hsv(data[at]!, data[at + 1]!, data[at + 2]!);
    const [r, g, b] = rgb((h + turn + 256) % 256, s, v);
    out[at] = r;
    out[at + 1] = g;
    out[at + 2] = b;
  }
  return { ...image, data: out };
}
type Triple = readonly [number, number, number];
const { fround } = Math;
function hsv(r: number, g: number, b: number): Triple {
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  if (most === least) return [0, 0, most];
  const range = most - least;
  const [rc, gc, bc] = [fround((most - r) / range), fround((most - g) / range), fround((most - b) / range)];
  const sector = r === most ? fround(bc - gc) : g === most ? fround(2 + rc - bc) : fround(4 + gc - rc);
  const h = fround((sector / 6 + 1) % 1);
  return [Math.trunc(h * 255), Math.trunc(fround(range / most) * 255), most];
}
function rgb(h: number, s: number, v: number): Triple {
  if (s === 0) return [v, v, v];
  const place = (h * 6) / 255;
  const i = Math.floor(place);
  const [f, fs] = [fround(place - i), fround(s / 255)];
  const round = (value: number): number => Math.floor(value + 0.5);
  const [p, q, t] = [round(v * (1 - fs)), round(v * (1 - fs * f)), round(v * (1 - fs * (1 - f)))];
  const all = [
    [v, t, p],
    [q, v, p],
    [p, v, t],
    [p, q, v],
    [t, p, v],
    [v, p, q],
  ] as const;
  return all[i % 6]!;
}

/** Blurred by a Gaussian of this many pixels, cut off at the size of the kernel, with reflected edges. */
export function blurred(image: Image, [kernelX, kernelY]: readonly [number, number], sigma: number): Image {
  const { width, height, channels, data } = image;
  const along = (input: ArrayLike<number>, size: number, length: number, step: number): Float64Array => {
    const half = (size - 1) / 2;
    const weights = Array.from({ length: size }, (_, i) => Math.exp(-0.5 * ((i - half) / sigma) ** 2));
    const total = weights.reduce((sum, w) => sum + w, 0);
    const out = new Float64Array(input.length);
    for (let i = 0; i < out.length; i++) {
      const at = Math.floor(i / step) % length;
      let sum = 0;
      for (let k = 0; k < size; k++) {
        const to = at + k - half;
        const reflected = to < 0 ? -to : to >= length ? 2 * length - 2 - to : to;
        sum += (weights[k]! / total) * input[i + (reflected - at) * step]!;
      }
      out[i] = sum;
    }
    return out;
  };
  const both = along(along(data, kernelX, width, channels), kernelY, height, width * channels);
  return { ...image, data: Uint8Array.from(both, value => Math.round(value)) };
}
