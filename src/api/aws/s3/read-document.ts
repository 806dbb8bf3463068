// The XML document in the body of a request.
import { createHash } from 'node:crypto';
import { checksumAlgorithms, startChecksum } from '../../../objects/checksums.ts';
import { checkBytes, type ExpectedBytes } from '../../../objects/expected-bytes.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsRequest } from '../aws-request.ts';
import { readBody } from '../read-body.ts';
import { children, type ParsedXml, readXml } from '../xml.ts';
import { expectedBytes } from './s3-request.ts';

/** The root element; undefined for an empty body. @throws {AwsError} MalformedXML @throws {ObjectError} BadDigest */
export async function readDocument(
  request: AwsRequest,
  root: string,
  maxBytes: number,
  expected: ExpectedBytes = expectedBytes(request),
): Promise<ParsedXml | undefined> {
  const bytes = await readBody(request, maxBytes);
  const checksums = checksumAlgorithms.flatMap(algorithm => {
    if (expected.checksums?.has(algorithm) !== true) return [];
    const running = startChecksum(algorithm);
    running.update(bytes);
    return [[algorithm, running.digest()]];
  });
  const hash = (algorithm: 'md5' | 'sha256'): string => createHash(algorithm).update(bytes).digest('hex');
  checkBytes(
    { size: bytes.length, md5: hash('md5'), sha256: hash('sha256'), checksums: Object.fromEntries(checksums) },
    expected,
  );
  return bytes.length === 0 ? undefined : rootOf(bytes.toString(), root);
}

/** @throws {AwsError} MalformedXML */
export function rootOf(xml: string, name: string): ParsedXml {
  const [root] = children(readXml(xml), name);
  if (root === undefined) throw new AwsError('MalformedXML', `The document is not a ${name}.`);
  return root;
}
