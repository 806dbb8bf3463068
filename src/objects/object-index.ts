// An SQLite database of the existing objects and their blobs. A change is one transaction, so an object exists
// completely or not at all, even after a crash.
import { join } from 'node:path';
import { Database } from '../base/database.ts';
import type { ChecksumAlgorithm } from './checksums.ts';

/** The metadata that is stored with an object and returned with it. */
export interface ObjectAttributes {
  readonly contentType: string | undefined;
  /** Content-Encoding, Cache-Control, Content-Disposition, Content-Language, Expires; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** x-amz-meta-…, without that prefix. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** How the checksum of an upload is made: from the checksums of its parts, or of all bytes. */
export type ChecksumType = 'COMPOSITE' | 'FULL_OBJECT';

export interface UploadChecksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly type: ChecksumType;
}

export interface ObjectRow {
  readonly key: string;
  readonly size: number;
  /** Without quotes: MD5 in hexadecimal, followed by `-N` for an upload in N parts. */
  readonly etag: string;
  readonly modifiedMs: number;
  readonly attributes: ObjectAttributes;
  readonly checksums: Readonly<Partial<Record<ChecksumAlgorithm, string>>>;
  readonly parts: readonly { readonly blob: string; readonly size: number }[];
}

export interface UploadRow {
  readonly id: string;
  readonly bucket: string;
  readonly key: string;
  readonly createdMs: number;
  readonly attributes: ObjectAttributes;
  readonly checksum: UploadChecksum | undefined;
}

export interface PartRow {
  readonly number: number;
  readonly size: number;
  readonly etag: string;
  readonly modifiedMs: number;
  readonly blob: string;
  readonly checksums: Readonly<Partial<Record<ChecksumAlgorithm, string>>>;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY, created_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS objects (
    bucket TEXT NOT NULL REFERENCES buckets, key BLOB NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL,
    modified_ms INTEGER NOT NULL, attributes TEXT NOT NULL, checksums TEXT NOT NULL, parts TEXT NOT NULL,
    PRIMARY KEY (bucket, key)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS uploads (
    id TEXT PRIMARY KEY, bucket TEXT NOT NULL REFERENCES buckets, key BLOB NOT NULL, created_ms INTEGER NOT NULL,
    attributes TEXT NOT NULL, checksum TEXT) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS parts (
    upload TEXT NOT NULL REFERENCES uploads, number INTEGER NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL,
    modified_ms INTEGER NOT NULL, blob TEXT NOT NULL, checksums TEXT NOT NULL,
    PRIMARY KEY (upload, number)) STRICT, WITHOUT ROWID;
`;

type Row = Readonly<Record<string, unknown>>;

export class ObjectIndex {
  readonly #database: Database;

  constructor(folder: string) {
    this.#database = new Database(join(folder, 'index.sqlite'), SCHEMA, 'FULL');
  }

  close(): void {
    this.#database.close();
  }

  /** Runs `change` in one transaction. */
  transaction<T>(change: () => T): T {
    return this.#database.transaction(change);
  }

  /** The bytes that all objects and parts may have; undefined: no limit. Kept with the store, for all processes. */
  get quota(): number | undefined {
    return this.#get("SELECT value FROM settings WHERE name = 'quota'")?.value as number | undefined;
  }

  setQuota(bytes: number | undefined): void {
    if (bytes === this.quota) return;
    if (bytes === undefined) this.#run("DELETE FROM settings WHERE name = 'quota'");
    else this.#run("INSERT OR REPLACE INTO settings VALUES ('quota', ?)", bytes);
  }

  /** The bytes of all objects and parts. */
  usedBytes(): number {
    const row = this.#get('SELECT (SELECT total(size) FROM objects) + (SELECT total(size) FROM parts) AS bytes');
    return row!.bytes as number;
  }

  buckets(): readonly { readonly name: string; readonly createdMs: number }[] {
    return this.#all('SELECT name, created_ms FROM buckets ORDER BY name').map(row => ({
      name: row.name as string,
      createdMs: row.created_ms as number,
    }));
  }

  hasBucket(name: string): boolean {
    return this.#get('SELECT 1 FROM buckets WHERE name = ?', name) !== undefined;
  }

  addBucket(name: string, createdMs: number): void {
    this.#run('INSERT INTO buckets (name, created_ms) VALUES (?, ?)', name, createdMs);
  }

  removeBucket(name: string): void {
    this.#run('DELETE FROM buckets WHERE name = ?', name);
  }

  object(bucket: string, key: string): ObjectRow | undefined {
    const row = this.#get('SELECT * FROM objects WHERE bucket = ? AND key = ?', bucket, Buffer.from(key));
    return row && objectOf(row);
  }

  /** Up to `limit` objects whose keys start with `prefix` and are at least `from`, in the order of their bytes. */
  objectsFrom(bucket: string, prefix: Uint8Array, from: Uint8Array, limit: number): readonly ObjectRow[] {
    const end = afterPrefix(prefix);
    const start = Buffer.compare(prefix, from) > 0 ? prefix : from;
    const rows =
      end === undefined
        ? this.#all('SELECT * FROM objects WHERE bucket = ? AND key >= ? ORDER BY key LIMIT ?', bucket, start, limit)
        : this.#all(
            'SELECT * FROM objects WHERE bucket = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?',
            bucket,
            start,
            end,
            limit,
          );
    return rows.map(objectOf);
  }

  setObject(bucket: string, row: ObjectRow): void {
    this.#run(
      'INSERT OR REPLACE INTO objects (bucket, key, size, etag, modified_ms, attributes, checksums, parts) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      bucket,
      Buffer.from(row.key),
      row.size,
      row.etag,
      row.modifiedMs,
      JSON.stringify(row.attributes),
      JSON.stringify(row.checksums),
      JSON.stringify(row.parts),
    );
  }

  removeObject(bucket: string, key: string): void {
    this.#run('DELETE FROM objects WHERE bucket = ? AND key = ?', bucket, Buffer.from(key));
  }

  uploads(bucket: string): readonly UploadRow[] {
    return this.#all('SELECT * FROM uploads WHERE bucket = ? ORDER BY key, created_ms', bucket).map(uploadOf);
  }

  upload(id: string): UploadRow | undefined {
    const row = this.#get('SELECT * FROM uploads WHERE id = ?', id);
    return row && uploadOf(row);
  }

  addUpload({ id, bucket, key, createdMs, attributes, checksum }: UploadRow): void {
    this.#run(
      'INSERT INTO uploads (id, bucket, key, created_ms, attributes, checksum) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      bucket,
      Buffer.from(key),
      createdMs,
      JSON.stringify(attributes),
      checksum === undefined ? null : `${checksum.algorithm} ${checksum.type}`,
    );
  }

  removeUpload(id: string): void {
    this.#run('DELETE FROM parts WHERE upload = ?', id);
    this.#run('DELETE FROM uploads WHERE id = ?', id);
  }

  parts(upload: string): readonly PartRow[] {
    return this.#all('SELECT * FROM parts WHERE upload = ? ORDER BY number', upload).map(row => ({
      number: row.number as number,
      size: row.size as number,
      etag: row.etag as string,
      modifiedMs: row.modified_ms as number,
      blob: row.blob as string,
      checksums: parse(row.checksums),
    }));
  }

  setPart(upload: string, { number, size, etag, modifiedMs, blob, checksums }: PartRow): void {
    this.#run(
      'INSERT OR REPLACE INTO parts (upload, number, size, etag, modified_ms, blob, checksums) VALUES (?, ?, ?, ?, ?, ?, ?)',
      upload,
      number,
      size,
      etag,
      modifiedMs,
      blob,
      JSON.stringify(checksums),
    );
  }

  /** The blobs of all objects and of all parts of uploads. */
  *blobs(): Generator<string> {
    for (const row of this.#all('SELECT parts FROM objects'))
      for (const { blob } of parse<ObjectRow['parts']>(row.parts)) yield blob;
    for (const row of this.#all('SELECT blob FROM parts')) yield row.blob as string;
  }

  #all(sql: string, ...values: readonly Value[]): readonly Row[] {
    return this.#database.prepare(sql).all(...values);
  }

  #get(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#database.prepare(sql).get(...values);
  }

  #run(sql: string, ...values: readonly Value[]): void {
    this.#database.prepare(sql).run(...values);
  }
}

type Value = string | number | null | Uint8Array;

/** Keys are stored as bytes, so that SQLite compares them as S3 does. */
const text = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString();

const parse = <T>(json: unknown): T => JSON.parse(json as string) as T;

const objectOf = (row: Row): ObjectRow => ({
  key: text(row.key),
  size: row.size as number,
  etag: row.etag as string,
  modifiedMs: row.modified_ms as number,
  attributes: parse(row.attributes),
  checksums: parse(row.checksums),
  parts: parse(row.parts),
});

const uploadOf = (row: Row): UploadRow => ({
  id: row.id as string,
  bucket: row.bucket as string,
  key: text(row.key),
  createdMs: row.created_ms as number,
  attributes: parse(row.attributes),
  checksum: row.checksum === null ? undefined : checksumOf(row.checksum as string),
});

/** Uploads that older versions started have no type: theirs is COMPOSITE. */
function checksumOf(stored: string): UploadChecksum {
  const [algorithm, type = 'COMPOSITE'] = stored.split(' ');
  return { algorithm: algorithm as ChecksumAlgorithm, type: type as ChecksumType };
}

/** The first key after all keys with the prefix; undefined if there is none. */
export function afterPrefix(prefix: Uint8Array): Uint8Array | undefined {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 255) length--;
  if (length === 0) return undefined;
  const end = Uint8Array.from(prefix.subarray(0, length));
  end[length - 1]!++;
  return end;
}
