// Errors of models, configurations and endpoints. Clients match these messages.
import { AwsError } from '../aws-error.ts';

type Kind = 'model' | 'endpoint configuration' | 'endpoint';

export const invalid = (message: string): AwsError => new AwsError('ValidationException', message);
export const alreadyThere = (kind: Kind, arn: string): AwsError =>
  invalid(`Cannot create already existing ${kind} "${arn}".`);
export const couldNotFind = (kind: Kind, arn: string): AwsError => invalid(`Could not find ${kind} "${arn}".`);
export const inProgress = (arn: string): AwsError => invalid(`Cannot update in-progress endpoint "${arn}".`);

/** The ARN of a resource of this server. */
export type ArnOf = (kind: string, name: string) => string;
export const arnOf =
  (region: string, account: string): ArnOf =>
  (kind, name) =>
    `arn:aws:sagemaker:${region}:${account}:${kind}/${name.toLowerCase()}`;

/** @throws {AwsError} ValidationException */
export function s3Location(uri: string, what: string): { readonly bucket: string; readonly key: string } {
  const match = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(uri);
  if (match === null) throw invalid(`${what} must be s3://bucket/key, got '${uri}'.`);
  return { bucket: match[1]!, key: match[2] ?? '' };
}

/** Like `s3Location`; a prefix ends with a slash. @throws {AwsError} ValidationException */
export function s3Folder(uri: string, what: string): { readonly bucket: string; readonly prefix: string } {
  const { bucket, key } = s3Location(uri, what);
  return { bucket, prefix: key === '' || key.endsWith('/') ? key : `${key}/` };
}
