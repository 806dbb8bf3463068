// Calls operations of the server's own service, and others by their paths, signed like a client's requests.

import type { AccessKey } from '../signature/access-keys.ts';
import { canonicalRequest, hmac, sha256, signingKeyOf, textToSign } from '../signature/signature-v4.ts';

/** The answer's JSON. @throws {Error} `Code: message` */
export function callTrenio(url: string, key: AccessKey, operation: string, input: object): Promise<unknown> {
  return callSigned(url, key, {
    service: 'trenio',
    method: 'POST',
    path: '/',
    headers: [['x-amz-target', `Trenio.${operation}`]],
    body: JSON.stringify(input),
  });
}

export interface SignedCall {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  /** Additional signed headers; they must come after the usual ones in alphabetical order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** The answer's JSON. @throws {Error} `Code: message` */
export async function callSigned(url: string, key: AccessKey, call: SignedCall): Promise<unknown> {
  const { service, method, path, body } = call;
  const date = `${new Date().toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
  const region = 'us-east-1';
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
  const headers = [
    ['content-type', 'application/x-amz-json-1.1'],
    ['host', new URL(url).host],
    ['x-amz-date', date],
    ...call.headers,
  ] as const;
  const signedHeaders = headers.map(([name]) => name);
  const canonical = canonicalRequest(
    { method, path, query: '', headers },
    { kind: 'header', service, signedHeaders },
    sha256(body),
  );
  const signature = hmac(signingKeyOf(key.secret, { scope, region, service }), textToSign(date, scope, canonical));
  const response = await fetch(`${url}${path}`, {
    method,
    body,
    headers: {
      ...Object.fromEntries(headers.filter(([name]) => name !== 'host')),
      authorization: `AWS4-HMAC-SHA256 Credential=${key.id}/${scope}, SignedHeaders=${signedHeaders.join(';')}, Signature=${signature.toString('hex')}`,
    },
  });
  const text = await response.text();
  const answer = (text === '' ? {} : JSON.parse(text)) as { readonly __type?: string; readonly message?: string };
  if (!response.ok) throw new Error(`${answer.__type}: ${answer.message}`);
  return answer;
}
