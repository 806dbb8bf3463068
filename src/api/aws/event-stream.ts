// Messages of AWS's event streams, which carry the parts of a streamed response, or the events of a session.
//
//   length u32 │ length of headers u32 │ CRC of both │ headers │ payload │ CRC of all before it
//
// https://smithy.io/2.0/aws/amazon-eventstream.html
import { crc32 } from 'node:zlib';

const TEXT = 7;

/** One message; the values of its headers are strings. */
function eventMessage(headers: Readonly<Record<string, string>>, payload: Uint8Array): Buffer {
  const encoded = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const [nameBytes, valueBytes] = [Buffer.from(name), Buffer.from(value)];
      const head = Buffer.alloc(1 + nameBytes.length + 3);
      head.writeUInt8(nameBytes.length, 0);
      nameBytes.copy(head, 1);
      head.writeUInt8(TEXT, 1 + nameBytes.length);
      head.writeUInt16BE(valueBytes.length, 2 + nameBytes.length);
      return Buffer.concat([head, valueBytes]);
    }),
  );
  const length = 12 + encoded.length + payload.length + 4;
  const message = Buffer.alloc(length);
  message.writeUInt32BE(length, 0);
  message.writeUInt32BE(encoded.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  encoded.copy(message, 12);
  message.set(payload, 12 + encoded.length);
  message.writeUInt32BE(crc32(message.subarray(0, length - 4)), length - 4);
  return message;
}

/** A part of the response. */
export const payloadPart = (bytes: Uint8Array): Buffer =>
  eventMessage(
    { ':message-type': 'event', ':event-type': 'PayloadPart', ':content-type': 'application/octet-stream' },
    bytes,
  );

/** An event of an operation with the JSON protocol; `initial-response` comes first. */
export const jsonEvent = (type: string, body: object): Buffer =>
  eventMessage(
    { ':message-type': 'event', ':event-type': type, ':content-type': 'application/json' },
    Buffer.from(JSON.stringify(body)),
  );

/** The end of a stream that failed. */
export const streamException = (code: string, body: object): Buffer =>
  eventMessage(
    { ':message-type': 'exception', ':exception-type': code, ':content-type': 'application/json' },
    Buffer.from(JSON.stringify(body)),
  );
