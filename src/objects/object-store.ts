// Buckets and objects in a folder: the semantics of S3, not its protocol (src/api/aws/s3).
//
//   FOLDER/index.sqlite   which objects exist (object-index.ts)
//   FOLDER/blobs/…        their bytes (blobs.ts)
//
// A write puts its bytes on the disk first, then becomes visible in one transaction, then removes the bytes it replaced. A crash
// leaves the object as it was before, and perhaps a blob without a row; `sweep` removes those.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import { Blobs, type WrittenBlob } from './blobs.ts';
import { type ByteRange, blobRanges, type Piece, pieceRange } from './byte-range.ts';
import type { ChecksumAlgorithm } from './checksums.ts';
import { combines } from './combined-crc.ts';
import { type CompletedPart, checkedParts, checksumOfParts, compositeEtag } from './completed-parts.ts';
import { type Conditions, checkCopied, checkRead, checkWrite } from './conditions.ts';
import { checkBytes, type ExpectedBytes } from './expected-bytes.ts';
import { checkBucketName, checkKey } from './names.ts';
import { ObjectError } from './object-error.ts';
import {
  type ChecksumType,
  type ObjectAttributes,
  ObjectIndex,
  type ObjectRow,
  type PartRow,
  type UploadRow,
} from './object-index.ts';
import { type ListOptions, type ListPage, listObjects } from './object-list.ts';
import { checkTags } from './tags.ts';

const GIB = 1024 ** 3;
const MAX_PUT_BYTES = 5 * GIB;
const MAX_PARTS = 10_000;
const MAX_METADATA_BYTES = 2048;

const NO_ATTRIBUTES: ObjectAttributes = { contentType: undefined, headers: {}, metadata: {} };

export interface PutOptions {
  readonly attributes?: ObjectAttributes | undefined;
  readonly expected?: ExpectedBytes | undefined;
  /** Computed and stored, even if the sender does not send it. */
  readonly checksum?: ChecksumAlgorithm | undefined;
  readonly conditions?: Conditions | undefined;
}

export interface ObjectRead {
  readonly object: ObjectRow;
  /** Undefined: the whole object. */
  readonly range: ByteRange | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export class ObjectStore {
  readonly #index: ObjectIndex;
  readonly #blobs: Blobs;
  readonly #now: () => number;
  /** Blobs that are being written: not garbage, though no row refers to them yet. */
  readonly #unlisted = new Set<string>();

  constructor(folder: string, now: () => number = Date.now) {
    makeFolder(folder, 0o700);
    this.#index = new ObjectIndex(folder);
    this.#blobs = new Blobs(join(folder, 'blobs'));
    this.#now = now;
  }

  close(): void {
    this.#index.close();
  }

  /** @param bytes of all objects and parts; undefined: no limit */
  setQuota(bytes: number | undefined): void {
    this.#index.setQuota(bytes);
  }

  buckets(): readonly { readonly name: string; readonly createdMs: number }[] {
    return this.#index.buckets();
  }

  /** @throws {ObjectError} InvalidBucketName, BucketAlreadyOwnedByYou */
  createBucket(name: string): void {
    checkBucketName(name);
    if (this.#index.hasBucket(name))
      throw new ObjectError(
        'BucketAlreadyOwnedByYou',
        'Your previous request to create the named bucket succeeded and you already own it.',
      );
    this.#index.addBucket(name, this.#now());
  }

  /** @throws {ObjectError} NoSuchBucket, BucketNotEmpty */
  async deleteBucket(name: string): Promise<void> {
    this.checkBucket(name);
    const blobs = this.#index.transaction(() => {
      if (this.#index.objectsFrom(name, new Uint8Array(), new Uint8Array(), 1).length > 0)
        throw new ObjectError('BucketNotEmpty', 'The bucket you tried to delete is not empty');
      const uploads = this.#index.uploads(name);
      const parts = uploads.flatMap(({ id }) => this.#index.parts(id));
      for (const { id } of uploads) this.#index.removeUpload(id);
      this.#index.removeBucket(name);
      return parts.map(({ blob }) => blob);
    });
    await this.#blobs.remove(blobs);
  }

  /** @throws {ObjectError} NoSuchBucket */
  checkBucket(name: string): void {
    if (!this.#index.hasBucket(name)) throw new ObjectError('NoSuchBucket', 'The specified bucket does not exist');
  }

  /** @throws {ObjectError} NoSuchBucket */
  list(bucket: string, options: ListOptions): ListPage {
    this.checkBucket(bucket);
    return listObjects(this.#index, bucket, options);
  }

  /** @throws {ObjectError} NoSuchBucket, NoSuchKey, PreconditionFailed, NotModified */
  head(bucket: string, key: string, conditions: Conditions = {}): ObjectRow {
    this.checkBucket(bucket);
    const object = this.#index.object(bucket, key);
    if (object === undefined) throw new ObjectError('NoSuchKey', 'The specified key does not exist.');
    checkRead(object, conditions);
    return object;
  }

  /**
   * The bytes of an object, or of a range of it. They stay readable if the object is replaced or deleted meanwhile.
   * @param piece a Range header, such as `bytes=0-99`, or a part; an invalid header is ignored, as HTTP requires
   * @throws {ObjectError} NoSuchBucket, NoSuchKey, PreconditionFailed, NotModified, InvalidRange, InvalidPartNumber
   */
  async read(bucket: string, key: string, piece?: Piece, conditions: Conditions = {}): Promise<ObjectRead> {
    const object = this.head(bucket, key, conditions);
    const bytes = pieceRange(object, piece);
    const { start, end } = bytes ?? { start: 0, end: object.size };
    return { object, range: bytes, bytes: await this.#blobs.read(blobRanges(object.parts, start, end)) };
  }

  /**
   * Writes an object; readers see all of it or nothing.
   * @throws {ObjectError}
   * @throws {DISK_FULL}
   */
  async put(
    bucket: string,
    key: string,
    body: AsyncIterable<Uint8Array>,
    options: PutOptions = {},
  ): Promise<ObjectRow> {
    this.checkBucket(bucket);
    checkKey(key);
    const attributes = checkedAttributes(options.attributes);
    // Before the body is read, and once more when the object becomes visible.
    checkWrite(this.#index.object(bucket, key), options.conditions ?? {});
    return this.#withBlob(body, options.expected, options.checksum, async written => {
      const row: ObjectRow = {
        key,
        size: written.size,
        etag: written.md5,
        modifiedMs: this.#now(),
        attributes,
        checksums: written.checksums,
        parts: [{ blob: written.blob, size: written.size }],
      };
      await this.#replace(bucket, row, options.conditions);
      return row;
    });
  }

  /** As `read`, for a copy: conditions that do not hold are errors. @throws {ObjectError} */
  async readSource(bucket: string, key: string, range?: string, conditions: Conditions = {}): Promise<ObjectRead> {
    checkCopied(this.head(bucket, key), conditions);
    return this.read(bucket, key, range);
  }

  /**
   * Replaces the tags of an object.
   * @throws {ObjectError} NoSuchBucket, NoSuchKey, InvalidTag
   */
  setTags(bucket: string, key: string, tags: Readonly<Record<string, string>>): void {
    checkTags(tags);
    this.#index.transaction(() => {
      const object = this.head(bucket, key);
      this.#index.setObject(bucket, { ...object, attributes: { ...object.attributes, tags } });
    });
  }

  /**
   * @param attributes of the copy, perhaps from those of the source; by default, the same
   * @param checksum of the copy; by default, the source's
   * @throws {ObjectError} NoSuchBucket, NoSuchKey, PreconditionFailed
   */
  async copy(
    from: { readonly bucket: string; readonly key: string; readonly conditions?: Conditions | undefined },
    bucket: string,
    key: string,
    attributes?: ObjectAttributes | ((source: ObjectAttributes) => ObjectAttributes),
    checksum?: ChecksumAlgorithm,
  ): Promise<ObjectRow> {
    const { object, bytes } = await this.readSource(from.bucket, from.key, undefined, from.conditions);
    const [same] = Object.keys(object.checksums) as ChecksumAlgorithm[];
    const changed = typeof attributes === 'function' ? attributes(object.attributes) : attributes;
    return this.put(bucket, key, bytes, { attributes: changed ?? object.attributes, checksum: checksum ?? same });
  }

  /** An object that does not exist counts as deleted. @throws {ObjectError} NoSuchBucket */
  async delete(bucket: string, key: string): Promise<void> {
    this.checkBucket(bucket);
    const object = this.#index.object(bucket, key);
    if (object === undefined) return;
    this.#index.removeObject(bucket, key);
    await this.#blobs.remove(object.parts.map(({ blob }) => blob));
  }

  /**
   * @param type of the checksum; by default COMPOSITE, except for CRC64NVME
   * @throws {ObjectError} NoSuchBucket, KeyTooLongError, MetadataTooLarge, InvalidTag, InvalidRequest
   */
  createUpload(
    bucket: string,
    key: string,
    attributes: ObjectAttributes | undefined,
    algorithm: ChecksumAlgorithm | undefined,
    type: ChecksumType = algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE',
  ): UploadRow {
    this.checkBucket(bucket);
    checkKey(key);
    if (algorithm !== undefined && !(type === 'COMPOSITE' ? algorithm !== 'CRC64NVME' : combines(algorithm)))
      throw new ObjectError(
        'InvalidRequest',
        `The ${type} checksum type cannot be used with the ${algorithm.toLowerCase()} checksum algorithm.`,
      );
    const upload: UploadRow = {
      id: randomBytes(24).toString('hex'),
      bucket,
      key,
      createdMs: this.#now(),
      attributes: checkedAttributes(attributes),
      checksum: algorithm && { algorithm, type },
    };
    this.#index.addUpload(upload);
    return upload;
  }

  uploads(bucket: string): readonly UploadRow[] {
    this.checkBucket(bucket);
    return this.#index.uploads(bucket);
  }

  parts(bucket: string, key: string, upload: string): readonly PartRow[] {
    return this.#index.parts(this.#upload(bucket, key, upload).id);
  }

  /** @throws {ObjectError} NoSuchUpload, InvalidArgument, BadDigest */
  async putPart(
    { bucket, key, upload, number }: { bucket: string; key: string; upload: string; number: number },
    body: AsyncIterable<Uint8Array>,
    expected?: ExpectedBytes,
  ): Promise<PartRow> {
    const { checksum } = this.#upload(bucket, key, upload);
    if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS)
      throw new ObjectError('InvalidArgument', `Part number must be an integer between 1 and ${MAX_PARTS}, inclusive`);
    return this.#withBlob(body, expected, checksum?.algorithm, async written => {
      const part: PartRow = {
        number,
        size: written.size,
        etag: written.md5,
        modifiedMs: this.#now(),
        blob: written.blob,
        checksums: written.checksums,
      };
      const replaced = this.#index.transaction(() => {
        // The upload may have been completed or aborted while the bytes were received.
        this.#upload(bucket, key, upload);
        const old = this.#index.parts(upload).find(one => one.number === number);
        this.#index.setPart(upload, part);
        return old;
      });
      if (replaced !== undefined) await this.#blobs.remove([replaced.blob]);
      return part;
    });
  }

  /**
   * @param expected the checksums of the object that the client has computed
   * @throws {ObjectError} NoSuchUpload, InvalidPart, InvalidPartOrder, EntityTooSmall, PreconditionFailed, BadDigest
   */
  async completeUpload(
    bucket: string,
    key: string,
    upload: string,
    completed: readonly CompletedPart[],
    conditions?: Conditions,
    expected: ObjectRow['checksums'] = {},
  ): Promise<ObjectRow> {
    const { attributes, checksum } = this.#upload(bucket, key, upload);
    const stored = new Map(this.#index.parts(upload).map(part => [part.number, part]));
    const parts = checkedParts(completed, stored);
    const row: ObjectRow = {
      key,
      size: parts.reduce((sum, { size }) => sum + size, 0),
      etag: compositeEtag(parts),
      modifiedMs: this.#now(),
      attributes,
      checksums: checksum === undefined ? {} : checksumOfParts(checksum, parts),
      parts: parts.map(({ blob, size }) => ({ blob, size })),
    };
    for (const [algorithm, value] of Object.entries(expected))
      if (row.checksums[algorithm as ChecksumAlgorithm] !== value)
        throw new ObjectError('BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`);
    await this.#replace(bucket, row, conditions, upload);
    const used = new Set(parts.map(({ blob }) => blob));
    await this.#blobs.remove([...stored.values()].map(({ blob }) => blob).filter(blob => !used.has(blob)));
    return row;
  }

  /** @throws {ObjectError} NoSuchUpload */
  async abortUpload(bucket: string, key: string, upload: string): Promise<void> {
    this.#upload(bucket, key, upload);
    const parts = this.#index.transaction(() => {
      const stored = this.#index.parts(upload);
      this.#index.removeUpload(upload);
      return stored;
    });
    await this.#blobs.remove(parts.map(({ blob }) => blob));
  }

  /**
   * Deletes blobs left by crashes. Returns their number.
   * @param idleMs only those that have not been written to for this long: another process may be writing them
   */
  async sweep(idleMs = 0): Promise<number> {
    const candidates: string[] = [];
    for await (const blob of this.#blobs.list()) candidates.push(blob);
    const used = new Set([...this.#index.blobs(), ...this.#unlisted]);
    const unused = candidates.filter(blob => !used.has(blob));
    const garbage = idleMs === 0 ? unused : await this.#blobs.writtenBefore(unused, this.#now() - idleMs);
    await this.#blobs.remove(garbage);
    return garbage.length;
  }

  #upload(bucket: string, key: string, id: string): UploadRow {
    this.checkBucket(bucket);
    const upload = this.#index.upload(id);
    if (upload === undefined || upload.bucket !== bucket || upload.key !== key)
      throw new ObjectError(
        'NoSuchUpload',
        'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
      );
    return upload;
  }

  /** Writes a blob, compares it with what is expected, and hands it to `commit`; if that fails, the blob is removed. */
  async #withBlob<T>(
    body: AsyncIterable<Uint8Array>,
    expected: ExpectedBytes | undefined,
    checksum: ChecksumAlgorithm | undefined,
    commit: (written: WrittenBlob) => Promise<T>,
  ): Promise<T> {
    const algorithms = new Set([...(expected?.checksums?.keys() ?? []), ...(checksum === undefined ? [] : [checksum])]);
    this.#checkQuota(0);
    const written = await this.#blobs.write(body, {
      maxBytes: MAX_PUT_BYTES,
      checksums: [...algorithms],
      sha256: expected?.sha256 !== undefined,
    });
    this.#unlisted.add(written.blob);
    try {
      this.#checkQuota(written.size);
      checkBytes(written, expected);
      return await commit(written);
    } catch (error) {
      await this.#blobs.remove([written.blob]);
      throw error;
    } finally {
      this.#unlisted.delete(written.blob);
    }
  }

  /** @throws {ObjectError} QuotaExceeded */
  #checkQuota(bytes: number): void {
    const quota = this.#index.quota;
    if (quota !== undefined && this.#index.usedBytes() + bytes > quota)
      throw new ObjectError('QuotaExceeded', `The objects of this server may have ${quota} bytes, and have used them.`);
  }

  async #replace(bucket: string, row: ObjectRow, conditions: Conditions = {}, upload?: string): Promise<void> {
    const old = this.#index.transaction(() => {
      this.checkBucket(bucket);
      const existing = this.#index.object(bucket, row.key);
      checkWrite(existing, conditions);
      if (upload !== undefined) {
        this.#upload(bucket, row.key, upload);
        this.#index.removeUpload(upload);
      }
      this.#index.setObject(bucket, row);
      return existing;
    });
    if (old !== undefined) await this.#blobs.remove(old.parts.map(({ blob }) => blob));
  }
}

function checkedAttributes(attributes: ObjectAttributes = NO_ATTRIBUTES): ObjectAttributes {
  const bytes = Object.entries(attributes.metadata).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  );
  if (bytes > MAX_METADATA_BYTES)
    throw new ObjectError(
      'MetadataTooLarge',
      `Your metadata headers exceed the maximum allowed metadata size: ${bytes} of ${MAX_METADATA_BYTES} bytes`,
    );
  checkTags(attributes.tags ?? {});
  return attributes;
}
