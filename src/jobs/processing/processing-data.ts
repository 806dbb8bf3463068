// Downloads the inputs of a processing job to a host: all objects below a prefix, or those listed in a manifest.

import { mkdir } from 'node:fs/promises';
import { z } from 'zod';
import type { ObjectStore } from '../../objects/object-store.ts';
import { ClientFault } from '../client-fault.ts';
import type { DiskBudget } from '../training/disk-budget.ts';
import { download, downloadChannel, insideOf, keysUnder } from '../training/job-data.ts';
import type { ProcessingInput } from './processing-job.ts';

const manifestSchema = z.tuple([z.strictObject({ prefix: z.string().regex(/^s3:\/\/[^/]+\//) })], z.string().min(1));
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/**
 * @throws {ClientFault} if there are no objects, or a manifest cannot be read
 * @throws {ObjectError}
 */
export async function downloadInput(
  store: ObjectStore,
  input: ProcessingInput,
  folder: string,
  host: { readonly index: number; readonly count: number },
  budget: DiskBudget,
): Promise<void> {
  const { bucket, key, distribution, gzip } = input;
  if (!input.isManifest) {
    if (keysUnder(store, bucket, key).next().done === true) throw noObjects(bucket, key);
    await downloadChannel(store, { bucket, prefix: key, distribution, gzip }, folder, host, budget);
    return;
  }
  await mkdir(folder, { recursive: true });
  const [{ prefix }, ...keys] = await readManifest(store, bucket, key);
  const [, from = '', base = ''] = /^s3:\/\/([^/]+)\/(.*)$/s.exec(prefix) ?? [];
  for (const [i, path] of keys.entries()) {
    if (distribution === 'ShardedByS3Key' && i % host.count !== host.index) continue;
    await download(store, from, base + path, insideOf(folder, gzip ? path.replace(/\.gz$/, '') : path), gzip, budget);
  }
}

async function readManifest(store: ObjectStore, bucket: string, key: string): Promise<z.infer<typeof manifestSchema>> {
  const name = `s3://${bucket}/${key}`;
  const { object, bytes } = await store.read(bucket, key);
  if (object.size > MAX_MANIFEST_BYTES)
    throw new ClientFault(`The manifest ${name} has more than ${MAX_MANIFEST_BYTES} bytes.`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  let json: unknown;
  try {
    json = JSON.parse(Buffer.concat(chunks).toString());
  } catch (error) {
    throw new ClientFault(`The manifest ${name} is not JSON: ${(error as Error).message}`);
  }
  const parsed = manifestSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new ClientFault(
    `The manifest ${name} must be a list such as [{"prefix": "s3://bucket/folder/"}, "a.csv"]: ${z.prettifyError(parsed.error)}`,
  );
}

const noObjects = (bucket: string, key: string): ClientFault =>
  new ClientFault(
    `No S3 objects found under S3 URL "s3://${bucket}/${key}" given in input data source. Please ensure that the bucket exists and that objects exist under that S3 prefix.`,
  );
