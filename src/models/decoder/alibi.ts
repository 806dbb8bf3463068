// ALiBi (arXiv:2108.12409): scores get a bias that grows linearly with the position of the key, at a slope for each head. The
// softmax does not change if all keys of a query move by the same amount, so positions of keys do for distances.
import { bf16ToNumber, toBf16 } from '../../hlo/element-codec.ts';
import type { AlibiLayout } from './layout.ts';

/** The slope of each head: powers of two for a power of two of heads; for other numbers, every second one of twice as many. */
function slopes(heads: number): readonly number[] {
  const power = 2 ** Math.floor(Math.log2(heads));
  const slope = (of: number, i: number): number => Math.fround(2 ** ((-8 / of) * (i + 1)));
  return Array.from({ length: heads }, (_, i) => (i < power ? slope(power, i) : slope(2 * power, 2 * (i - power))));
}

/** The bias of each key, [heads, keys]. */
export function alibiBias({ scale, isRounded }: AlibiLayout, heads: number, keys: number): Float32Array {
  const data = new Float32Array(heads * keys);
  const rounded = (x: number): number => (isRounded ? bf16ToNumber(toBf16(x)) : x);
  for (const [head, slope] of slopes(heads).entries())
    for (let key = 0; key < keys; key++) data[head * keys + key] = rounded(rounded(slope) * key) * scale;
  return data;
}
