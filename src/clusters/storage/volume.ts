// A shared file system of a cluster: the requested one, the folder on this machine that represents it, and how it is mounted.
//
//   bind      the folder is mounted at MountDir in the namespace of each node; the machine itself has an empty directory there
//   machine   MountDir is a non-empty directory of this machine, which all nodes already share: used directly
//   none      without root nothing can be mounted: the folder is used at its own path
import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { ClusterFile, SharedStorageSection, StorageType } from '../config/cluster-file.ts';
import { mountDirOf, settingsOf } from '../config/storage-rules.ts';

export const volumeSchema = z.object({
  name: z.string(),
  storageType: z.string(),
  mountDir: z.string(),
  /** The folder on this machine that represents it. */
  folder: z.string(),
  mount: z.enum(['bind', 'machine', 'none']),
  /** Whether the folder is kept when the cluster is deleted: an existing file system, or DeletionPolicy: Retain. */
  isKept: z.boolean(),
  /** Directories that were created on this machine for the mount, outermost first. */
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
  /** The folder of all clusters; volumes that outlive their cluster are next to it. */
  readonly root: string;
  readonly clusterFolder: string;
  readonly clusterName: string;
  readonly canMount: boolean;
  /** Whether its nodes are ssh hosts, which have mounted it themselves; `checkShared` has verified that. */
  readonly isMountedByHosts: boolean;
}

/** Creates the folders and mount points of a file's SharedStorage. @param before existing volumes of the cluster */
export function makeVolumes(file: ClusterFile, site: VolumeSite, before: readonly Volume[] = []): readonly Volume[] {
  return (file.SharedStorage ?? []).map(storage => {
    const mountDir = mountDirOf(storage);
    return before.find(one => one.name === storage.Name && one.mountDir === mountDir) ?? makeVolume(storage, site);
  });
}

/** The directories of the shared storage of a file. */
export const mountDirsOf = (file: ClusterFile): readonly string[] => (file.SharedStorage ?? []).map(mountDirOf);

function makeVolume(storage: SharedStorageSection, site: VolumeSite): Volume {
  const { root, clusterFolder, clusterName, canMount, isMountedByHosts } = site;
  const mountDir = mountDirOf(storage);
  const id = existingId(storage);
  const isKept = id !== undefined || settingsOf(storage).DeletionPolicy === 'Retain';
  const common = { name: storage.Name, storageType: storage.StorageType, mountDir, isKept };
  if (isMountedByHosts || hasEntries(mountDir)) return { ...common, folder: mountDir, mount: 'machine', made: [] };
  const folder = isKept
    ? join(volumesFolder(root), id ?? `${clusterName}-${encodeURIComponent(storage.Name)}`)
    : join(clusterFolder, 'shared', encodeURIComponent(storage.Name));
  mkdirSync(folder, { recursive: true });
  // As in ParallelCluster: all users can create files, but only change their own.
  if (!isKept || readdirSync(folder).length === 0) chmodSync(folder, 0o1777);
  if (!canMount) return { ...common, folder, mount: 'none', made: [] };
  return { ...common, folder, mount: 'bind', made: makeDirectories(mountDir) };
}

const volumesFolder = (root: string): string => join(dirname(root), 'volumes');

/** Creates a directory; returns the created ones, outermost first. */
function makeDirectories(path: string): string[] {
  const missing: string[] = [];
  for (let one = path; !existsSync(one); one = dirname(one)) missing.unshift(one);
  mkdirSync(path, { recursive: true });
  return missing;
}

function hasEntries(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(path).length > 0;
}

/** Removes the data of volumes that are not kept. */
export function removeVolumes(volumes: readonly Volume[]): void {
  for (const { folder, mount, isKept } of volumes)
    if (mount !== 'machine' && !isKept) rmSync(folder, { recursive: true, force: true });
}

/**
 * Removes directories that were created for mounts.
 * @param others volumes of other clusters: shared mount points are kept, because removing them would unmount them in their nodes
 */
export function removeMountPoints(mountPoints: readonly string[], others: readonly Volume[]): void {
  const used = new Set(others.map(({ mountDir }) => mountDir));
  // Longer paths first, because they are nested.
  for (const path of [...mountPoints].sort((a, b) => b.length - a.length)) {
    if ([...used].some(dir => dir === path || dir.startsWith(`${path}/`))) continue;
    try {
      rmdirSync(path);
    } catch (error) {
      // It is no longer empty.
      if (!['ENOTEMPTY', 'ENOENT', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

/** The mounts of each node, as lines `FROM<tab>TO`. */
export const mountTable = (volumes: readonly Volume[]): string =>
  volumes
    .filter(({ mount }) => mount === 'bind')
    .map(({ folder, mountDir }) => `${folder}\t${mountDir}`)
    // Outer mounts first; they would hide nested ones.
    .toSorted((a, b) => a.length - b.length)
    .join('\n');

/** The throughput requested in the file, in MB/s; undefined if it depends on usage. */
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
      // https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html: MB/s per TiB.
      const capacity = number('StorageCapacity');
      const perTiB = number('PerUnitStorageThroughput') ?? 200;
      return capacity === undefined ? undefined : Math.round((capacity / 1024) * perTiB);
    }
    default:
      return undefined;
  }
}
