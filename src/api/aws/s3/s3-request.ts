// A request in S3's terms: bucket, key, parameters and headers. Only path-style addresses
// (`/bucket/key`): names such as `bucket.127.0.0.1` do not resolve.
import { type ChecksumAlgorithm, checksumAlgorithms } from '../../../objects/checksums.ts';
import type { Conditions } from '../../../objects/conditions.ts';
import type { ExpectedBytes } from '../../../objects/expected-bytes.ts';
import type { ChecksumType, ObjectAttributes, ObjectRow } from '../../../objects/object-index.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsRequest } from '../aws-request.ts';
import { encode, header, queryParameters, type RequestHead } from '../signature/request-head.ts';

/** The region that S3 had first: its buckets have no location, and it has rules that are older than the others'. */
export const FIRST_REGION = 'us-east-1';

export interface S3Address {
  /** Empty: the service. */
  readonly bucket: string;
  /** Empty: the bucket. */
  readonly key: string;
}

/** @throws {AwsError} InvalidURI */
export function addressOf(path: string): S3Address {
  const rest = path.startsWith('/') ? path.slice(1) : path;
  const slash = rest.indexOf('/');
  try {
    return slash < 0
      ? { bucket: decodeURIComponent(rest), key: '' }
      : { bucket: decodeURIComponent(rest.slice(0, slash)), key: decodeURIComponent(rest.slice(slash + 1)) };
  } catch (error) {
    if (error instanceof URIError) throw new AwsError('InvalidURI', "Couldn't parse the specified URI.");
    throw error;
  }
}

/** Parameters of a presigned URL that belong to its signature. */
const signatureParameters =
  /^x-amz-(?:algorithm|content-sha256|credential|date|expires|security-token|signature|signedheaders)$/;
/** S3 ignores these in a URL: the SDK for JavaScript signs the checksum of an empty body for an upload whose body comes later. */
const ignoredParameters = /^x-amz-(?:sdk-)?checksum-/;

/** The head with the parameters of a presigned URL that stand for headers: SDKs move `x-amz-*` headers into the query. */
export function withMovedHeaders(head: RequestHead): RequestHead {
  const parameters = queryParameters(head.query).map(([name, value]) => [name.toLowerCase(), value] as const);
  if (!parameters.some(([name]) => name === 'x-amz-signature')) return head;
  const moved = parameters.filter(
    ([name]) =>
      name.startsWith('x-amz-') &&
      !signatureParameters.test(name) &&
      !ignoredParameters.test(name) &&
      header(head, name) === undefined,
  );
  return { ...head, headers: [...head.headers, ...moved] };
}

export const parametersOf = ({ query }: RequestHead): ReadonlyMap<string, string> => new Map(queryParameters(query));

const storedHeaders = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
  'x-amz-website-redirect-location',
] as const;

export function attributesOf(head: RequestHead): ObjectAttributes {
  const headers: Record<string, string> = {};
  for (const name of storedHeaders) {
    const value = header(head, name);
    if (value === undefined) continue;
    // aws-chunked is a transfer encoding, not a property of the object.
    const stored = name === 'content-encoding' ? withoutChunked(value) : value;
    if (stored !== '') headers[name] = stored;
  }
  const metadata: Record<string, string> = {};
  for (const [name] of head.headers)
    if (name.startsWith('x-amz-meta-')) metadata[name.slice('x-amz-meta-'.length)] = header(head, name) ?? '';
  // An empty type is none.
  const contentType = header(head, 'content-type') || undefined;
  const tags = header(head, 'x-amz-tagging');
  return { contentType, headers, metadata, ...(tags === undefined ? {} : { tags: tagsOf(tags) }) };
}

/** Tags in a header: the query of a URL. @throws {AwsError} InvalidArgument, InvalidTag */
function tagsOf(text: string): Readonly<Record<string, string>> {
  const pairs = [...new URLSearchParams(text)];
  if (text !== '' && pairs.some(([key]) => key === ''))
    throw new AwsError(
      'InvalidArgument',
      'The header x-amz-tagging shall be encoded as UTF-8 then URLEncoded URL query parameters without tag name duplicates.',
    );
  return uniqueTags(pairs);
}

/** @throws {AwsError} InvalidTag */
export function uniqueTags(pairs: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  if (new Set(pairs.map(([key]) => key)).size < pairs.length)
    throw new AwsError('InvalidTag', 'Cannot provide multiple Tags with the same key');
  return Object.fromEntries(pairs);
}

const withoutChunked = (encodings: string): string =>
  encodings
    .split(',')
    .map(one => one.trim())
    .filter(one => one !== 'aws-chunked' && one !== '')
    .join(', ');

export const conditionsOf = (head: RequestHead, prefix = ''): Conditions => ({
  ifMatch: header(head, `${prefix}if-match`),
  ifNoneMatch: header(head, `${prefix}if-none-match`),
  ifModifiedSinceMs: dateOf(header(head, `${prefix}if-modified-since`)),
  ifUnmodifiedSinceMs: dateOf(header(head, `${prefix}if-unmodified-since`)),
});

/** An invalid date is ignored, as HTTP requires. */
function dateOf(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** The information in the headers about the body. */
export function expectedBytes({ head, payload, trailers }: AwsRequest): ExpectedBytes {
  const length = header(head, 'x-amz-decoded-content-length');
  const announced = (header(head, 'x-amz-trailer') ?? '').split(',').map(name => name.trim().toLowerCase());
  const checksums = new Map<ChecksumAlgorithm, () => string | undefined>();
  for (const algorithm of checksumAlgorithms) {
    const name = `x-amz-checksum-${algorithm.toLowerCase()}`;
    const value = header(head, name);
    if (value !== undefined) checksums.set(algorithm, () => value);
    else if (announced.includes(name)) checksums.set(algorithm, () => trailers.get(name));
  }
  return {
    md5: header(head, 'content-md5'),
    sha256: payload.kind === 'hash' ? payload.sha256 : undefined,
    checksums,
    size: length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined,
  };
}

/** @throws {AwsError} InvalidRequest for an algorithm that does not exist */
export function checksumAlgorithmOf(head: RequestHead): ChecksumAlgorithm | undefined {
  const name = header(head, 'x-amz-sdk-checksum-algorithm') ?? header(head, 'x-amz-checksum-algorithm');
  if (name === undefined) return undefined;
  const algorithm = checksumAlgorithms.find(one => one === name.toUpperCase());
  if (algorithm === undefined)
    throw new AwsError(
      'InvalidRequest',
      `Checksum algorithm provided is unsupported. Please try again with any of the valid types: [${checksumAlgorithms.join(', ')}]`,
    );
  return algorithm;
}

/** How the checksum of an upload is made; undefined: the default. @throws {AwsError} InvalidRequest */
export function checksumTypeOf(head: RequestHead): ChecksumType | undefined {
  const type = header(head, 'x-amz-checksum-type')?.toUpperCase();
  if (type === undefined || type === 'COMPOSITE' || type === 'FULL_OBJECT') return type;
  throw new AwsError('InvalidRequest', 'Value for x-amz-checksum-type header is invalid.');
}

/** The checksums of the whole object in the headers. */
export const checksumsIn = (head: RequestHead): ObjectRow['checksums'] =>
  Object.fromEntries(
    checksumAlgorithms.flatMap(algorithm => {
      const value = header(head, `x-amz-checksum-${algorithm.toLowerCase()}`);
      return value === undefined ? [] : [[algorithm, value]];
    }),
  );

/** With `encoding-type=url`, keys are escaped, because XML cannot represent every character. @throws {AwsError} InvalidArgument */
export function keyEncoder(parameters: ReadonlyMap<string, string>): (text: string) => string {
  const type = parameters.get('encoding-type');
  if (type === undefined) return text => text;
  if (type === 'url') return text => text.split('/').map(encode).join('/');
  throw new AwsError('InvalidArgument', 'Invalid Encoding Method specified in Request');
}

/** Objects have one version, `null`, as in buckets without versioning. @throws {AwsError} InvalidArgument */
export function checkVersion(version: string | undefined): void {
  if (version !== undefined && version !== 'null')
    throw new AwsError('InvalidArgument', 'Invalid version id specified', 400, { ArgumentName: 'versionId' });
}

/** @throws {AwsError} InvalidArgument */
export function partNumberOf(parameters: ReadonlyMap<string, string>): number {
  const number = integerParameter(parameters, 'partNumber', 0, 2_147_483_647);
  if (number < 1 || number > 10_000)
    throw new AwsError('InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive');
  return number;
}

/** An integer in a range. @throws {AwsError} InvalidArgument */
export function integerParameter(
  parameters: ReadonlyMap<string, string>,
  name: string,
  fallback: number,
  max: number,
): number {
  const text = parameters.get(name);
  if (text === undefined || text === '') return fallback;
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2_147_483_647)
    throw new AwsError('InvalidArgument', `Provided ${name} not an integer or within integer range`);
  return Math.min(Number(text), max);
}
