// An error as AWS names it. Clients decide on the code whether to retry, wait or give up, so codes and messages are AWS's own;
// each protocol writes it in its own form.

export class AwsError extends Error {
  /** Such as `ValidationException`. */
  readonly code: string;
  /** HTTP status. */
  readonly status: number;
  /** Further members of the answer. */
  readonly details: Readonly<Record<string, string | number>>;

  constructor(code: string, message: string, status = 400, details: Readonly<Record<string, string | number>> = {}) {
    super(message);
    this.name = `AwsError [${code}]`;
    this.code = code;
    this.status = status;
    this.details = details;
  }
}
