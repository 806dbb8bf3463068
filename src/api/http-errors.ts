// Errors over HTTP: a status, and JSON with the code, the problem and the fix.
//
//   {"error": {"code": "MALFORMED_JSON", "message": "the body is not JSON: …", "fix": "send JSON in UTF-8, such as …"}}
import type { ErrorCode } from '../base/error-catalog.ts';
import { isTrenioError } from '../base/errors.ts';
import type { WholeReply } from './endpoint-routes.ts';

/** The statuses of client errors. Every other error is internal: 500. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  MALFORMED_JSON: 400,
  REQUEST_INVALID: 400,
  REQUEST_NOT_HTTP: 400,
  CONSOLE_REQUEST_INVALID: 400,
  CONSOLE_COMMAND_REFUSED: 403,
  SIGN_IN_REFUSED: 401,
  NOT_SIGNED_IN: 401,
  ROLE_NOT_ALLOWED: 403,
  ACCESS_KEY_NOT_FOUND: 404,
  LAST_ADMIN_KEY: 409,
  ACCESS_KEYS_LOCKED: 409,
  JOB_NOT_FOUND: 404,
  HOST_NOT_ALLOWED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  PATH_NOT_FOUND: 404,
  UNKNOWN_CLUSTER: 404,
  SLURM_FAILED: 503,
  ENDPOINT_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TOO_SLOW: 408,
  REQUEST_TOO_LARGE: 413,
  CONTENT_TYPE_UNSUPPORTED: 415,
  ENDPOINT_NOT_READY: 503,
  DISK_FULL: 507,
  ENDPOINT_OVERLOADED: 503,
};

export interface WireError extends WholeReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly error: { readonly code: string; readonly message: string; readonly fix?: string } };
}

export function toWireError(error: unknown): WireError {
  const status = isTrenioError(error) ? (STATUS[error.code] ?? 500) : 500;
  if (!isTrenioError(error) || status === 500) {
    // Internal errors go to the server's log, not to the client.
    return {
      kind: 'whole',
      status: 500,
      headers: {},
      body: { error: { code: 'INTERNAL_ERROR', message: 'the model failed; see the log of the server' } },
    };
  }
  const headers: Record<string, string> = {};
  if (status === 503)
    headers['retry-after'] = isTrenioError(error, 'ENDPOINT_OVERLOADED') ? `${error.data.retryAfterSeconds}` : '1';
  if (isTrenioError(error, 'METHOD_NOT_ALLOWED')) headers.allow = error.data.allowed.join(', ');
  // The text of a TrenioError ends with its fix, which is a separate field here.
  const message = error.message.split('\n  fix: ')[0]!;
  return { kind: 'whole', status, headers, body: { error: { code: error.code, message, fix: error.fix } } };
}
