// Why a request is not accepted as signed. Each protocol has its own words for it (`protocols/`, `s3/`).

export type SignatureFailure =
  /** No signature at all. */
  | 'missing'
  /** A signature that cannot be read: parts are missing or malformed. */
  | 'incomplete'
  | 'unknown-key'
  | 'mismatch'
  /** The clocks differ too much, or the request is old. */
  | 'skewed'
  /** A presigned URL after its time. */
  | 'expired'
  /** A request that was sent before, by someone who copied it. */
  | 'replayed'
  /** The body is not the one that was signed. */
  | 'body';

export class SignatureError extends Error {
  readonly failure: SignatureFailure;

  constructor(failure: SignatureFailure, message: string) {
    super(message);
    this.name = 'SignatureError';
    this.failure = failure;
  }
}
