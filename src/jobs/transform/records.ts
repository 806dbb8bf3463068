// Splits an object into request bodies: the whole object, or as many lines as fit.

/** A record that cannot be sent; the client has to fix it. */
export class RecordError extends Error {}

export interface RecordOptions {
  readonly split: 'line' | 'none';
  readonly isMultiRecord: boolean;
  /** The maximum size of a body. */
  readonly maxBytes: number;
}

const NEWLINE = 0x0a;

/**
 * Lines keep their newlines; empty ones are left out.
 * @throws {RecordError} for a record that is larger than a body may be
 */
export async function* requestBodies(
  bytes: AsyncIterable<Uint8Array>,
  { split, isMultiRecord, maxBytes }: RecordOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const check = (size: number): void => {
    if (size > maxBytes)
      throw new RecordError(`A record has more than ${maxBytes} bytes, which is the MaxPayloadInMB.`);
  };
  const parts: Uint8Array[] = [];
  let size = 0;
  if (split === 'none') {
    for await (const chunk of bytes) {
      size += chunk.length;
      check(size);
      parts.push(chunk);
    }
    yield Buffer.concat(parts);
    return;
  }
  let body: Buffer[] = [];
  let bodySize = 0;
  const take = (): Buffer => {
    const whole = Buffer.concat(body);
    body = [];
    bodySize = 0;
    return whole;
  };
  for await (const line of lines(bytes, check)) {
    if (bodySize > 0 && (!isMultiRecord || bodySize + line.length > maxBytes)) yield take();
    body.push(line);
    bodySize += line.length;
  }
  if (bodySize > 0) yield take();
}

async function* lines(
  bytes: AsyncIterable<Uint8Array>,
  check: (size: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer[] = [];
  let restSize = 0;
  for await (const chunk of bytes) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = 0;
    for (let end = buffer.indexOf(NEWLINE); end >= 0; end = buffer.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([...rest, buffer.subarray(start, end + 1)]);
      check(line.length);
      rest = [];
      restSize = 0;
      start = end + 1;
      if (line.toString('latin1').trim() !== '') yield line;
    }
    if (start < buffer.length) {
      rest.push(buffer.subarray(start));
      restSize += buffer.length - start;
      check(restSize);
    }
  }
  const last = Buffer.concat(rest);
  if (last.toString('latin1').trim() !== '') yield last;
}
