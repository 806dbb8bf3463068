// Images moved: crops, padding, mirrors and affine maps, equal to Pillow's bit for bit (Geometry.c).

import { wrongOption } from '../check-options.ts';
import type { Image } from '../images/image.ts';
import { type ResizeFilter, resizeImage } from '../images/resize-image.ts';

/** How pixels between others are computed, in torchvision's names. */
export type Interpolation = 'nearest' | ResizeFilter;
/** How pixels around an image are computed. */
export type PaddingMode = 'constant' | 'edge' | 'reflect' | 'symmetric';
/** One value for all channels, or one for each. */
export type Fill = number | readonly number[];

export function crop(
  { width, channels, data }: Image,
  top: number,
  left: number,
  height: number,
  toWidth: number,
): Image {
  const out = new Uint8Array(height * toWidth * channels);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * width + left) * channels;
    out.set(data.subarray(from, from + toWidth * channels), y * toWidth * channels);
  }
  return { width: toWidth, height, channels, data: out };
}

/** An image of one color. */
function filled(width: number, height: number, channels: number, fill: Fill): Image {
  const color = typeof fill === 'number' ? [fill] : fill;
  if (color.length !== 1 && color.length !== channels)
    throw wrongOption('the transform', 'fill', fill, `a number, or ${channels}, one for each channel`);
  const data = new Uint8Array(width * height * channels);
  if (color.some(value => value !== 0))
    for (let i = 0; i < data.length; i++) data[i] = color[(i % channels) % color.length]!;
  return { width, height, channels, data };
}

export function pad(
  image: Image,
  [left, top, right, bottom]: readonly [number, number, number, number],
  fill: Fill = 0,
  mode: PaddingMode = 'constant',
): Image {
  if (left + top + right + bottom === 0) return image;
  const { width, height, channels, data } = image;
  const [toWidth, toHeight] = [width + left + right, height + top + bottom];
  const out = filled(toWidth, toHeight, channels, mode === 'constant' ? fill : 0);
  const xs = Array.from({ length: toWidth }, (_, x) => sourceOf(x - left, width, mode));
  for (let y = 0; y < toHeight; y++) {
    const row = sourceOf(y - top, height, mode);
    if (row < 0) continue;
    for (let x = 0; x < toWidth; x++) {
      if (xs[x]! < 0) continue;
      const from = (row * width + xs[x]!) * channels;
      for (let c = 0; c < channels; c++) out.data[(y * toWidth + x) * channels + c] = data[from + c]!;
    }
  }
  return out;
}
/** The pixel that a position outside of a row shows; −1: none. */
function sourceOf(at: number, length: number, mode: PaddingMode): number {
  if (at >= 0 && at < length) return at;
  switch (mode) {
    case 'constant':
      return -1;
    case 'edge':
      return at < 0 ? 0 : length - 1;
    case 'reflect': {
      if (length === 1) return 0;
      const period = 2 * (length - 1);
      const place = ((at % period) + period) % period;
      return place < length ? place : period - place;
    }
    case 'symmetric': {
      const place = ((at % (2 * length)) + 2 * length) % (2 * length);
      return place < length ? place : 2 * length - 1 - place;
    }
  }
}

export function mirrored({ width, height, channels, data }: Image): Image {
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = (y * width + width - 1 - x) * channels;
      out.set(data.subarray(from, from + channels), (y * width + x) * channels);
    }
  return { width, height, channels, data: out };
}
export function upsideDown(image: Image): Image {
  const { height, data } = image;
  const row = data.length / height;
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) out.set(data.subarray(y * row, (y + 1) * row), (height - 1 - y) * row);
  return { ...image, data: out };
}

export function resized(image: Image, height: number, width: number, interpolation: Interpolation): Image {
  if (interpolation !== 'nearest') return resizeImage(image, height, width, interpolation);
  if (image.width === width && image.height === height) return image;
  return affine(image, [image.width / width, 0, 0, 0, image.height / height, 0], 'nearest', 0, [width, height]);
}

/** x′ = a x + b y + c, y′ = d x + e y + f: from a pixel of the result to one of the image. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Moves pixels by the map from the result to the image. Nearest pixels are found in 16-bit fixed point, as in Pillow. */
export function affine(
  image: Image,
  [a, b, c, d, e, f]: Matrix,
  interpolation: 'nearest' | 'bilinear',
  fill: Fill,
  [width, height]: readonly [number, number] = [image.width, image.height],
): Image {
  const { channels, data } = image;
  const out = filled(width, height, channels, fill);
  const copy = (x: number, y: number, fromX: number, fromY: number): void => {
    if (fromX < 0 || fromX >= image.width || fromY < 0 || fromY >= image.height) return;
    const [to, from] = [(y * width + x) * channels, (fromY * image.width + fromX) * channels];
    for (let channel = 0; channel < channels; channel++) out.data[to + channel] = data[from + channel]!;
  };
  if (interpolation === 'bilinear') {
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const [px, py] = [x + 0.5, y + 0.5];
        bilinear(image, a * px + b * py + c, d * px + e * py + f, out.data, (y * width + x) * channels);
      }
    return out;
  }
  if (b === 0 && d === 0) {
    const columns = steps(c + a * 0.5, a, width);
    const rows = steps(f + e * 0.5, e, height);
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) copy(x, y, columns[x]!, rows[y]!);
    return out;
  }
  const fixed = (value: number): number => Math.floor(value * 65536 + 0.5);
  const [stepX, stepY] = [fixed(a), fixed(d)];
  let [rowX, rowY] = [fixed(c + a * 0.5 + b * 0.5), fixed(f + d * 0.5 + e * 0.5)];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++)
      copy(x, y, Math.floor((rowX + x * stepX) / 65536), Math.floor((rowY + x * stepY) / 65536));
    rowX += fixed(b);
    rowY += fixed(e);
  }
  return out;
}
/** Positions added one after another, as Pillow does: the rounding errors of the sums decide ties. */
function steps(first: number, step: number, count: number): readonly number[] {
  let at = first;
  return Array.from({ length: count }, () => {
    const place = at < 0 ? -1 : Math.trunc(at);
    at += step;
    return place;
  });
}

function bilinear({ width, height, channels, data }: Image, x: number, y: number, out: Uint8Array, to: number): void {
  if (!(x >= 0 && x < width && y >= 0 && y < height)) return;
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  const [dx, dy] = [x - 0.5 - left, y - 0.5 - top];
  const column = (at: number): number => Math.min(Math.max(at, 0), width - 1);
  const [x0, x1] = [column(left), column(left + 1)];
  for (let c = 0; c < channels; c++) {
    const on = (row: number): number => {
      const first = data[(row * width + x0) * channels + c]!;
      return first + (data[(row * width + x1) * channels + c]! - first) * dx;
    };
    const upper = on(Math.max(top, 0));
    const lower = top + 1 < height ? on(top + 1) : upper;
    out[to + c] = Math.trunc(upper + (lower - upper) * dy);
  }
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
/** As Python's `round(value, 15)`. */
const rounded = (value: number): number => Number(value.toFixed(15));

/** Rotated counterclockwise about the center. `expand`: the result has room for the whole image. */
export function rotated(
  image: Image,
  degrees: number,
  {
    interpolation,
    expand,
    center,
    fill,
  }: {
    readonly interpolation: 'nearest' | 'bilinear';
    readonly expand: boolean;
    readonly center: readonly [number, number] | undefined;
    readonly fill: Fill;
  },
): Image {
  const turn = ((degrees % 360) + 360) % 360;
  let { width, height } = image;
  if (center === undefined) {
    if (turn === 0) return image;
    if (turn === 180) return mirrored(upsideDown(image));
    if ((turn === 90 || turn === 270) && (expand || width === height)) return quarterTurn(image, turn === 90);
  }
  const angle = -radians(turn);
  const [cos, sin] = [rounded(Math.cos(angle)), rounded(Math.sin(angle))];
  const [cx, cy] = center ?? [width / 2, height / 2];
  const map = (x: number, y: number, c: number, f: number) => [cos * x + sin * y + c, -sin * x + cos * y + f] as const;
  let [c, f] = map(-cx, -cy, 0, 0);
  c += cx;
  f += cy;
  if (expand) {
    const corners = [map(0, 0, c, f), map(width, 0, c, f), map(width, height, c, f), map(0, height, c, f)];
    const extent = (axis: 0 | 1): number => {
      const values = corners.map(corner => corner[axis]);
      return Math.ceil(Math.max(...values)) - Math.floor(Math.min(...values));
    };
    const [wide, high] = [extent(0), extent(1)];
    [c, f] = map(-(wide - width) / 2, -(high - height) / 2, c, f);
    [width, height] = [wide, high];
  }
  return affine(image, [cos, sin, c, -sin, cos, f], interpolation, fill, [width, height]);
}
function quarterTurn({ width, height, channels, data }: Image, counterclockwise: boolean): Image {
  const out = new Uint8Array(data.length);
  for (let y = 0; y < width; y++)
    for (let x = 0; x < height; x++) {
      const [fromX, fromY] = counterclockwise ? [width - 1 - y, x] : [y, height - 1 - x];
      const from = (fromY * width + fromX) * channels;
      out.set(data.subarray(from, from + channels), (y * height + x) * channels);
    }
  return { width: height, height: width, channels, data: out };
}

/** torchvision's map of an affine transform: rotation, translation in pixels, scale, shear, about a center. */
export function inverseAffine(
  [cx, cy]: readonly [number, number],
  degrees: number,
  [tx, ty]: readonly [number, number],
  scale: number,
  shear: readonly [number, number],
): Matrix {
  const [turn, sx, sy] = [radians(degrees), radians(shear[0]), radians(shear[1])];
  const a = Math.cos(turn - sy) / Math.cos(sy);
  const b = (-Math.cos(turn - sy) * Math.tan(sx)) / Math.cos(sy) - Math.sin(turn);
  const c = Math.sin(turn - sy) / Math.cos(sy);
  const d = (-Math.sin(turn - sy) * Math.tan(sx)) / Math.cos(sy) + Math.cos(turn);
  const [m0, m1, m3, m4] = [d / scale, -b / scale, -c / scale, a / scale];
  return [m0, m1, m0 * (-cx - tx) + m1 * (-cy - ty) + cx, m3, m4, m3 * (-cx - tx) + m4 * (-cy - ty) + cy];
}
