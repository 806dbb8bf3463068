// The query protocol of STS: parameters as a form, responses as XML.
// https://smithy.io/2.0/aws/protocols/aws-query-protocol.html
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsService } from '../aws-request.ts';
import type { SignatureFailure } from '../signature/signature-error.ts';
import { writeXml, type XmlElements } from '../xml.ts';

/** The parameters of a form, in which `+` is a space. */
export const formOf = (body: Uint8Array): ReadonlyMap<string, string> =>
  new Map(new URLSearchParams(Buffer.from(body).toString()));

export function queryReply(action: string, namespace: string, result: XmlElements, requestId: string): AwsReply {
  return {
    status: 200,
    headers: { 'content-type': 'text/xml' },
    body: writeXml({
      [`${action}Response`]: {
        '@xmlns': namespace,
        [`${action}Result`]: result,
        ResponseMetadata: { RequestId: requestId },
      },
    }),
  };
}

export const queryErrorReply: AwsService['errorReply'] = ({ code, message, status }, requestId) => ({
  status,
  headers: { 'content-type': 'text/xml' },
  body: writeXml({
    ErrorResponse: {
      Error: { Type: status < 500 ? 'Sender' : 'Receiver', Code: code, Message: message },
      RequestId: requestId,
    },
  }),
});

const signatureErrors: Readonly<Record<SignatureFailure, string>> = {
  missing: 'MissingAuthenticationToken',
  incomplete: 'IncompleteSignature',
  'unknown-key': 'InvalidClientTokenId',
  mismatch: 'SignatureDoesNotMatch',
  skewed: 'SignatureDoesNotMatch',
  expired: 'SignatureDoesNotMatch',
  replayed: 'SignatureDoesNotMatch',
  body: 'SignatureDoesNotMatch',
};

export const querySignatureError: AwsService['signatureError'] = ({ failure, message }) =>
  new AwsError(signatureErrors[failure], message, 403);
