// Handwriting-like digits, generated instead of downloaded: each has a few strokes that are rotated, scaled, slanted, shifted
// and blurred at random. 28 × 28 gray values from 0 to 1, as in MNIST (LeCun et al. 1998). The same seed gives the same digits.
import type { Dataset } from 'trenio';

export const side = 28;

/** One image and its class: a batch is [images, labels]. */
export type Example = readonly [image: Float32Array, label: number];

type Point = readonly [x: number, y: number];

/** Points on an ellipse around (x, y) between two angles, in full turns: 0 is right, 0.25 is down. */
function arc(x: number, y: number, rx: number, ry: number, from: number, to: number): Point[] {
  const count = 16;
  return Array.from({ length: count + 1 }, (_, i) => {
    const angle = 2 * Math.PI * (from + ((to - from) * i) / count);
    return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)] as const;
  });
}

/** The strokes of each digit in a box from (-1, -1), the top left, to (1, 1). */
const strokes: readonly (readonly (readonly Point[])[])[] = [
  [arc(0, 0, 0.6, 0.9, 0, 1)],
  [
    [
      [-0.35, -0.5],
      [0.1, -0.9],
      [0.1, 0.9],
    ],
  ],
  [[...arc(0, -0.4, 0.55, 0.5, -0.5, 0.1), [-0.6, 0.9], [0.65, 0.9]]],
  [arc(-0.05, -0.45, 0.5, 0.45, -0.45, 0.25), arc(-0.05, 0.45, 0.6, 0.45, -0.25, 0.45)],
  [
    [
      [0.35, 0.9],
      [0.35, -0.9],
      [-0.65, 0.35],
      [0.7, 0.35],
    ],
  ],
  [[[0.55, -0.9], [-0.4, -0.9], [-0.45, -0.1], ...arc(-0.05, 0.35, 0.6, 0.5, -0.37, 0.42)]],
  [[[0.35, -0.9], [-0.3, -0.3], ...arc(0, 0.4, 0.52, 0.5, -0.5, 0.5)]],
  [
    [
      [-0.6, -0.9],
      [0.6, -0.9],
      [-0.15, 0.9],
    ],
  ],
  [arc(0, -0.45, 0.45, 0.42, 0, 1), arc(0, 0.45, 0.57, 0.45, 0, 1)],
  [[...arc(0, -0.4, 0.5, 0.5, 0, 1), [0.4, 0.9]]],
];

/** Seeded random numbers from 0 to 1 (mulberry32). */
function uniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

function distanceToSegment([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1);
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

/** The pixels of a digit, row by row. */
export function drawDigit(digit: number, seed: number): Float32Array {
  const next = uniform(seed);
  const between = (low: number, high: number): number => low + (high - low) * next();
  const turn = between(-0.25, 0.25);
  const slant = between(-0.25, 0.25);
  const [width, height] = [between(7, 10), between(8.5, 11)];
  const [left, top] = [side / 2 - 0.5 + between(-2, 2), side / 2 - 0.5 + between(-2, 2)];
  const thickness = between(0.8, 1.7);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const placed = strokes[digit]!.map(stroke =>
    stroke.map(([x, y]): Point => {
      const [px, py] = [(x - slant * y) * width, y * height];
      return [left + cos * px - sin * py, top + sin * px + cos * py];
    }),
  );
  const image = new Float32Array(side * side);
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      let distance = Infinity;
      for (const stroke of placed)
        for (let i = 1; i < stroke.length; i++)
          distance = Math.min(distance, distanceToSegment([column, row], stroke[i - 1]!, stroke[i]!));
      const ink = Math.min(1, Math.max(0, thickness + 0.5 - distance));
      image[row * side + column] = Math.min(1, Math.max(0, ink + between(-0.05, 0.05)));
    }
  }
  return image;
}

/** `count` digits, cycling through the classes, generated on access; other seeds give other digits. */
export function digits(count: number, seed: number): Dataset<Example> {
  return { length: count, get: i => [drawDigit(i % 10, seed * 1_000_003 + i), i % 10] };
}

/** The image as text, for printing. */
export function asText(image: ArrayLike<number>): string {
  const shade = (value: number): string => ' .:*#'[Math.min(4, Math.floor(value * 5))]!;
  return Array.from({ length: side }, (_, row) =>
    Array.from({ length: side }, (_, column) => shade(image[row * side + column]!)).join(''),
  ).join('\n');
}
