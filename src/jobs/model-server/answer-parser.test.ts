import { describe, expect, test } from 'vitest';
import { AnswerParser, NotHttpError } from './answer-parser.ts';

/** The events of a parser for an answer that arrives in pieces of this size. */
function parse(text: string, piece: number, isClosed = false) {
  const seen: { status?: number; headers?: object; body: string; end?: boolean; isWhole?: boolean } = { body: '' };
  const parser = new AnswerParser({
    onHead: ({ status, headers }) => Object.assign(seen, { status, headers: { ...headers } }),
    onBody: bytes => {
      seen.body += bytes.toString('latin1');
    },
    onEnd: isReusable => {
      seen.end = isReusable;
    },
  });
  parser.expect();
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += piece) parser.push(bytes.subarray(at, at + piece));
  if (isClosed) seen.isWhole = parser.close();
  return seen;
}

const pieces = [1, 2, 3, 7, 1000];

describe.each(pieces)('answers in pieces of %i bytes', piece => {
  test('with a content length', () => {
    expect(parse('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A:  b \r\nx-a: c\r\n\r\nhello', piece)).toEqual({
      status: 200,
      headers: { 'content-length': '5', 'x-a': 'b, c' },
      body: 'hello',
      end: true,
    });
  });

  test('in chunks, with extensions and trailers', () => {
    const text =
      'HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nx-sum: 1\r\n\r\n';
    expect(parse(text, piece)).toMatchObject({ body: 'hello', end: true });
  });

  test('up to the end of the connection', () => {
    const text = 'HTTP/1.0 200 OK\r\n\r\nhello';
    expect(parse(text, piece, true)).toMatchObject({ body: 'hello', end: false, isWhole: true });
  });

  test('after 100 Continue, without a body, and closing', () => {
    expect(
      parse('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n', piece),
    ).toMatchObject({ status: 204, body: '', end: false });
  });

  test('that are truncated', () => {
    expect(parse('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello', piece, true).isWhole).toBe(false);
    expect(parse('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n', piece, true).isWhole).toBe(
      false,
    );
    expect(parse('HTTP/1.1 200', piece, true).isWhole).toBe(false);
  });

  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a status that does not exist', 'HTTP/1.1 999 What\r\n\r\n'],
    ['another protocol after 101', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['a header without a colon', 'HTTP/1.1 200 OK\r\nno colon\r\n\r\n'],
    ['a folded header', 'HTTP/1.1 200 OK\r\na: b\r\n folded\r\n\r\n'],
    ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
    ['another transfer coding', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n'],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nno size\r\n'],
    ['bytes after a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n'],
    ['bytes after the answer', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nabc'],
    ['a head that is too large', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`],
  ])('%s', (_name, text) => {
    expect(() => parse(text, piece)).toThrow(NotHttpError);
  });
});
