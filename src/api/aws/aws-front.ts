// The entry point of all AWS services on one port: verifies the signature and passes the request to the service that it was
// signed for.
//
//   request ─ service of the scope ─ signature, time ─ replays ─ body (decoded) ─ service ─ reply
//
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isTrenioError } from '../../base/errors.ts';
import { latin1, ONE_WRITE_BYTES } from '../../base/one-write.ts';
import type { AuditLog } from '../access/audit-log.ts';
import { recordRequest } from '../access/audited.ts';
import type { KeyUse } from '../access/key-use.ts';
import { discardBody } from '../read-body.ts';
import { AwsError } from './aws-error.ts';
import type { AwsReply, AwsRequest, AwsService, RequestNote } from './aws-request.ts';
import { isPostForm, readPostForm } from './post-form.ts';
import { readBody } from './read-body.ts';
import type { ReplayGuard } from './replay-guard.ts';
import { bodyOfBytes, IncomingBody } from './request-body.ts';
import type { FindAccessKey } from './signature/access-keys.ts';
import { decodeChunked } from './signature/aws-chunked.ts';
import { statedPayload } from './signature/payload.ts';
import { isPresignedV2, verifyPresignedV2 } from './signature/presigned-v2.ts';
import { header, headOf, type RequestHead } from './signature/request-head.ts';
import { SignatureError } from './signature/signature-error.ts';
import {
  type Authorization,
  readAuthorization,
  sha256,
  type VerifiedRequest,
  verifySignature,
} from './signature/signature-v4.ts';
import { verifyPolicy } from './signature/signed-policy.ts';

/** The services, by the names in the scopes of signatures; SageMaker's runtime shares its name with SageMaker. */
export interface AwsServices {
  readonly s3: AwsService;
  readonly sts: AwsService;
  readonly sagemaker: AwsService;
  readonly logs: AwsService;
  /** Operations that AWS does not have. */
  readonly trenio: AwsService;
  readonly ec2: AwsService;
  readonly 'application-autoscaling': AwsService;
}

export interface AwsFrontOptions {
  readonly services: AwsServices;
  readonly findKey: FindAccessKey;
  readonly keyUse: KeyUse;
  readonly replays: ReplayGuard;
  readonly audit: AuditLog;
  readonly region: string;
  /** How long a body that is read as a whole may take to arrive. S3 bodies are streamed, without a time limit. */
  readonly bodyTimeoutMs: number;
  readonly now: () => number;
  /** Logs an internal error. */
  readonly log: (line: string) => void;
}

// How long the body of a rejected request is read and discarded, so that the client can read the error.
const LINGER_MS = 1000;
const MAX_DISCARDED_BYTES = 8 * 1024 * 1024;
/**
 * An HTML page in a bucket, opened with a presigned URL, would otherwise have the origin of the console, and so its session.
 */
const NO_ORIGIN = {
  'content-security-policy': 'sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads',
  'x-content-type-options': 'nosniff',
};
const NO_TRAILERS: ReadonlyMap<string, string> = new Map();

export class AwsFront {
  readonly #options: AwsFrontOptions;

  constructor(options: AwsFrontOptions) {
    this.#options = options;
  }

  /** Answers a request. Does not throw. `waits`: the client sends its body only after `100 Continue`. */
  async handle(request: IncomingMessage, response: ServerResponse, waits: boolean): Promise<void> {
    const requestId = randomUUID();
    const head = headOf(request);
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    // Errors of the socket while we write can be ignored; `pipeline` reports the relevant ones.
    response.on('error', () => {});
    const body = new IncomingBody(request, response, waits, this.#options.bodyTimeoutMs);
    let service = this.#guess(head);
    const note: RequestNote = {};
    let reply: AwsReply;
    let verified: AwsRequest | undefined;
    let authorization: Authorization | undefined;
    let code: string | undefined;
    try {
      authorization = readAuthorization(head);
      if (authorization !== undefined) service = this.#serviceOf(authorization);
      const common = { head, requestId, signal: gone.signal, note };
      verified = await this.#verify(common, authorization, service, body);
      this.#options.keyUse.note(verified.key.id);
      reply = await service.handle(verified);
    } catch (error) {
      const failure = this.#toAwsError(error, service, request, requestId);
      code = failure.code;
      reply = service.errorReply(failure, requestId);
    }
    const from = request.socket.remoteAddress ?? 'unknown';
    const claimedId = authorization?.accessKeyId;
    recordRequest(this.#options.audit, {
      key: verified?.key,
      claimedId,
      note,
      from,
      requestId,
      status: reply.status,
      code,
    });
    if (gone.signal.aborted) return;
    if (!body.isRead) await discardBody(request, MAX_DISCARDED_BYTES, LINGER_MS);
    await this.#send(request, response, reply, requestId);
  }

  /** The protocol of an error response before the signature is known. */
  #guess(head: RequestHead): AwsService {
    const { services } = this.#options;
    const type = header(head, 'content-type') ?? '';
    if (type.startsWith('application/x-amz-json')) return services.sagemaker;
    return type.startsWith('application/x-www-form-urlencoded') ? services.sts : services.s3;
  }

  #serviceOf({ service }: Authorization): AwsService {
    const { services } = this.#options;
    if (isServiceName(services, service)) return services[service];
    throw new AwsError('UnknownOperationException', `This server has no service '${service}'.`);
  }

  async #verify(
    common: Pick<AwsRequest, 'head' | 'requestId' | 'signal' | 'note'>,
    authorization: Authorization | undefined,
    service: AwsService,
    body: IncomingBody,
  ): Promise<AwsRequest> {
    const { findKey, now, region, replays, services } = this.#options;
    const { head } = common;
    if (authorization === undefined) {
      const unsigned = { ...common, region, payload: { kind: 'unsigned' }, body, trailers: NO_TRAILERS } as const;
      if (service === services.s3 && isPostForm(head)) {
        const form = await readPostForm(head, body, this.#options.bodyTimeoutMs);
        return { ...unsigned, key: verifyPolicy(form.fields, findKey), form };
      }
      if (service !== services.s3 || !isPresignedV2(head))
        throw new SignatureError('missing', 'The request has no signature: set an access key and a secret key.');
      return { ...unsigned, key: verifyPresignedV2(head, findKey, now()) };
    }
    const { payload, signedAs } = statedPayload(head, authorization);
    const checked = (hash: string): VerifiedRequest => {
      const verified = verifySignature(head, authorization, hash, findKey, now());
      replays.check(authorization, head.method, now());
      return verified;
    };
    if (signedAs === undefined) {
      if (service.maxBodyBytes === undefined)
        throw new AwsError('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
      // Unknown keys are rejected before the body is read.
      if (findKey(authorization.accessKeyId) === undefined) checked('');
      const whole = await readBody({ body, payload }, service.maxBodyBytes);
      const { key } = checked(sha256(whole));
      return { ...common, key, region: authorization.region, payload, body: bodyOfBytes(whole), trailers: NO_TRAILERS };
    }
    const verified = checked(signedAs);
    const signed = { ...common, key: verified.key, region: authorization.region, payload };
    if (payload.kind !== 'chunks') return { ...signed, body, trailers: NO_TRAILERS };
    const signer = payload.signed ? verified : undefined;
    const { bytes, trailers } = decodeChunked(body, { signer, trailers: payload.trailers });
    return { ...signed, body: bytes, trailers };
  }

  #toAwsError(error: unknown, service: AwsService, { method, url }: IncomingMessage, requestId: string): AwsError {
    if (error instanceof AwsError) return error;
    if (error instanceof SignatureError) return service.signatureError(error);
    // With 503, clients retry later; space may be freed until then.
    if (isTrenioError(error, 'DISK_FULL'))
      return new AwsError('ServiceUnavailable', 'The disk of the server is full; nothing was changed.', 503);
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    // Without the query, which may contain signatures.
    this.#options.log(`${requestId}: ${method} ${(url ?? '').replace(/\?.*/, '')}: ${text}`);
    return new AwsError(
      'InternalFailure',
      'The server failed to answer; its log has the details under the request id.',
      500,
    );
  }

  async #send(request: IncomingMessage, response: ServerResponse, reply: AwsReply, requestId: string): Promise<void> {
    if (response.destroyed) return;
    const { status, headers, body } = reply;
    const isStream = typeof body === 'object' && !(body instanceof Uint8Array);
    const length = body === undefined ? 0 : isStream ? undefined : Buffer.byteLength(body);
    const hasLength = 'content-length' in headers || status === 204 || status === 304;
    response.writeHead(status, {
      ...headers,
      ...NO_ORIGIN,
      ...(hasLength || length === undefined ? {} : { 'content-length': String(length) }),
      'x-amzn-requestid': requestId,
      'x-amz-request-id': requestId,
      // The rest of the body would be read as the next request.
      ...(request.complete ? {} : { connection: 'close' }),
    });
    if (request.method === 'HEAD' || body === undefined || !isStream) {
      const isSmall = body instanceof Uint8Array && body.byteLength <= ONE_WRITE_BYTES;
      if (request.method === 'HEAD' || body === undefined) response.end();
      else if (isSmall) response.end(latin1(body), 'latin1');
      else response.end(body);
      return;
    }
    try {
      await pipeline(Readable.from(body, { objectMode: false }), response);
    } catch (error) {
      // The status has been sent, so the error can only be signaled by closing the connection.
      if (!isGone(error)) this.#options.log(`${requestId}: ${String(error)}`);
      response.destroy();
    }
  }
}

const isServiceName = (services: AwsServices, name: string): name is keyof AwsServices => Object.hasOwn(services, name);

const isGone = (error: unknown): boolean =>
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
