// Reads HTTP/1.1 answers from the bytes of a connection: a head, then a body of a stated length, in chunks, or up to the end of
// the connection. Programs are not trusted: anything that is not HTTP is an error, and the size of the head is limited.
// https://www.rfc-editor.org/rfc/rfc9112
//
// node:http is not used because its client takes longer than all other handling of a request in the server.

export interface AnswerHead {
  readonly status: number;
  /** Names in lower case; repeated ones are joined with commas. */
  readonly headers: AnswerHeaders;
}

export type AnswerHeaders = Readonly<Record<string, string | undefined>>;

export interface AnswerEvents {
  onHead(head: AnswerHead): void;
  onBody(bytes: Buffer): void;
  /** `isReusable`: the connection stays open for another request. */
  onEnd(isReusable: boolean): void;
}

/** The bytes are not an HTTP answer. */
export class NotHttpError extends Error {}

const MAX_HEAD_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 1024;
const START = 'HTTP/1.';
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: .*)?$/;
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n]*$/;
const EMPTY = Buffer.alloc(0);

type State =
  | { readonly kind: 'head' }
  | { readonly kind: 'length'; left: number }
  | { readonly kind: 'chunk size' }
  | { readonly kind: 'chunk'; left: number }
  | { readonly kind: 'chunk end' }
  | { readonly kind: 'trailers' }
  | { readonly kind: 'until close' }
  /** After an answer, before the next request. */
  | { readonly kind: 'done' };

export class AnswerParser {
  readonly #events: AnswerEvents;
  #state: State = { kind: 'done' };
  #rest: Buffer = EMPTY;
  #isReusable = false;

  constructor(events: AnswerEvents) {
    this.#events = events;
  }

  /** A request is sent: an answer comes next. */
  expect(): void {
    this.#state = { kind: 'head' };
    this.#rest = EMPTY;
  }

  /** @throws {NotHttpError} */
  push(bytes: Buffer): void {
    let data = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = EMPTY;
    while (data.length > 0) {
      const left = this.#step(data);
      if (left === undefined) {
        this.#rest = data;
        return;
      }
      data = left;
    }
  }

  /** Called at the end of the connection. Returns whether the answer is complete. */
  close(): boolean {
    if (this.#state.kind === 'until close') this.#end(false);
    return this.#state.kind === 'done';
  }

  /** The remaining bytes after one part of the answer; undefined: more bytes are needed. */
  #step(data: Buffer): Buffer | undefined {
    const state = this.#state;
    switch (state.kind) {
      case 'head':
        return this.#head(data);
      case 'length':
      case 'chunk': {
        const bytes = data.length > state.left ? data.subarray(0, state.left) : data;
        state.left -= bytes.length;
        this.#events.onBody(bytes);
        if (state.left === 0) {
          if (state.kind === 'length') this.#end(this.#isReusable && data.length === bytes.length);
          else this.#state = { kind: 'chunk end' };
        }
        return data.subarray(bytes.length);
      }
      case 'chunk size':
        return this.#line(data, line => {
          const size = /^([0-9A-Fa-f]{1,8})[ \t]*(?:;.*)?$/.exec(line)?.[1];
          if (size === undefined) throw new NotHttpError('a chunk without a size');
          const left = Number.parseInt(size, 16);
          this.#state = left === 0 ? { kind: 'trailers' } : { kind: 'chunk', left };
        });
      case 'chunk end':
        return this.#line(data, line => {
          if (line !== '') throw new NotHttpError('bytes after a chunk');
          this.#state = { kind: 'chunk size' };
        });
      case 'trailers':
        return this.#line(data, line => {
          if (line === '') this.#end(this.#isReusable);
        });
      case 'until close':
        this.#events.onBody(data);
        return EMPTY;
      case 'done':
        throw new NotHttpError('bytes without a request');
    }
  }

  #line(data: Buffer, use: (line: string) => void): Buffer | undefined {
    const end = data.indexOf(10);
    if (end > MAX_LINE_BYTES || (end < 0 && data.length > MAX_LINE_BYTES))
      throw new NotHttpError('a line that is too long');
    if (end < 0) return undefined;
    use(data.toString('latin1', 0, data[end - 1] === 13 ? end - 1 : end));
    return data.subarray(end + 1);
  }

  #head(data: Buffer): Buffer | undefined {
    const end = data.indexOf('\r\n\r\n');
    if (end > MAX_HEAD_BYTES || (end < 0 && data.length > MAX_HEAD_BYTES))
      throw new NotHttpError(`a head of more than ${MAX_HEAD_BYTES} bytes`);
    if (end < 0) {
      // Data other than HTTP may never have such an end.
      if (!START.startsWith(data.toString('latin1', 0, START.length)))
        throw new NotHttpError('it does not begin with HTTP/1.');
      return undefined;
    }
    const [first, ...lines] = data.toString('latin1', 0, end).split('\r\n');
    const match = STATUS_LINE.exec(first!);
    if (match === null) throw new NotHttpError('it does not begin with a status line');
    const status = Number(match[2]);
    const rest = data.subarray(end + 4);
    if (status === 101) throw new NotHttpError('it changes the protocol');
    // For example 100 Continue: the final answer follows.
    if (status < 200) return rest;
    const headers = headersOf(lines);
    const connection = headers.connection?.toLowerCase() ?? '';
    this.#isReusable = match[1] === '1' ? !connection.includes('close') : connection.includes('keep-alive');
    this.#state = bodyOf(status, headers);
    this.#events.onHead({ status, headers });
    if (this.#state.kind === 'length' && this.#state.left === 0) this.#end(this.#isReusable && rest.length === 0);
    return rest;
  }

  #end(isReusable: boolean): void {
    this.#state = { kind: 'done' };
    this.#events.onEnd(isReusable);
  }
}

function headersOf(lines: readonly string[]): AnswerHeaders {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    if (!HEADER.test(line)) throw new NotHttpError('a malformed header');
    const at = line.indexOf(':');
    const name = line.slice(0, at).toLowerCase();
    const value = line.slice(at + 1).trim();
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}

function bodyOf(status: number, headers: AnswerHeaders): State {
  if (status === 204 || status === 304) return { kind: 'length', left: 0 };
  const coding = headers['transfer-encoding'];
  const length = headers['content-length'];
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked') throw new NotHttpError(`the transfer coding ${coding}`);
    // Contradictory lengths are an attack (request smuggling) or a mistake.
    if (length !== undefined) throw new NotHttpError('a length and chunks');
    return { kind: 'chunk size' };
  }
  if (length === undefined) return { kind: 'until close' };
  if (!/^\d{1,15}$/.test(length)) throw new NotHttpError(`the length ${length}`);
  return { kind: 'length', left: Number(length) };
}
