// An error in AWS's terms. Clients decide by the code whether to retry, wait or give up, so codes and messages are AWS's own.
// Each protocol writes them in its own format.

export class AwsError extends Error {
  /** AWS's name of the error, such as `ValidationException`. */
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;
  /** Further members of the response. */
  readonly details: Readonly<Record<string, string | number>>;

  constructor(code: string, message: string, status = 400, details: Readonly<Record<string, string | number>> = {}) {
    super(message);
    this.name = `AwsError [${code}]`;
    this.code = code;
    this.status = status;
    this.details = details;
  }
}
