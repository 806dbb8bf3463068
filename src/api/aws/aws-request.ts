// An authenticated request and its response, as passed to services: without sockets and signatures.
import type { Attempt } from './attempt.ts';
import type { AwsError } from './aws-error.ts';
import type { PostForm } from './post-form.ts';
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
  /** The client's claims about the body, which the reader of the body verifies. */
  readonly payload: Payload;
  /** The decoded body. Reading it sends `100 Continue` to a client that waits for it. */
  readonly body: RequestBody;
  /** The fields and the file of a form whose policy is signed, instead of the request; its body has begun to be read. */
  readonly form?: PostForm;
  /** Trailers of the body; complete once the body has been read. */
  readonly trailers: ReadonlyMap<string, string>;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /** Notes of the services for the audit log. */
  readonly note: RequestNote;
}

export interface RequestNote {
  /** Undefined until known. */
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
  /** The maximum size of a body that is read as a whole; undefined if bodies are streamed. */
  readonly maxBodyBytes: number | undefined;
  /**
   * Answers a request.
   * @throws {AwsError}
   */
  handle(request: AwsRequest): Promise<AwsReply>;
  /** This service's error for an invalid signature. */
  signatureError(error: SignatureError): AwsError;
  /** Formats an error in this service's protocol. */
  errorReply(error: AwsError, requestId: string): AwsReply;
}
