// The body format aws-chunked: chunks, each optionally signed, then trailers.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
//
//   size-in-hex[;chunk-signature=…]\r\n bytes \r\n   …   0[;chunk-signature=…]\r\n name:value\r\n … \r\n
//
// Each signature covers the one before it, so that chunks cannot be reordered; the first continues from the request's.
import { createHash, type Hash } from 'node:crypto';
import { SignatureError } from './signature-error.ts';
import { hmac, sameSignature, sha256, type VerifiedRequest } from './signature-v4.ts';

const EMPTY = sha256('');
// Longer lines are not chunk headers; clients send chunks of 64 KiB to a few MiB.
const MAX_LINE_BYTES = 16 * 1024;
const MAX_CHUNK_BYTES = 1024 ** 3;

export interface ChunkedOptions {
  /** Undefined: the chunks are not signed. */
  readonly signer: VerifiedRequest | undefined;
  readonly trailers: boolean;
}

/** A decoded body: a stream of bytes, and then the trailers. */
export interface ChunkedBody {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Names in lower case. Complete when `bytes` has ended. */
  readonly trailers: ReadonlyMap<string, string>;
}

/**
 * Decodes a body. Reading `bytes` throws `incomplete` if the format is invalid or ends early, and `mismatch` if a signature is
 * wrong; the bytes read so far must then be discarded.
 */
export function decodeChunked(body: AsyncIterable<Uint8Array>, options: ChunkedOptions): ChunkedBody {
  const trailers = new Map<string, string>();
  return { bytes: decode(body, options, trailers), trailers };
}

async function* decode(
  body: AsyncIterable<Uint8Array>,
  { signer, trailers: hasTrailers }: ChunkedOptions,
  trailers: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const input = new LineReader(body);
  let previous = signer?.authorization.signature ?? '';
  for (;;) {
    const { size, signature } = chunkHeader(await input.line());
    const hash: Hash | undefined = signer && createHash('sha256');
    for (let left = size; left > 0; ) {
      const bytes = await input.some(left);
      hash?.update(bytes);
      left -= bytes.length;
      yield bytes;
    }
    if (signer && hash) {
      const expected = chunkSignature(signer, 'PAYLOAD', previous, `${EMPTY}\n${hash.digest('hex')}`);
      checkSignature(expected, signature);
      previous = expected;
    }
    if (size === 0) break;
    if ((await input.line()) !== '') throw broken('bytes after a chunk');
  }
  const signature = await readTrailers(input, trailers);
  if (hasTrailers && signer) {
    const text = [...trailers].map(([name, value]) => `${name}:${value}\n`).join('');
    checkSignature(chunkSignature(signer, 'TRAILER', previous, sha256(text)), signature);
  }
}

/** Reads `name:value` lines up to the end; returns the signature of the trailers. Some clients send a blank line first. */
async function readTrailers(input: LineReader, trailers: Map<string, string>): Promise<string | undefined> {
  let signature: string | undefined;
  for (let blank = 0; blank < 2; ) {
    const line = await input.lineOrEnd();
    if (line === undefined) break;
    if (line === '') {
      blank++;
      continue;
    }
    const at = line.indexOf(':');
    if (at < 0) throw broken('a trailer without a colon');
    const [name, value] = [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()];
    if (name === 'x-amz-trailer-signature') signature = value;
    else trailers.set(name, value);
  }
  return signature;
}

function chunkHeader(line: string): { readonly size: number; readonly signature: string | undefined } {
  const match = /^([0-9a-fA-F]{1,8})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line);
  if (match === null) throw broken('a malformed chunk header');
  const size = Number.parseInt(match[1]!, 16);
  if (size > MAX_CHUNK_BYTES) throw broken('a chunk of more than 1 GiB');
  return { size, signature: match[2] };
}

const chunkSignature = (
  { authorization: { date, scope }, signingKey }: VerifiedRequest,
  kind: 'PAYLOAD' | 'TRAILER',
  previous: string,
  hashes: string,
): string => hmac(signingKey, [`AWS4-HMAC-SHA256-${kind}`, date, scope, previous, hashes].join('\n')).toString('hex');

function checkSignature(expected: string, got: string | undefined): void {
  if (got === undefined || !sameSignature(expected, got))
    throw new SignatureError('mismatch', 'The signature of a chunk does not match.');
}

const broken = (what: string): SignatureError =>
  new SignatureError('incomplete', `The body is not valid aws-chunked content: ${what}.`);

/** Reads lines and counted bytes from a stream of buffers. */
class LineReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #buffer: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** At most `limit` bytes, at least one. */
  async some(limit: number): Promise<Uint8Array> {
    if (this.#buffer.length === 0 && !(await this.#fill())) throw broken('it ends early');
    const bytes = this.#buffer.subarray(0, limit);
    this.#buffer = this.#buffer.subarray(bytes.length);
    return bytes;
  }

  /** A line without its end. */
  async line(): Promise<string> {
    const line = await this.lineOrEnd();
    if (line === undefined) throw broken('it ends early');
    return line;
  }

  /** A line without its end; undefined at the end of the body. */
  async lineOrEnd(): Promise<string | undefined> {
    let end = this.#buffer.indexOf(10);
    while (end < 0) {
      if (this.#buffer.length > MAX_LINE_BYTES) throw broken('a line that is too long');
      const rest = this.#buffer;
      if (!(await this.#fill(rest))) {
        if (rest.length > 0) throw broken('it ends early');
        return undefined;
      }
      end = this.#buffer.indexOf(10);
    }
    const line = Buffer.from(this.#buffer.subarray(0, end)).toString('latin1').replace(/\r$/, '');
    this.#buffer = this.#buffer.subarray(end + 1);
    return line;
  }

  /** Reads more bytes after `rest`; false at the end. */
  async #fill(rest: Uint8Array = new Uint8Array()): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done) return false;
    this.#buffer = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
    return this.#buffer.length > 0 || this.#fill(rest);
  }
}
