// Buckets and objects of the job server: the operations that a client of jobs needs.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FIRST_REGION } from '../../api/aws/s3/s3-request.ts';
import { decode, encode } from '../../api/aws/signature/request-head.ts';
import { children, type ParsedXml, readXml, textOf, writeXml } from '../../api/aws/xml.ts';
import { isTrenioError } from '../../base/errors.ts';
import { isAbsent } from './absent.ts';
import { serviceError } from './service-error.ts';
import { readWhole, type StreamBody, type Wire, type WireAnswer, type WireRequest } from './wire.ts';

export interface ObjectSummary {
  readonly key: string;
  readonly size: number;
  readonly modified: Date;
}

/** Called with the number of bytes transferred since the last call. */
export type OnBytes = (bytes: number) => void;

const pathOf = (bucket: string, key = ''): string =>
  `/${encode(bucket)}${key === '' ? '' : `/${key.split('/').map(encode).join('/')}`}`;

export class ObjectClient {
  readonly #wire: Wire;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  async buckets(): Promise<readonly { readonly name: string; readonly created: Date }[]> {
    const [result] = children(await this.#xml('ListBuckets', '/', {}), 'ListAllMyBucketsResult');
    return children(children(result, 'Buckets')[0], 'Bucket').map(bucket => ({
      name: textOf(bucket, 'Name') ?? '',
      created: new Date(textOf(bucket, 'CreationDate') ?? 0),
    }));
  }

  /** Creates a bucket unless it exists. */
  async createBucket(bucket: string): Promise<void> {
    try {
      const { region } = this.#wire.connection;
      const body =
        region === FIRST_REGION ? '' : writeXml({ CreateBucketConfiguration: { LocationConstraint: region } });
      await this.#send('CreateBucket', { method: 'PUT', path: pathOf(bucket), body });
    } catch (error) {
      if (!(isTrenioError(error, 'SERVICE_REFUSED') && error.data.code === 'BucketAlreadyOwnedByYou')) throw error;
    }
  }

  async deleteBucket(bucket: string): Promise<void> {
    await this.#send('DeleteBucket', { method: 'DELETE', path: pathOf(bucket) });
  }

  /** The objects below a prefix, in order. With a delimiter, keys that are equal up to it are one entry that ends with it. */
  async *list(bucket: string, prefix: string, delimiter = ''): AsyncGenerator<ObjectSummary | string> {
    let token: string | undefined;
    do {
      const [result] = children(
        await this.#xml('ListObjectsV2', pathOf(bucket), {
          'list-type': '2',
          'encoding-type': 'url',
          prefix,
          ...(delimiter === '' ? {} : { delimiter }),
          ...(token === undefined ? {} : { 'continuation-token': token }),
        }),
        'ListBucketResult',
      );
      for (const common of children(result, 'CommonPrefixes')) yield decode(textOf(common, 'Prefix') ?? '');
      for (const object of children(result, 'Contents'))
        yield {
          key: decode(textOf(object, 'Key') ?? ''),
          size: Number(textOf(object, 'Size')),
          modified: new Date(textOf(object, 'LastModified') ?? 0),
        };
      token = textOf(result, 'NextContinuationToken');
    } while (token !== undefined);
  }

  async putBytes(bucket: string, key: string, bytes: string | Uint8Array): Promise<void> {
    await this.#send('PutObject', { method: 'PUT', path: pathOf(bucket, key), body: bytes });
  }

  /** Reads the file twice, because the signature includes its checksum. */
  async putFile(
    bucket: string,
    key: string,
    file: string,
    { signal, onBytes }: { readonly signal?: AbortSignal | undefined; readonly onBytes?: OnBytes | undefined } = {},
  ): Promise<void> {
    const { size } = await stat(file);
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash, { signal });
    const body: StreamBody = {
      bytes: size,
      sha256: hash.digest('hex'),
      open: () => {
        const stream = createReadStream(file);
        if (onBytes !== undefined) stream.on('data', part => onBytes(part.length));
        return stream;
      },
    };
    await this.#send('PutObject', { method: 'PUT', path: pathOf(bucket, key), body, signal });
  }

  /** Writes the object to a file atomically. */
  async getFile(
    bucket: string,
    key: string,
    file: string,
    { signal, onBytes }: { readonly signal?: AbortSignal | undefined; readonly onBytes?: OnBytes | undefined } = {},
  ): Promise<void> {
    const { body } = await this.#send('GetObject', { method: 'GET', path: pathOf(bucket, key), signal });
    await mkdir(dirname(file), { recursive: true });
    const partial = `${file}.${process.pid}.partial`;
    try {
      if (onBytes !== undefined) body.on('data', (part: Buffer) => onBytes(part.length));
      await pipeline(body, createWriteStream(partial), { signal });
      await rename(partial, file);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  async getBytes(bucket: string, key: string): Promise<Buffer> {
    return readWhole(await this.#send('GetObject', { method: 'GET', path: pathOf(bucket, key) }));
  }

  /** The size of an object; undefined if it does not exist. */
  async sizeOf(bucket: string, key: string): Promise<number | undefined> {
    try {
      const { headers, body } = await this.#send('HeadObject', { method: 'HEAD', path: pathOf(bucket, key) });
      body.resume();
      return Number(headers['content-length']);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  async copy(from: { bucket: string; key: string }, to: { bucket: string; key: string }): Promise<void> {
    await this.#send('CopyObject', {
      method: 'PUT',
      path: pathOf(to.bucket, to.key),
      headers: { 'x-amz-copy-source': pathOf(from.bucket, from.key) },
    });
  }

  async delete(bucket: string, key: string): Promise<void> {
    await this.#send('DeleteObject', { method: 'DELETE', path: pathOf(bucket, key) });
  }

  async #xml(operation: string, path: string, query: Readonly<Record<string, string>>): Promise<ParsedXml> {
    const answer = await this.#send(operation, { method: 'GET', path, query });
    return readXml((await readWhole(answer)).toString());
  }

  /** @throws {SERVICE_REFUSED} */
  async #send(operation: string, request: Omit<WireRequest, 'service'>): Promise<WireAnswer> {
    const answer = await this.#wire.send({ service: 's3', ...request });
    if (answer.status < 300) {
      if (request.method !== 'GET') answer.body.resume();
      return answer;
    }
    throw serviceError('s3', operation, answer, (await readWhole(answer)).toString());
  }
}
