// The JSON 1.1 protocol of SageMaker and CloudWatch Logs: the operation in X-Amz-Target, members as a JSON object.
// https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsService } from '../aws-request.ts';
import type { SignatureFailure } from '../signature/signature-error.ts';

const headers = { 'content-type': 'application/x-amz-json-1.1' };

/** An operation without output has an empty body. */
export const jsonReply = (output: object | undefined): AwsReply => ({
  status: 200,
  headers,
  body: output === undefined ? '' : JSON.stringify(output),
});

/** Clients read the code from `__type`, and the message from `message`. */
export const jsonErrorReply: AwsService['errorReply'] = ({ code, message, status, details }) => ({
  status,
  headers: { ...headers, 'x-amzn-errortype': code },
  body: JSON.stringify({ __type: code, message, ...details }),
});

const signatureErrors: Readonly<Record<SignatureFailure, string>> = {
  missing: 'MissingAuthenticationTokenException',
  incomplete: 'IncompleteSignatureException',
  'unknown-key': 'UnrecognizedClientException',
  mismatch: 'InvalidSignatureException',
  skewed: 'InvalidSignatureException',
  expired: 'InvalidSignatureException',
  replayed: 'InvalidSignatureException',
  body: 'InvalidSignatureException',
};

export const jsonSignatureError: AwsService['signatureError'] = ({ failure, message }) =>
  new AwsError(signatureErrors[failure], message);
