// Draws as backends make buffers of them: the record that native/draw.c reads, and the elements by the reference.
import { bytesOf, literal } from '../../hlo/literal.ts';
import { elementCount, type TensorType } from '../../hlo/types.ts';
import { type Draw, drawNumbers } from '../../numerics/draw.ts';

/** The elements that a draw gives a tensor of this type, in the bytes of that type. */
export const drawnBytes = (type: TensorType, draw: Draw): Uint8Array =>
  bytesOf(literal(type.elementType, type.shape, drawNumbers(draw, elementCount(type.shape))));

const nativeTypes: Readonly<Partial<Record<TensorType['elementType'], number>>> = { f32: 0, bf16: 1 };

/** `draw` of native/draw.c, or undefined for an element type that it does not write. */
export function drawRecord({ elementType, shape }: TensorType, draw: Draw): Uint8Array | undefined {
  const type = nativeTypes[elementType];
  if (type === undefined) return undefined;
  const record = new DataView(new ArrayBuffer(88));
  const words = [draw.key, draw.key >> 32n, ...[0n, 32n, 64n, 96n].map(by => draw.counter >> by)];
  words.forEach((word, i) => {
    record.setUint32(4 * i, Number(word & 0xffffffffn), true);
  });
  record.setBigInt64(24, BigInt(elementCount(shape)), true);
  record.setInt32(32, draw.kind === 'uniform' ? 0 : 1, true);
  record.setInt32(36, type, true);
  const numbers = draw.kind === 'uniform' ? [draw.low, draw.high, 0, 0] : [draw.mean, draw.std, draw.from, draw.to];
  numbers.forEach((number, i) => {
    record.setFloat64(40 + 8 * i, number, true);
  });
  const [first, count] = draw.zeros ?? [0, 0];
  record.setBigInt64(72, BigInt(first), true);
  record.setBigInt64(80, BigInt(count), true);
  return new Uint8Array(record.buffer);
}
