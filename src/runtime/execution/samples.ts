// Random samples that fill buffers: the record that native/samples.c reads, and the reference implementation.
import { dataTypeOf, sampleKinds, samplesLayout } from '../../compiler/index.ts';
import { bytesOf, literal } from '../../hlo/literal.ts';
import { elementCount, type TensorType } from '../../hlo/types.ts';
import { type Samples, sampleNumbers } from '../../numerics/samples.ts';

/** The samples as bytes of the tensor's type. */
export const sampledBytes = (type: TensorType, samples: Samples): Uint8Array =>
  bytesOf(literal(type.elementType, type.shape, sampleNumbers(samples, elementCount(type.shape))));

/** Element types supported by native/samples.c. */
const nativeTypes = new Set(['f32', 'bf16']);

/** The `samples` record of native/samples.c, or undefined for an unsupported element type. */
export function samplesRecord({ elementType, shape }: TensorType, samples: Samples): Uint8Array | undefined {
  if (!nativeTypes.has(elementType)) return undefined;
  const at = samplesLayout;
  const record = new DataView(new ArrayBuffer(at.bytes));
  const words = [samples.key, samples.key >> 32n, ...[0n, 32n, 64n, 96n].map(by => samples.counter >> by)];
  words.forEach((word, i) => {
    record.setUint32(at.key + 4 * i, Number(word & 0xffffffffn), true);
  });
  record.setBigInt64(at.count, BigInt(elementCount(shape)), true);
  record.setInt32(at.kind, sampleKinds[samples.kind], true);
  record.setInt32(at.type, dataTypeOf(elementType)!, true);
  const numbers =
    samples.kind === 'uniform'
      ? [samples.low, samples.high, 0, 0]
      : [samples.mean, samples.std, samples.from, samples.to];
  numbers.forEach((number, i) => {
    record.setFloat64(at.a + 8 * i, number, true);
  });
  const [first, count] = samples.zeros ?? [0, 0];
  record.setBigInt64(at.zero_first, BigInt(first), true);
  record.setBigInt64(at.zero_count, BigInt(count), true);
  return new Uint8Array(record.buffer);
}
