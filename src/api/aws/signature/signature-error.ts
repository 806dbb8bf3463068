// Why the signature of a request is rejected. Each protocol reports it in its own format (`protocols/`, `s3/`).

export type SignatureFailure =
  /** No signature at all. */
  | 'missing'
  /** A signature with missing or malformed parts. */
  | 'incomplete'
  | 'unknown-key'
  | 'mismatch'
  /** The clocks differ too much, or the request is old. */
  | 'skewed'
  /** An expired presigned URL. */
  | 'expired'
  /** A replayed request. */
  | 'replayed'
  /** The body differs from the signed one. */
  | 'body';

export class SignatureError extends Error {
  readonly failure: SignatureFailure;

  constructor(failure: SignatureFailure, message: string) {
    super(message);
    this.name = 'SignatureError';
    this.failure = failure;
  }
}
