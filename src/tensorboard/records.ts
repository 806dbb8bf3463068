// TFRecord framing: the length of the data, a checksum of the length, the data, a checksum of the data.
// https://www.tensorflow.org/tutorials/load_data/tfrecord#tfrecords_format_details
import { crc32c } from './crc32c.ts';

/** Checksums are masked (rotated), because the CRC of data that contains CRCs would be problematic. */
const masked = (crc: number): number => (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;

/** A record of these bytes. */
export function record(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(16 + data.byteLength);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(data.byteLength), true);
  view.setUint32(8, masked(crc32c(bytes.subarray(0, 8))), true);
  bytes.set(data, 12);
  view.setUint32(12 + data.byteLength, masked(crc32c(data)), true);
  return bytes;
}
