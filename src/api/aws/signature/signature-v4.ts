// Verifies requests that are signed by AWS Signature Version 4, in the Authorization header or in the query (presigned URLs).
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
//
//   canonical request = method, path, query, signed headers, hash of the body
//   text to sign      = algorithm, time, scope (date/region/service/aws4_request), hash of the canonical request
//   signature         = HMAC(key derived from secret and scope, text to sign)
//
// The hash of the body is taken from the client here. It is verified when the body is read (payload.ts).
import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { AccessKey, FindAccessKey } from './access-keys.ts';
import { encode, header, queryParameters, type RequestHead } from './request-head.ts';
import { SignatureError } from './signature-error.ts';

export const ALGORITHM = 'AWS4-HMAC-SHA256';
/** The maximum difference between the client's clock and ours. */
export const MAX_SKEW_MS = 15 * 60 * 1000;
const MAX_PRESIGNED_SECONDS = 7 * 24 * 3600;

/** The signature that a request carries, read but not verified. */
export interface Authorization {
  readonly kind: 'header' | 'presigned';
  readonly accessKeyId: string;
  /** Such as `20260101/us-east-1/s3/aws4_request`. */
  readonly scope: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  /** 64 hexadecimal digits. */
  readonly signature: string;
  /** Such as `20260101T000000Z`. */
  readonly date: string;
  readonly timeMs: number;
  /** Seconds that a presigned URL is valid; undefined for a header. */
  readonly expiresSeconds: number | undefined;
}

/** A verified request: its key, and what the signatures of its chunks build on. */
export interface VerifiedRequest {
  readonly key: AccessKey;
  readonly authorization: Authorization;
  /** The HMAC key of the scope, which also signs chunks. */
  readonly signingKey: KeyObject;
}

/**
 * The signature of a request; undefined if it carries none of version 4.
 * @throws {SignatureError} `incomplete` if parts of it are missing or malformed
 */
export function readAuthorization(head: RequestHead): Authorization | undefined {
  const authorization = header(head, 'authorization');
  if (authorization?.startsWith(ALGORITHM)) return fromHeader(head, authorization);
  if (/(?:^|&)X-Amz-Algorithm=/i.test(head.query)) return fromQuery(head.query);
  return undefined;
}

function fromHeader(head: RequestHead, text: string): Authorization {
  const date = header(head, 'x-amz-date') ?? isoBasic(header(head, 'date'));
  // All known clients write it in this form.
  const match = /^AWS4-HMAC-SHA256 Credential=([^, ]+), ?SignedHeaders=([^, ]+), ?Signature=([^, ]+)$/.exec(text);
  if (match !== null) {
    const [, credential, signedHeaders, signature] = match;
    return authorizationOf('header', { credential, signedHeaders, signature, date, expires: undefined });
  }
  const fields = new Map(
    text
      .slice(ALGORITHM.length)
      .split(',')
      .map(part => {
        const at = part.indexOf('=');
        return [part.slice(0, at).trim(), part.slice(at + 1).trim()] as const;
      }),
  );
  return authorizationOf('header', {
    credential: fields.get('Credential'),
    signedHeaders: fields.get('SignedHeaders'),
    signature: fields.get('Signature'),
    date,
    expires: undefined,
  });
}

function fromQuery(query: string): Authorization {
  const fields = new Map(queryParameters(query));
  if (fields.get('X-Amz-Algorithm') !== ALGORITHM)
    throw new SignatureError('incomplete', `X-Amz-Algorithm only supports "${ALGORITHM}"`);
  const expires = fields.get('X-Amz-Expires');
  if (expires === undefined || !/^\d{1,7}$/.test(expires) || Number(expires) > MAX_PRESIGNED_SECONDS)
    throw new SignatureError('incomplete', 'X-Amz-Expires must be a number of seconds, at most a week (604800)');
  return authorizationOf('presigned', {
    credential: fields.get('X-Amz-Credential'),
    signedHeaders: fields.get('X-Amz-SignedHeaders'),
    signature: fields.get('X-Amz-Signature'),
    date: fields.get('X-Amz-Date'),
    expires: Number(expires),
  });
}

interface AuthorizationFields {
  readonly credential: string | undefined;
  readonly signedHeaders: string | undefined;
  readonly signature: string | undefined;
  readonly date: string | undefined;
  readonly expires: number | undefined;
}

function authorizationOf(kind: Authorization['kind'], fields: AuthorizationFields): Authorization {
  const { credential, signedHeaders, signature, date, expires } = fields;
  const missing = [
    credential === undefined && 'Credential',
    signedHeaders === undefined && 'SignedHeaders',
    signature === undefined && 'Signature',
    date === undefined && 'X-Amz-Date',
  ].filter(name => name !== false);
  if (credential === undefined || signedHeaders === undefined || signature === undefined || date === undefined)
    throw new SignatureError('incomplete', `The signature is incomplete; missing: ${missing.join(', ')}`);
  const scope = readScope(credential);
  const timeMs = parseDate(date);
  if (timeMs === undefined)
    throw new SignatureError('incomplete', `X-Amz-Date must have the form YYYYMMDDTHHMMSSZ, got '${date}'`);
  if (scope.day !== date.slice(0, 8))
    throw new SignatureError(
      'incomplete',
      `The date of the credential, '${scope.day}', is not that of X-Amz-Date, '${date}'`,
    );
  return {
    kind,
    accessKeyId: scope.accessKeyId,
    scope: scope.scope,
    region: scope.region,
    service: scope.service,
    signedHeaders: signedHeaders.toLowerCase().split(';'),
    signature,
    date,
    timeMs,
    expiresSeconds: expires,
  };
}

/** The parts of a credential. @throws {SignatureError} `incomplete` */
export function readScope(
  credential: string,
): Pick<Authorization, 'accessKeyId' | 'scope' | 'region' | 'service'> & { readonly day: string } {
  const parts = credential.split('/');
  const [day, region, service, terminator] = parts.slice(-4);
  if (parts.length < 5 || terminator !== 'aws4_request' || !region || !service)
    throw new SignatureError(
      'incomplete',
      'Credential must have the form <access key id>/<YYYYMMDD>/<region>/<service>/aws4_request',
    );
  const scope = parts.slice(-4).join('/');
  return { accessKeyId: parts.slice(0, -4).join('/'), scope, region, service, day: day! };
}

/**
 * Verifies the signature of a request, and its time.
 * @param bodyHash what the client signed as the body: `payload.ts`
 * @throws {SignatureError}
 */
export function verifySignature(
  head: RequestHead,
  authorization: Authorization,
  bodyHash: string,
  findKey: FindAccessKey,
  nowMs: number,
): VerifiedRequest {
  checkTime(authorization, nowMs);
  const key = findKey(authorization.accessKeyId);
  if (key === undefined)
    throw new SignatureError('unknown-key', 'The AWS Access Key Id you provided does not exist in our records.');
  checkSignedHeaders(head, authorization);
  const signingKey = signingKeyOf(key.secret, authorization);
  const text = textToSign(authorization.date, authorization.scope, canonicalRequest(head, authorization, bodyHash));
  if (!sameSignature(hmac(signingKey, text).toString('hex'), authorization.signature))
    throw new SignatureError(
      'mismatch',
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.',
    );
  return { key, authorization, signingKey };
}

function checkTime({ kind, timeMs, expiresSeconds }: Authorization, nowMs: number): void {
  if (kind === 'presigned' && nowMs > timeMs + (expiresSeconds ?? 0) * 1000)
    throw new SignatureError('expired', 'Request has expired');
  // A presigned URL may have been signed long ago, but not in the future.
  const skew = kind === 'presigned' ? timeMs - nowMs : Math.abs(timeMs - nowMs);
  if (skew > MAX_SKEW_MS)
    throw new SignatureError('skewed', 'The difference between the request time and the current time is too large.');
}

/** `host` must be signed, and each `x-amz-` header that was sent: an unsigned one could have been added on the way. */
function checkSignedHeaders(head: RequestHead, { signedHeaders }: Authorization): void {
  if (!signedHeaders.includes('host')) throw new SignatureError('incomplete', "'Host' must be a signed header.");
  const unsigned = head.headers.find(([name]) => name.startsWith('x-amz-') && !signedHeaders.includes(name));
  if (unsigned !== undefined)
    throw new SignatureError(
      'incomplete',
      `There were headers present in the request which were not signed: ${unsigned[0]}`,
    );
}

export const canonicalRequest = (
  head: RequestHead,
  { kind, service, signedHeaders }: Pick<Authorization, 'kind' | 'service' | 'signedHeaders'>,
  bodyHash: string,
): string =>
  [
    head.method,
    canonicalPath(head.path, service),
    canonicalQuery(head.query, kind === 'presigned'),
    ...signedHeaders.map(name => `${name}:${canonicalHeader(head, name)}`),
    '',
    signedHeaders.join(';'),
    bodyHash,
  ].join('\n');

/** S3 signs the path as sent; all others normalize it and escape it once more. */
function canonicalPath(path: string, service: string): string {
  if (service === 's3') return path === '' ? '/' : path;
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(encode(segment));
  }
  const slash = segments.length > 0 && path.endsWith('/') ? '/' : '';
  return `/${segments.join('/')}${slash}`;
}

function canonicalQuery(query: string, presigned: boolean): string {
  if (query === '') return '';
  return queryParameters(query)
    .filter(([name]) => !(presigned && name === 'X-Amz-Signature'))
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function canonicalHeader(head: RequestHead, name: string): string {
  let values: string | undefined;
  for (const [key, value] of head.headers) {
    if (key !== name) continue;
    const text = value.includes('  ') ? value.trim().replace(/ +/g, ' ') : value.trim();
    values = values === undefined ? text : `${values},${text}`;
  }
  return values ?? '';
}

export const textToSign = (date: string, scope: string, canonical: string): string =>
  [ALGORITHM, date, scope, sha256(canonical)].join('\n');

/**
 * The signing key of a secret for one day, region and service. Recently used keys are cached: clients use one for a whole day.
 */
export function signingKeyOf(
  secret: string,
  { scope, region, service }: Pick<Authorization, 'scope' | 'region' | 'service'>,
): KeyObject {
  const name = `${scope}\n${secret}`;
  const known = signingKeys.get(name);
  if (known !== undefined) return known;
  const day = hmac(`AWS4${secret}`, scope.slice(0, scope.indexOf('/')));
  const key = createSecretKey(hmac(hmac(hmac(day, region), service), 'aws4_request'));
  if (signingKeys.size >= MAX_SIGNING_KEYS) signingKeys.clear();
  signingKeys.set(name, key);
  return key;
}

// Scopes come from clients, so the number of cached keys is limited.
const MAX_SIGNING_KEYS = 256;
const signingKeys = new Map<string, KeyObject>();

/** A KeyObject is eight times as fast: for other keys, Node creates one in each call. */
export const hmac = (key: string | Buffer | KeyObject, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

export const sha256 = (data: string | Uint8Array): string => hash('sha256', data);

/** Compares signatures, in constant time if the length is right. */
export function sameSignature(expected: string, got: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(got)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Milliseconds since 1970 of a date such as `20260101T000000Z`; undefined if it is invalid. */
function parseDate(text: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number);
  const time = Date.UTC(year!, month! - 1, day, hour, minute, second);
  return Number.isNaN(time) ? undefined : time;
}

/** An HTTP date in the form of X-Amz-Date; text in another form is returned unchanged. */
function isoBasic(date: string | undefined): string | undefined {
  if (date === undefined || parseDate(date) !== undefined) return date;
  const time = Date.parse(date);
  return Number.isNaN(time) ? date : `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}
