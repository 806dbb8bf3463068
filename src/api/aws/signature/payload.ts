// The header x-amz-content-sha256: the client's declaration about the body, which is part of the signed request.
import { header, type RequestHead } from './request-head.ts';
import { SignatureError } from './signature-error.ts';
import type { Authorization } from './signature-v4.ts';

export type Payload =
  /** The hash of the body, to be compared with what is received. */
  | { readonly kind: 'hash'; readonly sha256: string }
  /** Nothing declared: the hash of the body itself is signed. */
  | { readonly kind: 'implied' }
  | { readonly kind: 'unsigned' }
  /** aws-chunked: chunks, optionally signed, and optional trailers. */
  | { readonly kind: 'chunks'; readonly signed: boolean; readonly trailers: boolean };

export interface StatedPayload {
  readonly payload: Payload;
  /** The text that is signed in place of the body; undefined if the hash of the body itself is. */
  readonly signedAs: string | undefined;
}

/**
 * Returns the request's declaration about its body.
 * @throws {SignatureError} `incomplete` for an unknown declaration, or one that only S3 accepts
 */
export function statedPayload(head: RequestHead, { kind, service }: Authorization): StatedPayload {
  const stated = header(head, 'x-amz-content-sha256');
  if (stated === undefined)
    return kind === 'presigned' && service === 's3'
      ? { payload: { kind: 'unsigned' }, signedAs: 'UNSIGNED-PAYLOAD' }
      : { payload: { kind: 'implied' }, signedAs: undefined };
  if (/^[0-9a-f]{64}$/.test(stated)) return { payload: { kind: 'hash', sha256: stated }, signedAs: stated };
  const payload = service === 's3' ? s3Payloads.get(stated) : undefined;
  if (payload === undefined)
    throw new SignatureError(
      'incomplete',
      service === 's3'
        ? 'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER or a SHA-256 hash in hexadecimal'
        : `x-amz-content-sha256 must be a SHA-256 hash in hexadecimal for ${service}`,
    );
  return { payload, signedAs: stated };
}

const s3Payloads: ReadonlyMap<string, Payload> = new Map<string, Payload>([
  ['UNSIGNED-PAYLOAD', { kind: 'unsigned' }],
  ['STREAMING-UNSIGNED-PAYLOAD-TRAILER', { kind: 'chunks', signed: false, trailers: true }],
  ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD', { kind: 'chunks', signed: true, trailers: false }],
  ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER', { kind: 'chunks', signed: true, trailers: true }],
]);
