// Stores requests and responses of endpoints as objects, in SageMaker's format: one JSON document per line.
//
//   PREFIX/ENDPOINT/VARIANT/2026/11/23/02/15-30-123-UUID.jsonl
//
// https://docs.aws.amazon.com/sagemaker/latest/dg/model-monitor-data-capture-endpoint.html
import { randomUUID } from 'node:crypto';
import type { Clocks } from '../../jobs/clocks.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { InvocationRequest } from './invocation-request.ts';
import type { Capture, Fleet } from './resources.ts';

export interface DataCaptureOptions {
  readonly objects: ObjectStore;
  readonly clocks: Clocks;
  readonly log: (line: string) => void;
}

/** Called with the response when it is complete. */
export type CaptureAnswer = (chunks: readonly Buffer[], contentType: string | undefined) => void;

interface Pending {
  readonly bucket: string;
  readonly folder: string;
  readonly sinceMs: number;
  readonly lines: string[];
  bytes: number;
}

const FLUSH_AFTER_MS = 3000;
const FLUSH_BYTES = 4 * 1024 * 1024;
const LOOK_MS = 1000;

export class DataCapture {
  readonly #options: DataCaptureOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #writes = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: DataCaptureOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#flushOld(), LOOK_MS).unref();
  }

  /** Undefined if this invocation is not captured. */
  begin(request: InvocationRequest, { capture }: Fleet, variant: string): CaptureAnswer | undefined {
    if (capture === undefined || Math.random() * 100 >= capture.percentage) return undefined;
    return (chunks, contentType) => {
      const {
        clocks: { wall: now },
      } = this.#options;
      const record = {
        captureData: {
          ...(capture.input ? { endpointInput: dataOf(capture, 'INPUT', request.body, request.contentType) } : {}),
          ...(capture.output ? { endpointOutput: dataOf(capture, 'OUTPUT', Buffer.concat(chunks), contentType) } : {}),
        },
        eventMetadata: {
          eventId: randomUUID(),
          ...(request.customAttributes === undefined ? {} : { customAttributes: [request.customAttributes] }),
          ...(request.inferenceId === undefined ? {} : { inferenceId: request.inferenceId }),
          inferenceTime: new Date(now()).toISOString().replace(/\.\d+Z$/, 'Z'),
        },
        eventVersion: '0',
      };
      this.#add(capture, `${capture.prefix}${request.endpoint}/${variant}`, `${JSON.stringify(record)}\n`);
    };
  }

  /** Writes pending records. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const key of [...this.#pending.keys()]) this.#flush(key);
    await Promise.all(this.#writes);
  }

  #add({ bucket }: Capture, folder: string, line: string): void {
    const key = `${bucket}/${folder}`;
    const pending = this.#pending.get(key) ?? {
      bucket,
      folder,
      sinceMs: this.#options.clocks.steady(),
      lines: [],
      bytes: 0,
    };
    this.#pending.set(key, pending);
    pending.lines.push(line);
    pending.bytes += line.length;
    if (pending.bytes >= FLUSH_BYTES) this.#flush(key);
  }

  #flushOld(): void {
    for (const [key, { sinceMs }] of this.#pending)
      if (this.#options.clocks.steady() - sinceMs >= FLUSH_AFTER_MS) this.#flush(key);
  }

  #flush(key: string): void {
    const {
      objects,
      clocks: { wall: now },
      log,
    } = this.#options;
    const pending = this.#pending.get(key);
    if (pending === undefined) return;
    this.#pending.delete(key);
    const { bucket, folder, lines } = pending;
    const [date = '', time = ''] = new Date(now()).toISOString().split(/[TZ]/);
    const [hour = '', minute = '', second = ''] = time.split(':');
    const name = `${folder}/${date.replaceAll('-', '/')}/${hour}/${minute}-${second.replace('.', '-')}-${randomUUID()}.jsonl`;
    const write: Promise<void> = objects
      .put(bucket, name, once(Buffer.from(lines.join(''))), {
        attributes: { contentType: 'application/jsonlines', headers: {}, metadata: {} },
      })
      .then(
        () => {},
        (error: Error) => log(`captured data could not be written to s3://${bucket}/${name}: ${error.message}`),
      )
      .finally(() => this.#writes.delete(write));
    this.#writes.add(write);
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Bodies with a text type are stored as text, everything else as base64. */
function dataOf(
  { csvTypes, jsonTypes }: Capture,
  mode: 'INPUT' | 'OUTPUT',
  bytes: Uint8Array,
  contentType = 'application/octet-stream',
): object {
  const media = contentType.split(';', 1)[0]!.trim().toLowerCase();
  const isOf = (types: readonly string[], standard: RegExp): boolean =>
    types.length > 0 ? types.some(type => type.toLowerCase() === media) : standard.test(media);
  const encoding = isOf(csvTypes, /^text\/csv$/)
    ? 'CSV'
    : isOf(jsonTypes, /^application\/(?:json|jsonlines)$/)
      ? 'JSON'
      : 'BASE64';
  const data = Buffer.from(bytes).toString(encoding === 'BASE64' ? 'base64' : 'utf8');
  return { observedContentType: contentType, mode, data, encoding };
}
