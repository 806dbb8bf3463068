// Tokens that continue a listing: opaque to clients, an offset or an id to us.
import { AwsError } from './aws-error.ts';

export const toPageToken = (position: number): string => Buffer.from(`p${position}`).toString('base64url');

/** @throws {AwsError} `code` for a token that this server did not create */
export function fromPageToken(token: string | undefined, code: string): number {
  if (token === undefined) return 0;
  const match = /^p(\d{1,15})$/.exec(Buffer.from(token, 'base64url').toString());
  if (match === null || toPageToken(Number(match[1])) !== token)
    throw new AwsError(code, 'Invalid NextToken: it is not one of this server.');
  return Number(match[1]);
}
