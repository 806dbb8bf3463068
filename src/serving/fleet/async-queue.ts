// Asynchronous invocations: requests whose bodies are objects, answered one after the other into objects. They are kept in the
// store until they have an answer, so that none is lost when the server ends; a request that was in progress is then
// processed again.
import { randomUUID } from 'node:crypto';
import { isTrenioError } from '../../base/errors.ts';
import { guarded } from '../../base/guarded.ts';
import { Ages } from '../../jobs/ages.ts';
import type { Clocks } from '../../jobs/clocks.ts';
import { ObjectError } from '../../objects/object-error.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { AsyncInvocation, EndpointStore } from './endpoint-store.ts';
import type { Invoker } from './invoker.ts';
import type { ServingEndpoint } from './resources.ts';
import { NoCapacityError } from './router.ts';

export interface AsyncQueueOptions {
  readonly store: EndpointStore;
  readonly objects: ObjectStore;
  readonly invoker: Invoker;
  readonly clocks: Clocks;
  readonly log: (line: string) => void;
}

const TICK_MS = 500;
const MAX_INPUT_BYTES = 1024 ** 3;
const MAX_OUTPUT_BYTES = 1024 ** 3;

/** A failure that the client or the model has to fix. */
class FailedInvocation extends Error {}

export class AsyncQueue {
  readonly #options: AsyncQueueOptions;
  readonly #ages: Ages;
  readonly #running = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();
  readonly #tick: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AsyncQueueOptions) {
    this.#options = options;
    this.#tick = guarded('asynchronous invocations', () => this.#run(), options.log);
    this.#ages = new Ages(options.clocks);
  }

  start(): void {
    this.#timer = setInterval(this.#tick, TICK_MS).unref();
    this.#tick();
  }

  /** Requests without a reply stay in the queue. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await Promise.all(this.#running.values());
  }

  add(invocation: Omit<AsyncInvocation, 'id' | 'createdMs'>): void {
    const {
      store,
      clocks: { wall: now },
    } = this.#options;
    store.addInvocation({ ...invocation, id: randomUUID(), createdMs: now() });
    setImmediate(this.#tick);
  }

  #run(): void {
    if (this.#closing.signal.aborted) return;
    const { store } = this.#options;
    for (const endpoint of store.endpointsWithInvocations()) {
      const found = store.endpoints.get(endpoint);
      if (found === undefined) store.removeInvocationsOf(endpoint);
      else this.#runOf(found);
    }
  }

  #runOf({ name, fleet }: ServingEndpoint): void {
    const { store } = this.#options;
    const perInstance = fleet?.asyncInference?.maxPerInstance;
    if (fleet === undefined || perInstance === undefined) return;
    const ready = store.replicas(name).filter(one => one.fleet === fleet.id && one.status === 'ready').length;
    // For a variant that was scaled to zero, one request starts an instance.
    const limit = Math.max(1, ready * perInstance);
    for (const invocation of store.invocations(name, limit)) {
      if (this.#running.has(invocation.id)) continue;
      const run = this.#answer(invocation)
        .catch((error: Error) => this.#options.log(`asynchronous invocation ${invocation.id}: ${error.message}`))
        .finally(() => {
          this.#running.delete(invocation.id);
          setImmediate(this.#tick);
        });
      this.#running.set(invocation.id, run);
    }
  }

  async #answer(invocation: AsyncInvocation): Promise<void> {
    const { store, log } = this.#options;
    const { id, endpoint, output, failure } = invocation;
    try {
      if (this.#ages.of(id, invocation.createdMs) > invocation.ttlMs)
        throw new FailedInvocation('The request was not processed within its RequestTTLSeconds.');
      const { body, contentType } = await this.#ask(invocation);
      await this.#write(output, body, contentType);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      // Waits until there is an instance, or the request expires.
      if (error instanceof NoCapacityError) return;
      // The answer has no place: it is asked for again.
      if (isTrenioError(error, 'DISK_FULL')) return;
      const message = error instanceof Error ? error.message : String(error);
      if (!(error instanceof FailedInvocation)) log(`asynchronous invocation ${id} of ${endpoint}: ${message}`);
      if (failure !== undefined)
        await this.#write(failure, Buffer.from(message), 'text/plain').catch((second: Error) =>
          log(`asynchronous invocation ${id} of ${endpoint}: ${second.message}`),
        );
    }
    store.removeInvocation(id);
    this.#ages.forget(id);
  }

  async #ask(
    invocation: AsyncInvocation,
  ): Promise<{ readonly body: Buffer; readonly contentType: string | undefined }> {
    const { invoker } = this.#options;
    const answer = await invoker.invoke(
      {
        endpoint: invocation.endpoint,
        body: await this.#input(invocation),
        contentType: invocation.contentType,
        accept: invocation.accept,
        customAttributes: invocation.customAttributes,
        variant: undefined,
        inferenceId: invocation.inferenceId,
        timeoutMs: invocation.timeoutMs,
        signal: this.#closing.signal,
      },
      MAX_OUTPUT_BYTES,
    );
    if (answer === undefined) throw new NoCapacityError('the endpoint is not in service');
    if (answer.status < 200 || answer.status > 299)
      throw new FailedInvocation(
        `Received ${answer.status >= 500 ? 'server' : 'client'} error (${answer.status}) from primary with message "${answer.body.toString('utf8', 0, 2048)}".`,
      );
    return { body: answer.body, contentType: answer.headers['content-type'] };
  }

  async #input({ input: { bucket, key } }: AsyncInvocation): Promise<Buffer> {
    const { objects } = this.#options;
    try {
      const { object, bytes } = await objects.read(bucket, key);
      if (object.size > MAX_INPUT_BYTES)
        throw new FailedInvocation(`The input has more than ${MAX_INPUT_BYTES} bytes.`);
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) chunks.push(chunk);
      return Buffer.concat(chunks);
    } catch (error) {
      if (!(error instanceof ObjectError)) throw error;
      throw new FailedInvocation(`The input s3://${bucket}/${key} could not be read: ${error.message}`);
    }
  }

  async #write(
    { bucket, key }: AsyncInvocation['output'],
    body: Buffer,
    contentType: string | undefined,
  ): Promise<void> {
    try {
      await this.#options.objects.put(bucket, key, once(body), {
        attributes: { contentType, headers: {}, metadata: {} },
      });
    } catch (error) {
      if (!(error instanceof ObjectError)) throw error;
      throw new FailedInvocation(`The output s3://${bucket}/${key} could not be written: ${error.message}`);
    }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
