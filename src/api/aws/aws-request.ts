// A request whose sender is known, and its answer: what the services see. No sockets, no signatures.
import type { Attempt } from './attempt.ts';
import type { AwsError } from './aws-error.ts';
import type { RequestBody } from './request-body.ts';
import type { AccessKey } from './signature/access-keys.ts';
import type { Payload } from './signature/payload.ts';
import type { RequestHead } from './signature/request-head.ts';
import type { SignatureError } from './signature/signature-error.ts';

export interface AwsRequest {
  readonly head: RequestHead;
  readonly key: AccessKey;
  readonly region: string;
  readonly requestId: string;
  /** The sender's information about the body, which the reader of the body verifies. */
  readonly payload: Payload;
  /** The body, decoded. Reading it asks a client that waits for `100 Continue` to send it. */
  readonly body: RequestBody;
  /** Trailers of the body; complete once it has been read. */
  readonly trailers: ReadonlyMap<string, string>;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /** Notes of the services for the audit log. */
  readonly note: RequestNote;
}

export interface RequestNote {
  /** Undefined until it is known. */
  attempt?: Attempt;
  /** The subject of the request, such as the name of a job. */
  resource?: string | undefined;
}

export interface AwsReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
}

/** A service, by the name in the scope of signatures. */
export interface AwsService {
  /** The most that a body may have if it is read whole; undefined: bodies are streamed. */
  readonly maxBodyBytes: number | undefined;
  /**
   * Answers a request.
   * @throws {AwsError}
   */
  handle(request: AwsRequest): Promise<AwsReply>;
  /** How this service names a signature that is not accepted. */
  signatureError(error: SignatureError): AwsError;
  /** How this service's protocol writes an error. */
  errorReply(error: AwsError, requestId: string): AwsReply;
}
