// The examples of the specification, with their published signatures, and requests that a verifier must reject.
import { describe, expect, test } from 'vitest';
import type { AccessKey } from './access-keys.ts';
import { decodeChunked } from './aws-chunked.ts';
import { statedPayload } from './payload.ts';
import type { RequestHead } from './request-head.ts';
import { SignatureError, type SignatureFailure } from './signature-error.ts';
import { readAuthorization, sha256, type VerifiedRequest, verifySignature } from './signature-v4.ts';

const s3Key: AccessKey = {
  id: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  role: 'admin',
};
const iamKey: AccessKey = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', role: 'admin' };
const keys = new Map([s3Key, iamKey].map(key => [key.id, key]));
const may2013 = Date.UTC(2013, 4, 24);
const EMPTY = sha256('');

function verify(head: RequestHead, nowMs = may2013): VerifiedRequest {
  const authorization = readAuthorization(head)!;
  const { signedAs } = statedPayload(head, authorization);
  return verifySignature(head, authorization, signedAs ?? EMPTY, id => keys.get(id), nowMs);
}

interface Example {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly host?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signature: string;
}

function signed({
  method,
  path,
  query = '',
  host = 'examplebucket.s3.amazonaws.com',
  headers,
  signature,
}: Example): RequestHead {
  const all: [string, string][] = [['host', host], ...Object.entries(headers)];
  const names = all.map(([name]) => name).sort();
  const authorization = `AWS4-HMAC-SHA256 Credential=${s3Key.id}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names.join(';')},Signature=${signature}`;
  return { method, path, query, headers: [...all, ['authorization', authorization]] };
}

const examples: readonly Example[] = [
  {
    name: 'a range of an object',
    method: 'GET',
    path: '/test.txt',
    headers: { range: 'bytes=0-9', 'x-amz-content-sha256': EMPTY, 'x-amz-date': '20130524T000000Z' },
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    name: 'an object whose key is escaped',
    method: 'PUT',
    path: '/test%24file.text',
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      'x-amz-date': '20130524T000000Z',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    name: 'a sub-resource without a value',
    method: 'GET',
    path: '/',
    query: 'lifecycle',
    headers: { 'x-amz-content-sha256': EMPTY, 'x-amz-date': '20130524T000000Z' },
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    name: 'a listing',
    method: 'GET',
    path: '/',
    query: 'max-keys=2&prefix=J',
    headers: { 'x-amz-content-sha256': EMPTY, 'x-amz-date': '20130524T000000Z' },
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
];

const presigned: RequestHead = {
  method: 'GET',
  path: '/test.txt',
  query:
    'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  headers: [['host', 'examplebucket.s3.amazonaws.com']],
};

describe('signature version 4', () => {
  test.each(examples)('S3: $name', example => {
    expect(verify(signed(example)).key).toBe(s3Key);
  });

  test('S3: a presigned URL', () => {
    expect(verify(presigned).key).toBe(s3Key);
  });

  test('IAM: a query outside S3', () => {
    const head: RequestHead = {
      method: 'GET',
      path: '/',
      query: 'Action=ListUsers&Version=2010-05-08',
      headers: [
        ['content-type', 'application/x-www-form-urlencoded; charset=utf-8'],
        ['host', 'iam.amazonaws.com'],
        ['x-amz-date', '20150830T123600Z'],
        [
          'authorization',
          'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
        ],
      ],
    };
    expect(verify(head, Date.UTC(2015, 7, 30, 12, 36)).key).toBe(iamKey);
  });
});

const [range] = examples;
const failure = (run: () => unknown): SignatureFailure | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof SignatureError) return error.failure;
    throw error;
  }
};

describe('refused', () => {
  const head = signed(range!);
  test.each<[string, RequestHead, SignatureFailure]>([
    ['another method', { ...head, method: 'DELETE' }, 'mismatch'],
    ['another path', { ...head, path: '/other.txt' }, 'mismatch'],
    ['another query', { ...head, query: 'acl' }, 'mismatch'],
    [
      'another host',
      { ...head, headers: head.headers.map(([n, v]) => [n, n === 'host' ? 'evil.example' : v]) },
      'mismatch',
    ],
    [
      'an x-amz- header that is not signed',
      { ...head, headers: [...head.headers, ['x-amz-acl', 'public']] },
      'incomplete',
    ],
    ['a payload that does not exist', withHeader(head, 'x-amz-content-sha256', 'NOTHING'), 'incomplete'],
    [
      'a key that is unknown',
      withAuthorization(head, text => text.replace('AKIAIOSFODNN7EXAMPLE', 'AKIA')),
      'unknown-key',
    ],
    ['no signature in it', withAuthorization(head, text => text.replace(/,Signature=.*/, '')), 'incomplete'],
    ['a scope that is too short', withAuthorization(head, text => text.replace('/s3/', '/')), 'incomplete'],
    ['another day in the scope', withAuthorization(head, text => text.replace('20130524', '20130525')), 'incomplete'],
    ['a host that is not signed', withAuthorization(head, text => text.replace('host;', '')), 'incomplete'],
    ['a short signature', withAuthorization(head, text => text.slice(0, -1)), 'mismatch'],
    ['a URL that is valid for longer than a week', withQuery('86400', '604801'), 'incomplete'],
    ['a URL with a later end', withQuery('86400', '86401'), 'mismatch'],
  ])('%s', (_, changed, expected) => {
    expect(failure(() => verify(changed))).toBe(expected);
  });

  test('a clock that is more than 15 minutes off, and an expired URL', () => {
    const minute = 60_000;
    expect(failure(() => verify(head, may2013 + 14 * minute))).toBe(undefined);
    expect(failure(() => verify(head, may2013 + 16 * minute))).toBe('skewed');
    expect(failure(() => verify(head, may2013 - 16 * minute))).toBe('skewed');
    expect(failure(() => verify(presigned, may2013 + 86_399_000))).toBe(undefined);
    expect(failure(() => verify(presigned, may2013 + 86_401_000))).toBe('expired');
    expect(failure(() => verify(presigned, may2013 - 16 * minute))).toBe('skewed');
  });

  test('reading a request without a signature does not throw', () => {
    expect(readAuthorization({ ...head, headers: [['host', 'x']] })).toBe(undefined);
  });
});

const withHeader = (head: RequestHead, name: string, value: string): RequestHead => ({
  ...head,
  headers: head.headers.map(([n, v]) => [n, n === name ? value : v]),
});
const withAuthorization = (head: RequestHead, change: (text: string) => string): RequestHead => ({
  ...head,
  headers: head.headers.map(([n, v]) => [n, n === 'authorization' ? change(v) : v]),
});
const withQuery = (from: string, to: string): RequestHead => ({
  ...presigned,
  query: presigned.query.replace(from, to),
});

describe('aws-chunked bodies', () => {
  const unsignedHeaders = {
    'content-encoding': 'aws-chunked',
    'x-amz-date': '20130524T000000Z',
    'x-amz-decoded-content-length': '66560',
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
  };
  const request = verifiedUpload({
    name: '',
    method: 'PUT',
    host: 's3.amazonaws.com',
    path: '/examplebucket/chunkObject.txt',
    headers: {
      ...unsignedHeaders,
      'content-length': '66824',
      'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    },
    signature: '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
  });
  const withTrailers = verifiedUpload({
    name: '',
    method: 'PUT',
    host: 's3.amazonaws.com',
    path: '/examplebucket/chunkObject.txt',
    headers: {
      ...unsignedHeaders,
      'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
      'x-amz-trailer': 'x-amz-checksum-crc32c',
    },
    signature: '106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e',
  });
  const signatures = [
    'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
    '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
    'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
  ];
  const trailerSignatures = [
    'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2',
    '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7',
    '2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992',
  ];
  const trailer =
    'x-amz-checksum-crc32c:sOO8/Q==\r\nx-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n';

  test.each([1, 7, 100_000])('signed chunks, in pieces of %i bytes', async size => {
    const { body } = await decodeAll(pieces(chunked(signatures), size), { signer: request, trailers: false });
    expect(sha256(body)).toBe(sha256('a'.repeat(66_560)));
  });

  test('signed chunks and trailers', async () => {
    const text = chunked(trailerSignatures).replace(/\r\n$/, '') + trailer;
    const { body, trailers } = await decodeAll(pieces(text, 5000), { signer: withTrailers, trailers: true });
    expect(body.length).toBe(66_560);
    expect([...trailers]).toEqual([['x-amz-checksum-crc32c', 'sOO8/Q==']]);
  });

  test('unsigned chunks and trailers', async () => {
    const { body, trailers } = await decodeAll(
      pieces('5\r\nhello\r\n3\r\nabc\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n', 3),
      {
        signer: undefined,
        trailers: true,
      },
    );
    expect(Buffer.from(body).toString()).toBe('helloabc');
    expect(trailers.get('x-amz-checksum-crc32')).toBe('AAAAAA==');
  });

  test.each<[string, string, SignatureFailure]>([
    ['a changed byte', chunked(signatures).replace('aaa', 'aba'), 'mismatch'],
    ['chunks in another order', chunked([signatures[1]!, signatures[0]!, signatures[2]!]), 'mismatch'],
    ['a chunk without a signature', chunked(signatures).replace(/;chunk-signature=\w+/, ''), 'mismatch'],
    ['the end missing', chunked(signatures).slice(0, 66_000), 'incomplete'],
    ['a size that is not a number', `x${chunked(signatures)}`, 'incomplete'],
    ['a chunk of 4 GiB', `ffffffff${chunked(signatures).slice(5)}`, 'incomplete'],
    ['a line without end', 'a'.repeat(100_000), 'incomplete'],
  ])('reject %s', async (_, text, expected) => {
    const error: unknown = await decodeAll(pieces(text, 5000), { signer: request, trailers: false }).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(SignatureError);
    expect((error as SignatureError).failure).toBe(expected);
  });

  function verifiedUpload(example: Example): VerifiedRequest {
    return verify(signed(example));
  }

  function chunked([first, second, last]: readonly string[]): string {
    return (
      `10000;chunk-signature=${first}\r\n${'a'.repeat(65_536)}\r\n` +
      `400;chunk-signature=${second}\r\n${'a'.repeat(1024)}\r\n` +
      `0;chunk-signature=${last}\r\n\r\n`
    );
  }
});

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function decodeAll(
  source: AsyncIterable<Uint8Array>,
  options: Parameters<typeof decodeChunked>[1],
): Promise<{ readonly body: Uint8Array; readonly trailers: ReadonlyMap<string, string> }> {
  const { bytes, trailers } = decodeChunked(source, options);
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return { body: Buffer.concat(parts), trailers };
}
