// Reads a whole body within a size limit, and compares it with the signed hash. Larger bodies are streamed, only by S3.
import type { AwsRequest } from './aws-request.ts';
import { type RequestBody, tooLarge } from './request-body.ts';
import { SignatureError } from './signature/signature-error.ts';
import { sha256 } from './signature/signature-v4.ts';

/**
 * @throws {AwsError} RequestEntityTooLarge
 * @throws {SignatureError} `body` if the hash is not the signed one
 */
export async function readBody(
  { body, payload }: Pick<AwsRequest, 'body' | 'payload'>,
  maxBytes: number,
): Promise<Buffer> {
  const whole = await (body.whole?.(maxBytes) ?? collected(body, maxBytes));
  if (payload.kind === 'hash' && sha256(whole) !== payload.sha256)
    throw new SignatureError('body', "The provided 'x-amz-content-sha256' header does not match what was computed.");
  return whole;
}

async function collected(body: RequestBody, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
