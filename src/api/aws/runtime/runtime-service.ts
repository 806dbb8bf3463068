// SageMaker's runtime: requests to endpoints. Signed for `sagemaker` like the control plane, and recognized by their paths.
//
//   POST /endpoints/NAME/invocations                   the model's input → its response
//   POST /endpoints/NAME/invocations-response-stream   the same, part by part, as an event stream
//   POST /endpoints/NAME/async-invocations             the location of the input → the location of the later response
//
// https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_Operations_Amazon_SageMaker_Runtime.html
import { randomUUID } from 'node:crypto';
import { NotHttpError } from '../../../jobs/model-server/answer-parser.ts';
import { AnswerTooLargeError } from '../../../jobs/model-server/replica-answer.ts';
import { ReplicaTimeoutError } from '../../../jobs/model-server/replica-client.ts';
import type { InvocationRequest } from '../../../serving/fleet/invocation-request.ts';
import type { InvocationAnswer } from '../../../serving/fleet/invoker.ts';
import { logGroupOf, logStreamOf } from '../../../serving/fleet/replica-names.ts';
import { NoCapacityError, UnknownVariantError } from '../../../serving/fleet/router.ts';
import type { Serving } from '../../../serving/fleet/serving.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsRequest, AwsService } from '../aws-request.ts';
import { payloadPart, streamException } from '../event-stream.ts';
import { mayDo } from '../permissions.ts';
import { jsonErrorReply, jsonSignatureError } from '../protocols/json.ts';
import { readBody } from '../read-body.ts';
import { decode, header } from '../signature/request-head.ts';

export interface RuntimeOptions {
  readonly serving: Pick<Serving, 'invoker' | 'queue' | 'store'>;
  readonly account: string;
  readonly region: string;
}

const MAX_BODY_BYTES = 6_291_456;
const TIMEOUT_MS = 60_000;
const STREAM_TIMEOUT_MS = 8 * 60_000;
const MAX_HEADER_CHARACTERS = 1024;
const MAX_MESSAGE_CHARACTERS = 2048;
const PREFIX = 'x-amzn-sagemaker-';
const oneModel = 'its endpoints have one model in one container';
/** Headers after the prefix, and why they are refused. */
const unsupported = [
  ['target-model', oneModel],
  ['target-container-hostname', oneModel],
  ['inference-component', oneModel],
  ['session-id', 'its models keep no sessions'],
  ['enable-explanations', 'its endpoints have no explainer'],
] as const;

const PATH = /^\/endpoints\/([^/]+)\/(invocations|invocations-response-stream|async-invocations)\/?$/;

/** Whether a path belongs to the runtime. */
export const isRuntimePath = (path: string): boolean => path.startsWith('/endpoints/');

export class RuntimeService implements AwsService {
  // Slightly more than the limit, so that the service itself rejects a body that is too large.
  readonly maxBodyBytes = MAX_BODY_BYTES + 1024 * 1024;
  readonly errorReply = jsonErrorReply;
  readonly signatureError = jsonSignatureError;
  readonly #options: RuntimeOptions;

  constructor(options: RuntimeOptions) {
    this.#options = options;
  }

  async handle(request: AwsRequest): Promise<AwsReply> {
    const { head, key } = request;
    const [, name = '', operation] = PATH.exec(head.path) ?? [];
    if (operation === undefined || head.method !== 'POST')
      throw new AwsError('UnknownOperationException', `This server does not have ${head.method} ${head.path}.`, 404);
    const { account } = this.#options;
    const attempt = {
      action: 'sagemaker:InvokeEndpoint',
      kind: 'write',
      resource: decode(name),
      isFrequent: true,
    } as const;
    if (!mayDo(request, attempt))
      throw new AwsError(
        'AccessDeniedException',
        `User: arn:aws:iam::${account}:user/${key.role} is not authorized to perform: sagemaker:InvokeEndpoint because no identity-based policy allows the sagemaker:InvokeEndpoint action`,
        403,
      );
    const endpoint = decode(name);
    switch (operation) {
      case 'invocations':
        return this.#invoke(endpoint, request);
      case 'invocations-response-stream':
        return this.#stream(endpoint, request);
      case 'async-invocations':
        return this.#invokeAsync(endpoint, request);
      default:
        throw new AwsError('UnknownOperationException', `This server does not have ${head.method} ${head.path}.`, 404);
    }
  }

  async #invoke(endpoint: string, request: AwsRequest): Promise<AwsReply> {
    const invocation = await this.#invocation(endpoint, request, '', TIMEOUT_MS);
    const answer = await this.#asking(invocation, () =>
      this.#options.serving.invoker.invoke(invocation, MAX_BODY_BYTES),
    );
    if (answer.status < 200 || answer.status > 299) throw this.#modelError(endpoint, answer, answer.body);
    return { status: 200, headers: this.#headers(answer, 'content-type'), body: answer.body };
  }

  async #stream(endpoint: string, request: AwsRequest): Promise<AwsReply> {
    const invocation = await this.#invocation(endpoint, request, PREFIX, STREAM_TIMEOUT_MS);
    const answer = await this.#asking(invocation, () =>
      this.#options.serving.invoker.stream(invocation, Number.POSITIVE_INFINITY),
    );
    if (answer.status < 200 || answer.status > 299) {
      const chunks: Buffer[] = [];
      for await (const chunk of answer.parts) chunks.push(chunk);
      throw this.#modelError(endpoint, answer, Buffer.concat(chunks));
    }
    return {
      status: 200,
      headers: {
        ...this.#headers(answer, `${PREFIX}content-type`),
        'content-type': 'application/vnd.amazon.eventstream',
      },
      body: events(answer.parts),
    };
  }

  #invokeAsync(endpoint: string, { head }: AwsRequest): AwsReply {
    const { serving, account } = this.#options;
    const own = (name: string): string | undefined => this.#header(header(head, `${PREFIX}${name}`), name);
    const seconds = (name: string, least: number, most: number): number | undefined => {
      const text = own(name);
      if (text === undefined) return undefined;
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      if (value >= least && value <= most) return value;
      throw invalid(`${name} must be between ${least} and ${most}, got '${text}'.`);
    };
    const asked = serving.store.endpoints.get(endpoint);
    const fleet = asked?.fleet;
    if (fleet === undefined)
      throw new AwsError('ValidationError', `Endpoint ${endpoint} of account ${account} not found.`);
    const config = fleet.asyncInference;
    if (config?.output === undefined)
      throw invalid(
        `Endpoint ${endpoint} does not answer InvokeEndpointAsync: its configuration has no AsyncInferenceConfig with an S3OutputPath.`,
      );
    const input = /^s3:\/\/([^/]+)\/(.+)$/.exec(own('inputlocation') ?? '');
    if (input === null) throw invalid(`InputLocation must be s3://bucket/key, got '${own('inputlocation') ?? ''}'.`);
    const inferenceId = own('inference-id') ?? randomUUID();
    const id = randomUUID();
    const name = own('filename') ?? `${id}.out`;
    const extension = own('s3outputpathextension');
    if (extension?.split('/').includes('..')) throw invalid('S3OutputPathExtension must not contain "..".');
    const folder = `${config.output.prefix}${extension === undefined ? '' : `${extension.replace(/^\/+|\/+$/g, '')}/`}`;
    const output = { bucket: config.output.bucket, key: `${folder}${name}` };
    const failure = config.failure && { bucket: config.failure.bucket, key: `${config.failure.prefix}${id}-error.out` };
    serving.queue.add({
      endpoint,
      input: { bucket: input[1]!, key: input[2]! },
      output,
      failure,
      contentType: own('content-type'),
      accept: own('accept'),
      customAttributes: own('custom-attributes'),
      inferenceId,
      ttlMs: (seconds('requestttlseconds', 60, 21_600) ?? 21_600) * 1000,
      timeoutMs: (seconds('invocationtimeoutseconds', 1, 3600) ?? 900) * 1000,
    });
    return {
      status: 202,
      headers: {
        'content-type': 'application/json',
        [`${PREFIX}outputlocation`]: `s3://${output.bucket}/${output.key}`,
        ...(failure === undefined ? {} : { [`${PREFIX}failurelocation`]: `s3://${failure.bucket}/${failure.key}` }),
      },
      body: JSON.stringify({ InferenceId: inferenceId }),
    };
  }

  /** @param acceptPrefix the prefix of the header that contains the model's Accept header */
  async #invocation(
    endpoint: string,
    request: AwsRequest,
    acceptPrefix: string,
    timeoutMs: number,
  ): Promise<InvocationRequest> {
    const { head, signal } = request;
    const own = (name: string): string | undefined => this.#header(header(head, `${PREFIX}${name}`), name);
    for (const [name, why] of unsupported)
      if (own(name) !== undefined) throw invalid(`${name} is not supported by this server: ${why}.`);
    return {
      endpoint,
      body: await bodyOf(request),
      contentType: this.#header(header(head, 'content-type'), 'content-type'),
      accept: this.#header(header(head, `${acceptPrefix}accept`), 'accept'),
      customAttributes: own('custom-attributes'),
      variant: own('target-variant'),
      inferenceId: own('inference-id'),
      timeoutMs,
      signal,
    };
  }

  #header(value: string | undefined, name: string): string | undefined {
    if (value !== undefined && value.length > MAX_HEADER_CHARACTERS)
      throw invalid(
        `1 validation error detected: Value at '${name}' failed to satisfy constraint: Member must have length less than or equal to ${MAX_HEADER_CHARACTERS}`,
      );
    return value;
  }

  /** @throws {AwsError} */
  async #asking<T>({ endpoint, timeoutMs }: InvocationRequest, ask: () => Promise<T | undefined>): Promise<T> {
    const { account } = this.#options;
    let answer: T | undefined;
    try {
      answer = await ask();
    } catch (error) {
      if (error instanceof UnknownVariantError) throw invalid(error.message);
      if (error instanceof NoCapacityError)
        throw new AwsError('ServiceUnavailable', `The endpoint ${endpoint} has no capacity: ${error.message}.`, 503);
      if (error instanceof ReplicaTimeoutError)
        throw this.#failedModel(
          endpoint,
          undefined,
          0,
          `Your invocation timed out while waiting for a response from container primary after ${timeoutMs / 1000} seconds. Review the latency metrics for each container in Amazon CloudWatch, resolve the issue, and try again.`,
        );
      if (error instanceof AnswerTooLargeError)
        throw this.#failedModel(endpoint, undefined, 0, `Received a response larger than ${MAX_BODY_BYTES} bytes.`);
      if (isConnectionError(error))
        throw this.#failedModel(endpoint, undefined, 0, 'The container closed the connection before it answered.');
      throw error;
    }
    if (answer === undefined)
      throw new AwsError('ValidationError', `Endpoint ${endpoint} of account ${account} not found.`);
    return answer;
  }

  #modelError(endpoint: string, { status, replica, variant }: Omit<InvocationAnswer, 'body'>, body: Buffer): AwsError {
    const message = body.toString('utf8', 0, 4 * MAX_MESSAGE_CHARACTERS).slice(0, MAX_MESSAGE_CHARACTERS);
    return this.#failedModel(endpoint, logStreamOf({ variant, id: replica }), status, message);
  }

  #failedModel(endpoint: string, stream: string | undefined, status: number, message: string): AwsError {
    const { account, region } = this.#options;
    const group = logGroupOf(endpoint);
    const side = status >= 400 && status < 500 ? 'client' : 'server';
    const text = `Received ${side} error (${status}) from primary with message "${message}". See https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#logEventViewer:group=${group} in account ${account} for more information.`;
    const LogStreamArn = `arn:aws:logs:${region}:${account}:log-group:${group}${stream === undefined ? '' : `:log-stream:${stream}`}`;
    return new AwsError('ModelError', text, 424, {
      Message: text,
      OriginalMessage: message,
      OriginalStatusCode: status,
      LogStreamArn,
    });
  }

  #headers({ headers, variant }: { headers: InvocationAnswer['headers']; variant: string }, typeName: string) {
    const custom = headers['x-amzn-sagemaker-custom-attributes'];
    return {
      [typeName]: headers['content-type'] ?? 'application/octet-stream',
      'x-amzn-invoked-production-variant': variant,
      ...(custom !== undefined ? { 'x-amzn-sagemaker-custom-attributes': custom } : {}),
    };
  }
}

async function* events(parts: AsyncGenerator<Buffer, void, undefined>): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of parts) yield payloadPart(part);
  } catch (error) {
    const Message = error instanceof Error ? error.message : String(error);
    yield streamException('ModelStreamError', { Message, ErrorCode: 'StreamBroken' });
  }
}

const CONNECTION_ERRORS = ['ECONNRESET', 'EPIPE', 'ECONNREFUSED'];
const isConnectionError = (error: unknown): boolean => {
  const { code = '', message = '' } = error as NodeJS.ErrnoException;
  return CONNECTION_ERRORS.includes(code) || error instanceof NotHttpError || /closed the connection/.test(message);
};

const invalid = (message: string): AwsError => new AwsError('ValidationError', message);

/** @throws {AwsError} */
async function bodyOf(request: AwsRequest): Promise<Buffer> {
  try {
    return await readBody(request, MAX_BODY_BYTES);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw new AwsError('ValidationError', `HTTP content length exceeded ${MAX_BODY_BYTES} bytes.`, 413);
  }
}
