// A shared file system of a cluster: what the file asks for, the folder of this machine that stands for it, and how nodes see it.
//
//   bind      the folder is mounted at MountDir in the view of each node; the machine itself has an empty directory there
//   machine   MountDir is a directory of this machine with something in it, which all nodes share already: used as it is
//   none      without root nothing can be mounted: the folder is there, under its own path
import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { ClusterFile, SharedStorageSection, StorageType } from '../config/cluster-file.ts';
import { mountDirOf, settingsOf } from '../config/storage-rules.ts';

export const volumeSchema = z.object({
  name: z.string(),
  storageType: z.string(),
  mountDir: z.string(),
  /** The folder that stands for it. */
  folder: z.string(),
  mount: z.enum(['bind', 'machine', 'none']),
  /** Whether the folder stays when the cluster is deleted: of an existing file system, or with DeletionPolicy: Retain. */
  isKept: z.boolean(),
  /** Directories that were made on this machine for the mount, the outermost first. */
  made: z.array(z.string()),
});
export type Volume = Readonly<z.output<typeof volumeSchema>>;

const idKeys = ['FileSystemId', 'VolumeId', 'FileCacheId'];
/** The id of an existing file system: `fs-…`. */
const existingId = (storage: SharedStorageSection): string | undefined => {
  const settings = settingsOf(storage);
  const key = idKeys.find(one => settings[one] !== undefined);
  return key === undefined ? undefined : String(settings[key]);
};

export interface VolumeSite {
  /** The folder of all clusters; volumes that outlive their cluster are beside it. */
  readonly root: string;
  readonly clusterFolder: string;
  readonly clusterName: string;
  readonly canMount: boolean;
}

/** Makes the folders and mount points of a file's SharedStorage. @param before volumes that the cluster has already */
export function makeVolumes(file: ClusterFile, site: VolumeSite, before: readonly Volume[] = []): readonly Volume[] {
  return (file.SharedStorage ?? []).map(storage => {
    const mountDir = mountDirOf(storage);
    return before.find(one => one.name === storage.Name && one.mountDir === mountDir) ?? makeVolume(storage, site);
  });
}

function makeVolume(storage: SharedStorageSection, { root, clusterFolder, clusterName, canMount }: VolumeSite): Volume {
  const mountDir = mountDirOf(storage);
  const id = existingId(storage);
  const isKept = id !== undefined || settingsOf(storage).DeletionPolicy === 'Retain';
  const common = { name: storage.Name, storageType: storage.StorageType, mountDir, isKept };
  if (hasEntries(mountDir)) return { ...common, folder: mountDir, mount: 'machine', made: [] };
  const folder = isKept
    ? join(volumesFolder(root), id ?? `${clusterName}-${encodeURIComponent(storage.Name)}`)
    : join(clusterFolder, 'shared', encodeURIComponent(storage.Name));
  mkdirSync(folder, { recursive: true });
  // As ParallelCluster leaves it: every user's files, but their own only.
  if (!isKept || readdirSync(folder).length === 0) chmodSync(folder, 0o1777);
  if (!canMount) return { ...common, folder, mount: 'none', made: [] };
  return { ...common, folder, mount: 'bind', made: makeDirectories(mountDir) };
}

const volumesFolder = (root: string): string => join(dirname(root), 'volumes');

/** Makes a directory; returns those that were missing, the outermost first. */
function makeDirectories(path: string): string[] {
  const missing: string[] = [];
  for (let one = path; !existsSync(one); one = dirname(one)) missing.unshift(one);
  mkdirSync(path, { recursive: true });
  return missing;
}

function hasEntries(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(path).length > 0;
}

/** Removes the data of volumes that are not to be kept. */
export function removeVolumes(volumes: readonly Volume[]): void {
  for (const { folder, mount, isKept } of volumes)
    if (mount !== 'machine' && !isKept) rmSync(folder, { recursive: true, force: true });
}

/**
 * Removes directories that were made for mounts.
 * @param others volumes of other clusters: a mount point that is theirs, too, stays; removing it would unmount it in their nodes
 */
export function removeMountPoints(mountPoints: readonly string[], others: readonly Volume[]): void {
  const used = new Set(others.map(({ mountDir }) => mountDir));
  // Longer paths first: those inside.
  for (const path of [...mountPoints].sort((a, b) => b.length - a.length)) {
    if ([...used].some(dir => dir === path || dir.startsWith(`${path}/`))) continue;
    try {
      rmdirSync(path);
    } catch (error) {
      // Somebody has put something there.
      if (!['ENOTEMPTY', 'ENOENT', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

/** `FROM<tab>TO` lines of what each node mounts. */
export const mountTable = (volumes: readonly Volume[]): string =>
  volumes
    .filter(({ mount }) => mount === 'bind')
    .map(({ folder, mountDir }) => `${folder}\t${mountDir}`)
    // An outer mount first: one inside would be hidden by it.
    .toSorted((a, b) => a.length - b.length)
    .join('\n');

/** The throughput that the file asks for, in MB/s; undefined where it depends on use. */
export function configuredThroughput(storage: SharedStorageSection): number | undefined {
  const settings = settingsOf(storage);
  const number = (key: string): number | undefined => (settings[key] === undefined ? undefined : Number(settings[key]));
  switch (storage.StorageType satisfies StorageType) {
    case 'Ebs':
      // https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html
      return number('Throughput') ?? { gp3: 125, gp2: 250 }[String(settings.VolumeType ?? 'gp3')];
    case 'Efs':
      return number('ProvisionedThroughput');
    case 'FsxLustre': {
      // https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html: MB/s for each TiB.
      const capacity = number('StorageCapacity');
      const perTiB = number('PerUnitStorageThroughput') ?? 200;
      return capacity === undefined ? undefined : Math.round((capacity / 1024) * perTiB);
    }
    default:
      return undefined;
  }
}
