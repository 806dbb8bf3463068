// Places the files of a model in the folder that becomes /opt/ml/model: from one archive, or all objects below a prefix.

import { mkdir } from 'node:fs/promises';
import { ObjectError } from '../../objects/object-error.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { ClientFault } from '../client-fault.ts';
import type { ModelData } from '../store/resources.ts';
import { downloadFolder } from '../training/job-data.ts';
import { type ArchiveLimits, unpackUntrusted } from '../training/untrusted-archive.ts';

/**
 * Downloads and unpacks.
 * @throws {ClientFault} for data that is rejected or missing
 */
export async function placeModel(
  store: ObjectStore,
  { kind, bucket, key }: ModelData,
  folder: string,
  limits?: ArchiveLimits,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  try {
    if (kind === 'prefix') await downloadFolder(store, bucket, key, folder);
    else {
      const { bytes, object } = await store.read(bucket, key);
      const what = `The model archive s3://${bucket}/${key}`;
      await unpackUntrusted({ what, bytes, size: object.size }, folder, limits);
    }
  } catch (error) {
    if (!(error instanceof ObjectError)) throw error;
    throw new ClientFault(`Could not read the model data s3://${bucket}/${key}: ${error.message}`);
  }
}
