// Signs requests: the counterpart of api/aws/signature, with the same canonical form.
import { encode } from '../../api/aws/signature/request-head.ts';
import { ALGORITHM, canonicalRequest, hmac, signingKeyOf, textToSign } from '../../api/aws/signature/signature-v4.ts';
import type { Connection } from './connection.ts';

export interface UnsignedRequest {
  readonly method: string;
  /** Percent-encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, in hexadecimal digits. */
  readonly bodyHash: string;
}

export interface SignedRequest {
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** All headers are signed. */
export function sign(
  { method, path, query, headers, bodyHash }: UnsignedRequest,
  { endpoint, region, accessKeyId, secretAccessKey }: Connection,
  service: string,
  nowMs: number,
): SignedRequest {
  const date = `${new Date(nowMs).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
  const text = Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');
  const all: Readonly<Record<string, string>> = {
    ...headers,
    host: new URL(endpoint).host,
    'x-amz-date': date,
    'x-amz-content-sha256': bodyHash,
  };
  const signedHeaders = Object.keys(all).sort();
  const canonical = canonicalRequest(
    { method, path, query: text, headers: Object.entries(all) },
    { kind: 'header', service, signedHeaders },
    bodyHash,
  );
  const key = signingKeyOf(secretAccessKey, { scope, region, service });
  const signature = hmac(key, textToSign(date, scope, canonical)).toString('hex');
  return {
    target: text === '' ? path : `${path}?${text}`,
    headers: {
      ...all,
      authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${signedHeaders.join(';')}, Signature=${signature}`,
    },
  };
}
