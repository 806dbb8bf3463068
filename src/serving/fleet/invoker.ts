// One invocation of an endpoint from request to answer, for HTTP and for asynchronous invocations: routing, copies for shadow
// variants, data capture.
import type { AnswerHeaders } from '../../jobs/model-server/answer-parser.ts';
import { AnswerTooLargeError } from '../../jobs/model-server/replica-answer.ts';
import type { CaptureAnswer, DataCapture } from './data-capture.ts';
import type { EndpointManager } from './endpoint-manager.ts';
import type { InvocationRequest } from './invocation-request.ts';
import type { Invoked, LiveVariant } from './router.ts';

export interface InvocationAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly variant: string;
  readonly replica: string;
  readonly body: Buffer;
}

/** Like `InvocationAnswer`, but while it arrives. Must be read to its end, or closed with `return`. */
export interface InvocationStream extends Omit<InvocationAnswer, 'body'> {
  readonly parts: AsyncGenerator<Buffer, void, undefined>;
}

export class Invoker {
  readonly #manager: EndpointManager;
  readonly #capture: DataCapture;

  constructor(manager: EndpointManager, capture: DataCapture) {
    this.#manager = manager;
    this.#capture = capture;
  }

  /**
   * Undefined if there is no endpoint of this name that answers.
   * @throws {UnknownVariantError}
   * @throws {NoCapacityError}
   * @throws {ReplicaTimeoutError}
   * @throws {AnswerTooLargeError}
   * @throws errors of the connection to the program
   */
  async invoke(request: InvocationRequest, maxAnswerBytes: number): Promise<InvocationAnswer | undefined> {
    const asked = await this.#ask(request);
    if (asked === undefined) return undefined;
    const { invoked, captured } = asked;
    const { answer } = invoked;
    let body: Buffer;
    try {
      body = await answer.whole(maxAnswerBytes);
    } catch (error) {
      invoked.done(false);
      throw error;
    }
    invoked.done(true);
    captured?.([body], answer.headers['content-type']);
    return { ...describe(invoked), body };
  }

  /** Like `invoke`, without waiting for the end of the answer. */
  async stream(request: InvocationRequest, maxAnswerBytes: number): Promise<InvocationStream | undefined> {
    const asked = await this.#ask(request);
    if (asked === undefined) return undefined;
    const { invoked, captured } = asked;
    return { ...describe(invoked), parts: parts(invoked, maxAnswerBytes, captured) };
  }

  async #ask(
    request: InvocationRequest,
  ): Promise<{ readonly invoked: Invoked; readonly captured: CaptureAnswer | undefined } | undefined> {
    const { endpoint, body, variant, timeoutMs, signal } = request;
    const message = { path: '/invocations', headers: headersOf(request), body, timeoutMs };
    const invoked = await this.#manager.invoke(endpoint, { ...message, variant, signal });
    if (invoked === undefined) return undefined;
    const { fleet } = invoked;
    for (const shadow of this.#manager.live.shadows(endpoint, fleet)) {
      const share = shadow.spec.currentWeight / (invoked.variant.currentWeight || 1);
      if (Math.random() < share)
        void copyTo(shadow, () => shadow.invoke(fleet, { ...message, signal: undefined }), this.#capture, request);
    }
    return { invoked, captured: this.#capture.begin(request, fleet, invoked.variant.name) };
  }
}

const describe = ({ answer, variant, replica }: Invoked): Omit<InvocationAnswer, 'body'> => ({
  status: answer.status,
  headers: answer.headers,
  variant: variant.name,
  replica,
});

/** Sends a copy of the request to a shadow variant; its answer is not sent to the client. */
async function copyTo(
  shadow: LiveVariant,
  invoke: () => Promise<Invoked>,
  capture: DataCapture,
  request: InvocationRequest,
): Promise<void> {
  try {
    const invoked = await invoke();
    const captured = capture.begin(request, invoked.fleet, shadow.spec.name);
    for await (const _ of parts(invoked, Number.POSITIVE_INFINITY, captured));
  } catch {
    // The variant's meter has counted it as a failure; a shadow's error is otherwise ignored.
  }
}

async function* parts(
  { answer, done }: Invoked,
  maxBytes: number,
  captured: CaptureAnswer | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isWhole = false;
  try {
    for await (const chunk of answer) {
      size += chunk.length;
      if (size > maxBytes) throw new AnswerTooLargeError(`the answer has more than ${maxBytes} bytes`);
      if (captured !== undefined) chunks.push(chunk);
      yield chunk;
    }
    isWhole = true;
  } finally {
    done(isWhole);
    if (isWhole) captured?.(chunks, answer.headers['content-type']);
  }
}

function headersOf(request: InvocationRequest): Readonly<Record<string, string>> {
  return {
    ...(request.contentType === undefined ? {} : { 'content-type': request.contentType }),
    ...(request.accept === undefined ? {} : { accept: request.accept }),
    ...(request.customAttributes === undefined
      ? {}
      : { 'x-amzn-sagemaker-custom-attributes': request.customAttributes }),
    ...(request.inferenceId === undefined ? {} : { 'x-amzn-sagemaker-inference-id': request.inferenceId }),
  };
}
