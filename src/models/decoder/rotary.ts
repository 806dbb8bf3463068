// Rotary position embeddings: pairs of dims of each query and key are rotated by an angle that grows with the position, at
// frequencies that decrease with the dim. All kinds in transformers are supported; numbers are rounded to f32 as there.
import { TrenioError } from '../../base/errors.ts';
import { functional as F } from '../../nn/index.ts';
import { cat, stack, type Tensor, tensor } from '../../tensor/index.ts';
import type { RopeParameters } from './rope-parameters.ts';

const f32 = Math.fround;

/** The frequencies of the pairs of dims, and the factor of sines and cosines, for sequences of `length`. */
function rotaryFrequencies(
  rope: RopeParameters,
  length: number,
): { readonly frequencies: Float32Array; readonly scale: number } {
  const { dims } = rope;
  const powers = (theta: number): Float32Array =>
    Float32Array.from({ length: dims / 2 }, (_, i) => theta ** f32((2 * i) / dims));
  const plain = (theta = rope.theta): Float32Array => powers(theta).map(power => 1 / power);
  switch (rope.kind) {
    case 'default':
      return { frequencies: plain(), scale: 1 };
    case 'linear':
      return { frequencies: plain().map(frequency => frequency / needed(rope, 'factor')), scale: 1 };
    case 'dynamic': {
      // The base grows for sequences longer than in training.
      const factor = needed(rope, 'factor');
      const longest = Math.max(length, rope.maxPositions);
      const stretch = (factor * longest) / rope.maxPositions - (factor - 1);
      return { frequencies: plain(rope.theta * stretch ** (dims / (dims - 2))), scale: 1 };
    }
    case 'yarn':
      return yarn(rope, powers(rope.theta));
    case 'longrope': {
      const factors = needed(rope, length > rope.originalPositions ? 'long_factor' : 'short_factor');
      const factor = rope.factor ?? rope.maxPositions / rope.originalPositions;
      const scale = factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(rope.originalPositions));
      const frequencies = powers(rope.theta).map((power, i) => 1 / f32(f32(factors[i]!) * power));
      return { frequencies, scale: rope.attention_factor ?? scale };
    }
    case 'llama3': {
      const [factor, low, high] = [
        needed(rope, 'factor'),
        needed(rope, 'low_freq_factor'),
        needed(rope, 'high_freq_factor'),
      ];
      const old = rope.originalPositions;
      const frequencies = plain().map(frequency => {
        const wavelength = (2 * Math.PI) / frequency;
        if (wavelength < old / high) return frequency;
        if (wavelength > old / low) return frequency / factor;
        const smooth = (old / wavelength - low) / (high - low);
        return ((1 - smooth) * frequency) / factor + smooth * frequency;
      });
      return { frequencies, scale: 1 };
    }
  }
}

/** YaRN (arXiv:2309.00071): low frequencies are interpolated, high ones unchanged, those in between blended. */
function yarn(rope: RopeParameters, powers: Float32Array): { frequencies: Float32Array; scale: number } {
  const { dims, theta, originalPositions, mscale, mscale_all_dim: mscaleAll } = rope;
  const factor = rope.factor ?? rope.maxPositions / originalPositions;
  const magnitude = (weight = 1): number => (factor <= 1 ? 1 : 0.1 * weight * Math.log(factor) + 1);
  const scale = rope.attention_factor ?? (mscale && mscaleAll ? magnitude(mscale) / magnitude(mscaleAll) : magnitude());
  const dimOf = (rotations: number): number =>
    (dims * Math.log(originalPositions / (rotations * 2 * Math.PI))) / (2 * Math.log(theta));
  const [first, last] = [dimOf(rope.beta_fast || 32), dimOf(rope.beta_slow || 1)];
  const whole = rope.truncate ?? true;
  const low = Math.max(whole ? Math.floor(first) : first, 0);
  const high = Math.min(whole ? Math.ceil(last) : last, dims - 1);
  const width = high === low ? 0.001 : high - low;
  const frequencies = powers.map((power, i) => {
    const ramp = Math.min(1, Math.max(0, (i - low) / width));
    return (1 / (factor * power)) * ramp + (1 / power) * (1 - ramp);
  });
  return { frequencies, scale };
}

type Needed = 'factor' | 'low_freq_factor' | 'high_freq_factor' | 'long_factor' | 'short_factor';

function needed<K extends Needed>(rope: RopeParameters, name: K): NonNullable<RopeParameters[K]> {
  const value = rope[name];
  if (value !== undefined && value !== null) return value as NonNullable<RopeParameters[K]>;
  const problem = `rope_type ${rope.kind} needs it`;
  throw new TrenioError('MODEL_CONFIG_INVALID', { file: 'config.json', field: `rope_parameters.${name}`, problem });
}

/** @throws {MODEL_CONFIG_INVALID} if a parameter is missing, or lists have the wrong length */
export function checkRope(rope: RopeParameters, file: string): void {
  const fail = (field: string, problem: string): TrenioError =>
    new TrenioError('MODEL_CONFIG_INVALID', { file, field: `rope_parameters.${field}`, problem });
  if (rope.dims < 2 || rope.dims % 2 !== 0)
    throw fail('partial_rotary_factor', `it rotates ${rope.dims} dims of a head, not a positive even number`);
  for (const name of ['long_factor', 'short_factor'] as const) {
    const list = rope[name];
    if (list !== undefined && list.length !== rope.dims / 2)
      throw fail(name, `it has ${list.length} numbers, expected ${rope.dims / 2}, one for each pair of rotated dims`);
  }
  for (const length of [1, rope.originalPositions + 1]) rotaryFrequencies(rope, length);
}

/** The sines and cosines of the angles of positions 0 … T - 1, [T, dims / 2] each; or of each row's, [B, 1, T, dims / 2]. */
export interface RotaryTable {
  /** The cosines. */
  readonly cos: Tensor;
  /** The sines. */
  readonly sin: Tensor;
}

export class RotaryEmbedding {
  readonly #rope: RopeParameters;
  /** Cached by length. Scripts use few lengths, because each one compiles a separate program. */
  readonly #tables = new Map<number, RotaryTable>();
  constructor(rope: RopeParameters) {
    this.#rope = rope;
  }
  table(length: number): RotaryTable {
    const known = this.#tables.get(length);
    if (known !== undefined) return known;
    const positions = Int32Array.from({ length }, (_, t) => t);
    const [cos, sin] = this.rows(positions, length).map(data =>
      tensor(data, { shape: [length, data.length / length] }),
    ) as [Tensor, Tensor];
    const table = { cos, sin };
    this.#tables.set(length, table);
    return table;
  }
  /** The rows of a sequence of `length` tokens at these positions [B, T]; undefined: in their order. */
  tableAt(positions: Tensor | undefined, length: number): RotaryTable {
    const table = this.table(length);
    if (positions === undefined) return table;
    const at = (rows: Tensor): Tensor => F.embedding(positions, rows).unsqueeze(1); // [B, 1, T, dims / 2]
    return { cos: at(table.cos), sin: at(table.sin) };
  }
  /** The cosines and sines of positions in a sequence of `length` tokens, dims / 2 numbers for each position. */
  rows(positions: Int32Array, length: number): readonly [cos: Float32Array, sin: Float32Array] {
    const { frequencies, scale } = rotaryFrequencies(this.#rope, length);
    const pairs = frequencies.length;
    return [Math.cos, Math.sin].map(wave => {
      const data = new Float32Array(positions.length * pairs);
      positions.forEach((position, t) => {
        for (let i = 0; i < pairs; i++) data[t * pairs + i] = f32(wave(f32(position * frequencies[i]!))) * scale;
      });
      return data;
    }) as [Float32Array, Float32Array];
  }
}

/**
 * Rotates queries or keys [B, heads, T, E]; dims beyond the rotated ones are unchanged.
 * @param pairs the dims that are rotated together: the i-th of both halves, or neighbors
 */
export function rotate(x: Tensor, { cos, sin }: RotaryTable, pairs: 'halves' | 'neighbors' = 'halves'): Tensor {
  const count = cos.shape.at(-1)!;
  const size = x.shape[3]!;
  const [c, s] = [cos.to(x.dtype), sin.to(x.dtype)];
  const rest = size === 2 * count ? [] : [x.narrow(3, 2 * count, size - 2 * count)];
  if (pairs === 'neighbors') {
    const split = x.narrow(3, 0, 2 * count).reshape(...x.shape.slice(0, 3), count, 2);
    const [first, second] = [split.select(4, 0), split.select(4, 1)];
    const rotated = stack([first.mul(c).sub(second.mul(s)), second.mul(c).add(first.mul(s))], 4);
    const joined = rotated.reshape(...x.shape.slice(0, 3), 2 * count);
    return rest.length === 0 ? joined : cat([joined, ...rest], 3);
  }
  const [first, second] = [x.narrow(3, 0, count), x.narrow(3, count, count)];
  return cat([first.mul(c).sub(second.mul(s)), second.mul(c).add(first.mul(s)), ...rest], 3);
}
