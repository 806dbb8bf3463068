// The query protocol of EC2: flat parameters as a form (`Filter.1.Value.2=x`), responses as XML. Differs from STS's in the
// names of elements, in lists, and in errors. https://smithy.io/2.0/aws/protocols/aws-ec2-query-protocol.html
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsService } from '../aws-request.ts';
import type { SignatureFailure } from '../signature/signature-error.ts';
import { writeXml, type XmlContent, type XmlElements } from '../xml.ts';

export const EC2_VERSION = '2016-11-15';
const NAMESPACE = `http://ec2.amazonaws.com/doc/${EC2_VERSION}/`;
const headers = { 'content-type': 'text/xml;charset=UTF-8' };

export const ec2Reply = (action: string, result: XmlElements, requestId: string): AwsReply => ({
  status: 200,
  headers,
  body: writeXml({ [`${action}Response`]: { '@xmlns': NAMESPACE, requestId, ...result } }),
});

/** A list: its elements are named `item`. An empty list is an empty element. */
export const itemsOf = (items: readonly XmlContent[]): XmlContent => (items.length === 0 ? '' : { item: items });

export const isoTime = (ms: number): string => new Date(ms).toISOString();

export const ec2ErrorReply: AwsService['errorReply'] = ({ code, message, status }, requestId) => ({
  status,
  headers,
  body: writeXml({ Response: { Errors: { Error: { Code: code, Message: message } }, RequestID: requestId } }),
});

const NOT_VALID = 'AWS was not able to validate the provided access credentials';
const signatureErrors: Readonly<Record<SignatureFailure, readonly [code: string, status: number, message?: string]>> = {
  missing: ['MissingAuthenticationToken', 400, 'Request is missing Authentication Token'],
  incomplete: ['IncompleteSignature', 400],
  'unknown-key': ['AuthFailure', 401, NOT_VALID],
  mismatch: ['AuthFailure', 401, NOT_VALID],
  skewed: ['RequestExpired', 400],
  expired: ['RequestExpired', 400],
  replayed: ['AuthFailure', 401],
  body: ['AuthFailure', 401],
};

export const ec2SignatureError: AwsService['signatureError'] = ({ failure, message }) => {
  const [code, status, text = message] = signatureErrors[failure];
  return new AwsError(code, text, status);
};
