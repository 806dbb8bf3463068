// Errors as OpenAI's clients expect them: {"error": {"message", "type", "param", "code"}} and a status. Errors of the engine and
// of the server become such errors here; others are internal, and are logged and not sent.
import type { ErrorCode } from '../../base/error-catalog.ts';
import { isTrenioError } from '../../base/errors.ts';

export interface OpenAiErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
}

export class OpenAiError extends Error {
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    status: number,
    message: string,
    details: {
      readonly param?: string | undefined;
      readonly code?: string | undefined;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.status = status;
    this.param = details.param ?? null;
    this.code = details.code ?? null;
    this.headers = details.headers ?? {};
  }

  get body(): OpenAiErrorBody {
    const { message, param, code, status } = this;
    return { error: { message, type: types[status] ?? (status < 500 ? types[400] : types[500]), param, code } };
  }
}

const types: Readonly<Record<number, string>> & { readonly 400: string; readonly 500: string } = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  500: 'server_error',
};

/** The status and code of errors of clients. */
const known: Partial<Record<ErrorCode, readonly [status: number, code: string | undefined]>> = {
  INVALID_OPTION: [400, 'invalid_value'],
  CONTEXT_TOO_LONG: [400, 'context_length_exceeded'],
  CHAT_TEMPLATE_FAILED: [400, 'chat_template_failed'],
  MALFORMED_JSON: [400, 'invalid_json'],
  REQUEST_NOT_HTTP: [400, undefined],
  HOST_NOT_ALLOWED: [403, 'host_not_allowed'],
  ORIGIN_NOT_ALLOWED: [403, 'origin_not_allowed'],
  REQUEST_TOO_SLOW: [408, undefined],
  REQUEST_TOO_LARGE: [413, 'request_too_large'],
  CONTENT_TYPE_UNSUPPORTED: [415, undefined],
  ENDPOINT_OVERLOADED: [429, 'overloaded'],
  ENDPOINT_NOT_READY: [503, 'unavailable'],
  GENERATION_STOPPED: [503, 'canceled'],
  GENERATION_FAILED: [500, 'generation_failed'],
};

/** @param params the member of the request for an option of the engine */
export function toOpenAiError(error: unknown, params: Readonly<Record<string, string>> = {}): OpenAiError {
  if (error instanceof OpenAiError) return error;
  const [usual, code] = isTrenioError(error) ? (known[error.code] ?? []) : [];
  // Clients try again after 503; not a request that was canceled.
  const isCanceled = isTrenioError(error, 'GENERATION_STOPPED') && !error.data.reason.includes('server');
  const status = isCanceled ? 499 : usual;
  if (!isTrenioError(error) || status === undefined)
    return new OpenAiError(500, 'internal error; see the log of the server', { cause: error });
  const [message] = error.message.split('\n  fix: ') as [string];
  const headers = isTrenioError(error, 'ENDPOINT_OVERLOADED')
    ? { 'retry-after': `${error.data.retryAfterSeconds}` }
    : isTrenioError(error, 'ENDPOINT_NOT_READY')
      ? { 'retry-after': '1' }
      : {};
  let param: string | undefined;
  if (isTrenioError(error, 'INVALID_OPTION')) param = params[error.data.option] ?? error.data.option;
  if (isTrenioError(error, 'CONTEXT_TOO_LONG')) param = params.prompt ?? 'prompt';
  return new OpenAiError(status, message, { param, code, headers, cause: error });
}
