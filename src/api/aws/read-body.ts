// A body as a whole, within a limit, compared with what was signed. Larger bodies are streamed, by S3 alone.
import { AwsError } from './aws-error.ts';
import type { AwsRequest } from './aws-request.ts';
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
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maxBytes)
      throw new AwsError('RequestEntityTooLargeException', `The request body is larger than ${maxBytes} bytes.`, 413);
    parts.push(part);
  }
  const whole = Buffer.concat(parts);
  if (payload.kind === 'hash' && sha256(whole) !== payload.sha256)
    throw new SignatureError('body', "The provided 'x-amz-content-sha256' header does not match what was computed.");
  return whole;
}
