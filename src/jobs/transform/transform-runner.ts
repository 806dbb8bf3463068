// Runs one batch transform job: starts the model's program once for each instance, sends it the records of all objects below a
// prefix, and writes an output object for each. It runs in a separate process (runner-main.ts).
//
//   s3://in/data/a.csv ─ records ─ requests ─► POST /invocations (several at a time) ─ in their order ─► s3://out/a.csv.out

import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { ObjectError } from '../../objects/object-error.ts';
import { ClientFault } from '../client-fault.ts';
import { LogLines } from '../logs/log-lines.ts';
import { ReplicaClient, ReplicaTimeoutError } from '../model-server/replica-client.ts';
import { NotReadyError, ServingProgram } from '../model-server/serving-program.ts';
import { ended, INTERNAL_ERROR, type OneAttemptStatus } from '../one-attempt.ts';
import { OwnJob } from '../own-job.ts';
import type { RunnerSetting } from '../runner-setting.ts';
import { SecretMask } from '../secrets.ts';
import { keysUnder } from '../training/job-data.ts';
import { RecordError, requestBodies } from './records.ts';
import type { TransformJob } from './transform-job.ts';

export const LOG_GROUP = '/aws/sagemaker/TransformJobs';
const STARTUP_MS = 240_000;
const LOOK_MS = 250;
const RETRY_MS = 500;

class StopRequest extends Error {}

interface Instance {
  readonly program: ServingProgram;
  readonly client: ReplicaClient;
  outstanding: number;
}

export class TransformRunner {
  readonly #setting: RunnerSetting;
  readonly #own: OwnJob<TransformJob>;
  readonly #job: TransformJob;
  readonly #stop = new AbortController();
  readonly #instances: Instance[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #streams: LogLines[] = [];
  readonly #secrets: SecretMask;
  #running = 0;

  constructor(setting: RunnerSetting) {
    this.#setting = setting;
    this.#own = new OwnJob(setting.jobs.transform, setting);
    this.#job = this.#own.begin();
    const { container, environment } = this.#job.spec;
    this.#secrets = new SecretMask(container.environment, environment);
  }

  async run(): Promise<void> {
    const { name, folder, logs } = this.#setting;
    const data = new LogLines(logs, LOG_GROUP, `${name}/data-log`);
    this.#streams.push(data);
    const watch = setInterval(() => {
      this.#own.showLife();
      if (this.#own.read()?.status !== 'InProgress') this.#stop.abort(new StopRequest());
    }, LOOK_MS);
    let failure: { readonly error: unknown } | undefined;
    try {
      await this.#transform(data);
    } catch (error) {
      failure = { error };
    }
    clearInterval(watch);
    for (const { client } of this.#instances) client.close();
    await Promise.all(this.#instances.map(({ program }) => program.stop()));
    await rm(folder, { recursive: true, force: true });
    // Before the outcome: who waits for that reads the lines then.
    for (const stream of this.#streams) stream.flush();
    if (failure === undefined) this.#end('Completed');
    else this.#fail(failure.error, data);
    for (const stream of this.#streams) stream.close();
  }

  async #transform(data: LogLines): Promise<void> {
    const { objects } = this.#setting;
    const { spec } = this.#job;
    const { input } = spec;
    const keys = [...keysUnder(objects, input.bucket, input.prefix)].filter(key => !key.endsWith('/'));
    if (keys.length === 0) throw new ClientFault(`No objects found under s3://${input.bucket}/${input.prefix}.`);
    for (let i = 0; i < spec.instanceCount; i++) this.#instances.push(await this.#start(i));
    await Promise.all(this.#instances.map(({ program }) => program.ready(this.#stop.signal)));
    const left = keys.values();
    const workers = Array.from({ length: this.#most }, async () => {
      for (const key of left) await this.#object(key, data);
    });
    // The first failure ends the other requests.
    await Promise.all(
      workers.map(worker =>
        worker.catch((error: unknown) => {
          this.#stop.abort(error);
          throw error;
        }),
      ),
    );
  }

  async #start(index: number): Promise<Instance> {
    const {
      objects,
      findImage,
      folder,
      coresPerHost,
      environment,
      hidden,
      serveProgram = '',
      name,
      logs,
    } = this.#setting;
    const { spec } = this.#job;
    const image = findImage(spec.container.image);
    if (image === undefined) throw new ClientFault(`The image '${spec.container.image}' is not known to this server.`);
    const id = `i-${randomBytes(9).toString('hex').slice(0, 17)}`;
    const lines = new LogLines(logs, LOG_GROUP, `${name}/${id}`);
    this.#streams.push(lines);
    const mebibytes = spec.maxPayloadBytes === null ? 0 : spec.maxPayloadBytes / 1024 ** 2;
    const program = await ServingProgram.start({
      objects,
      container: spec.container,
      image,
      folder: join(folder, String(index)),
      hostName: id,
      cores: coresPerHost,
      inherited: environment,
      hidden,
      variables: {
        ...spec.environment,
        SAGEMAKER_BATCH: 'true',
        SAGEMAKER_MAX_PAYLOAD_IN_MB: String(mebibytes),
        SAGEMAKER_BATCH_STRATEGY: spec.isMultiRecord ? 'MULTI_RECORD' : 'SINGLE_RECORD',
        SAGEMAKER_MAX_CONCURRENT_TRANSFORMS: String(spec.maxConcurrent),
      },
      serveProgram,
      startupTimeoutMs: STARTUP_MS,
      onLine: line => lines.add(line),
      claimPort: () => true,
    });
    return { program, client: new ReplicaClient(program.address), outstanding: 0 };
  }

  /** The number of concurrent requests, over all instances. */
  get #most(): number {
    return this.#job.spec.maxConcurrent * this.#job.spec.instanceCount;
  }

  async #object(key: string, data: LogLines): Promise<void> {
    const { objects } = this.#setting;
    const { input, output, split, isMultiRecord, maxPayloadBytes } = { ...this.#job.spec, ...this.#job.spec.input };
    const base = input.prefix.slice(0, input.prefix.lastIndexOf('/') + 1);
    const { bytes } = await objects.read(input.bucket, key);
    const content = input.gzip ? Readable.from(bytes, { objectMode: false }).pipe(createGunzip()) : bytes;
    const bodies = requestBodies(content, {
      split,
      isMultiRecord,
      maxBytes: maxPayloadBytes ?? Number.POSITIVE_INFINITY,
    });
    try {
      await objects.put(output.bucket, `${output.prefix}${key.slice(base.length)}.out`, this.#answers(bodies), {
        attributes: { contentType: output.accept, headers: {}, metadata: {} },
      });
    } catch (error) {
      const isFault = error instanceof ClientFault || error instanceof RecordError;
      if (isFault) data.add(`${input.bucket}/${key}: ${error.message}`);
      throw error;
    }
  }

  /** The answers in the order of the bodies, with several concurrent requests. */
  async *#answers(bodies: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
    const { withLines } = this.#job.spec.output;
    const assembled = (answer: Buffer): Buffer =>
      withLines && answer.at(-1) !== 0x0a ? Buffer.concat([answer, Buffer.from('\n')]) : answer;
    const asked: Promise<Buffer>[] = [];
    for await (const body of bodies) {
      const answer = this.#ask(body);
      // Reported when its turn comes.
      answer.catch(() => {});
      asked.push(answer);
      if (asked.length >= this.#most) yield assembled(await asked.shift()!);
    }
    for (const answer of asked) yield assembled(await answer);
  }

  async #ask(body: Buffer): Promise<Buffer> {
    const { maxRetries, input, output, timeoutMs } = this.#job.spec;
    await this.#slot();
    const instance = this.#instances.reduce((a, b) => (b.outstanding < a.outstanding ? b : a));
    instance.outstanding++;
    try {
      for (let attempt = 0; ; attempt++) {
        this.#stop.signal.throwIfAborted();
        const problem = await this.#post(
          instance,
          body,
          {
            ...(input.contentType === undefined ? {} : { 'content-type': input.contentType }),
            ...(output.accept === undefined ? {} : { accept: output.accept }),
          },
          timeoutMs,
        );
        if (Buffer.isBuffer(problem)) return problem;
        if (attempt >= maxRetries) throw new ClientFault(problem);
        await sleep(RETRY_MS);
      }
    } finally {
      instance.outstanding--;
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  /** The response, or the reason why there is none. */
  async #post(
    { client }: Instance,
    body: Buffer,
    headers: Readonly<Record<string, string>>,
    timeoutMs: number,
  ): Promise<Buffer | string> {
    try {
      const answer = await client.post({ path: '/invocations', headers, body, timeoutMs, signal: this.#stop.signal });
      const whole = await answer.whole(Number.POSITIVE_INFINITY);
      if (answer.status >= 200 && answer.status <= 299) return whole;
      // A response may repeat what the program was given.
      const reason = this.#secrets.mask(whole.toString()).slice(0, 1024);
      return `Bad HTTP status received from algorithm: ${answer.status}: ${reason}`;
    } catch (error) {
      if (this.#stop.signal.aborted) throw this.#stop.signal.reason;
      if (error instanceof ReplicaTimeoutError) return `Model server did not respond within ${timeoutMs / 1000} s`;
      return `Unable to get response from algorithm: ${(error as Error).message}`;
    }
  }

  async #slot(): Promise<void> {
    while (this.#running >= this.#most) await new Promise<void>(resolve => this.#waiting.push(resolve));
    this.#running++;
  }

  #fail(error: unknown, data: LogLines): void {
    if (
      error instanceof StopRequest ||
      (this.#stop.signal.aborted && this.#stop.signal.reason instanceof StopRequest)
    ) {
      this.#end('Stopped');
      return;
    }
    const message = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    const isClients = [ClientFault, RecordError, ObjectError].some(kind => error instanceof kind);
    if (error instanceof NotReadyError) {
      this.#end(
        'Failed',
        `AlgorithmError: The model did not answer GET /ping: ${message}. See job logs for more information`,
      );
    } else if (isClients) {
      this.#end('Failed', `ClientError: ${message}. See job logs for more information`);
    } else {
      data.add(message);
      process.stderr.write(`${error instanceof Error ? error.stack : message}\n`);
      this.#end('Failed', INTERNAL_ERROR);
    }
  }

  #end(status: OneAttemptStatus, reason?: string): void {
    this.#own.update(job => ended(job, { status, reason }, this.#setting.now()));
  }
}
