// An error in AWS's terms. Clients use the code to decide whether to retry, wait or give up, so codes and messages are AWS's own;
// each protocol has its own format.

export class AwsError extends Error {
  /** Such as `ValidationException`. */
  readonly code: string;
  /** HTTP status. */
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
