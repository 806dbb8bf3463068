// Draws, used by backends to fill buffers: the record that native/draw.c reads, and the reference implementation.
import { dataTypeOf, drawKinds, drawLayout } from '../../compiler/index.ts';
import { bytesOf, literal } from '../../hlo/literal.ts';
import { elementCount, type TensorType } from '../../hlo/types.ts';
import { type Draw, drawNumbers } from '../../numerics/draw.ts';

/** The elements of a draw as bytes of the tensor's type. */
export const drawnBytes = (type: TensorType, draw: Draw): Uint8Array =>
  bytesOf(literal(type.elementType, type.shape, drawNumbers(draw, elementCount(type.shape))));

/** Element types supported by native/draw.c. */
const nativeTypes = new Set(['f32', 'bf16']);

/** `draw` of native/draw.c, or undefined for an unsupported element type. */
export function drawRecord({ elementType, shape }: TensorType, draw: Draw): Uint8Array | undefined {
  if (!nativeTypes.has(elementType)) return undefined;
  const at = drawLayout;
  const record = new DataView(new ArrayBuffer(at.bytes));
  const words = [draw.key, draw.key >> 32n, ...[0n, 32n, 64n, 96n].map(by => draw.counter >> by)];
  words.forEach((word, i) => {
    record.setUint32(at.key + 4 * i, Number(word & 0xffffffffn), true);
  });
  record.setBigInt64(at.count, BigInt(elementCount(shape)), true);
  record.setInt32(at.kind, drawKinds[draw.kind], true);
  record.setInt32(at.type, dataTypeOf(elementType)!, true);
  const numbers = draw.kind === 'uniform' ? [draw.low, draw.high, 0, 0] : [draw.mean, draw.std, draw.from, draw.to];
  numbers.forEach((number, i) => {
    record.setFloat64(at.a + 8 * i, number, true);
  });
  const [first, count] = draw.zeros ?? [0, 0];
  record.setBigInt64(at.zero_first, BigInt(first), true);
  record.setBigInt64(at.zero_count, BigInt(count), true);
  return new Uint8Array(record.buffer);
}
