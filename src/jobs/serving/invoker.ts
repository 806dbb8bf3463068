// One invocation of an endpoint from its request to its answer, for the wire and for asynchronous invocations: routing, the copy
// for shadow variants, the capture of data.
import type { IncomingHttpHeaders } from 'node:http';
import type { DataCapture } from './data-capture.ts';
import type { EndpointManager } from './endpoint-manager.ts';
import type { InvocationRequest } from './invocation-request.ts';
import type { Invoked, LiveVariant } from './router.ts';

export interface InvocationAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly variant: string;
  readonly replica: string;
  readonly body: Buffer;
}

/** As `InvocationAnswer`, while it arrives. To be read to its end, or returned. */
export interface InvocationStream extends Omit<InvocationAnswer, 'body'> {
  readonly parts: AsyncGenerator<Buffer, void, undefined>;
}

/** The answer is larger than the wire allows. */
export class AnswerTooLargeError extends Error {}

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
    const answer = await this.stream(request, maxAnswerBytes);
    if (answer === undefined) return undefined;
    const { parts, ...rest } = answer;
    const chunks: Buffer[] = [];
    for await (const part of parts) chunks.push(part);
    return { ...rest, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) };
  }

  /** The same, without waiting for the end of the answer. */
  async stream(request: InvocationRequest, maxAnswerBytes: number): Promise<InvocationStream | undefined> {
    const { endpoint, body, variant, timeoutMs, signal } = request;
    const message = { path: '/invocations', headers: headersOf(request), body, timeoutMs };
    const invoked = await this.#manager.invoke(endpoint, { ...message, variant, signal });
    if (invoked === undefined) return undefined;
    const { fleet, answer } = invoked;
    for (const shadow of this.#manager.shadows(endpoint, fleet)) {
      const share = shadow.spec.currentWeight / (invoked.variant.currentWeight || 1);
      if (Math.random() < share)
        void copyTo(shadow, () => shadow.invoke(fleet, { ...message, signal: undefined }), this.#capture, request);
    }
    const captured = this.#capture.begin(request, fleet, invoked.variant.name);
    return {
      status: answer.status,
      headers: answer.headers,
      variant: invoked.variant.name,
      replica: invoked.replica,
      parts: parts(invoked, maxAnswerBytes, (chunks, isWhole) => {
        if (isWhole) captured?.(chunks, answer.headers['content-type']);
      }),
    };
  }
}

/** A shadow variant answers a copy of the request; nothing of that reaches the client. */
async function copyTo(
  shadow: LiveVariant,
  invoke: () => Promise<Invoked>,
  capture: DataCapture,
  request: InvocationRequest,
): Promise<void> {
  try {
    const invoked = await invoke();
    const captured = capture.begin(request, invoked.fleet, shadow.spec.name);
    const all = parts(invoked, Number.POSITIVE_INFINITY, (chunks, isWhole) => {
      if (isWhole) captured?.(chunks, invoked.answer.headers['content-type']);
    });
    for await (const _ of all);
  } catch {
    // Counted as a failure by the variant's meter: all that a shadow's error is good for.
  }
}

async function* parts(
  { answer, done }: Invoked,
  maxBytes: number,
  onEnd: (chunks: readonly Buffer[], isWhole: boolean) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isWhole = false;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new AnswerTooLargeError(`the answer has more than ${maxBytes} bytes`);
      chunks.push(chunk);
      yield chunk;
    }
    isWhole = answer.body.complete;
    if (!isWhole) throw new Error('the program closed the connection in the middle of its answer');
  } finally {
    answer.body.destroy();
    done(isWhole);
    onEnd(chunks, isWhole);
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
