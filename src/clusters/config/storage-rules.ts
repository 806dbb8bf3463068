// Rules about shared storage.
import type { SharedStorageSection, StorageType } from './cluster-file.ts';
import { type Finding, type Rule, repeated } from './rule.ts';

const MAX_NAME = 30;
const settingsKeys = {
  Ebs: 'EbsSettings',
  Efs: 'EfsSettings',
  FsxLustre: 'FsxLustreSettings',
  FsxOpenZfs: 'FsxOpenZfsSettings',
  FsxOntap: 'FsxOntapSettings',
  FileCache: 'FileCacheSettings',
} as const satisfies Record<StorageType, keyof SharedStorageSection>;

/** Directories of the system, which nothing may be mounted over. */
const reserved = new Set(
  `/bin /boot /dev /etc /lib /lib64 /media /mnt /opt /opt/parallelcluster /opt/parallelcluster/shared
  /opt/parallelcluster/shared_login_nodes /opt/slurm /opt/intel /proc /root /run /sbin /srv /sys /tmp /usr /var`.split(
    /\s+/,
  ),
);

/** The maximum number of new volumes of each kind. */
const limits = { Ebs: 5, Efs: 1, FsxLustre: 1 } as const;

/** The settings of a volume; empty if it has none. */
export const settingsOf = (storage: SharedStorageSection) => storage[settingsKeys[storage.StorageType]] ?? {};
/** The absolute path; ParallelCluster allows omitting the leading slash. */
export const mountDirOf = ({ MountDir }: SharedStorageSection): string =>
  MountDir.startsWith('/') ? MountDir : `/${MountDir}`;

function* settingsFindings(storage: SharedStorageSection, path: string): Generator<Finding> {
  const given = Object.values(settingsKeys).filter(key => storage[key] !== undefined);
  if (given.length > 1) yield { path, message: `has ${given.join(' and ')}: keep the one of its StorageType` };
  for (const key of given)
    if (key !== settingsKeys[storage.StorageType])
      yield { path: `${path}.${key}`, message: `does not belong to the StorageType ${storage.StorageType}` };
  if (['FsxOpenZfs', 'FsxOntap', 'FileCache'].includes(storage.StorageType) && given.length === 0)
    yield { path: `${path}.${settingsKeys[storage.StorageType]}`, message: 'is missing: it names the volume' };
  const settings = settingsOf(storage);
  const at = `${path}.${settingsKeys[storage.StorageType]}`;
  const keys = Object.keys(settings);
  if (storage.StorageType === 'Efs') {
    const allowed = ['FileSystemId', 'EncryptionInTransit', 'IamAuthorization', 'AccessPointId'];
    if (settings.FileSystemId !== undefined)
      for (const key of keys.filter(key => !allowed.includes(key)))
        yield { path: `${at}.${key}`, message: 'cannot be set for an existing file system' };
    const isProvisioned = settings.ThroughputMode === 'provisioned';
    if (isProvisioned !== (settings.ProvisionedThroughput !== undefined))
      yield { path: at, message: 'needs both ThroughputMode: provisioned and ProvisionedThroughput, or neither' };
  }
  if (storage.StorageType === 'FsxLustre') {
    if (settings.FileSystemId !== undefined)
      for (const key of keys.filter(key => key !== 'FileSystemId'))
        yield { path: `${at}.${key}`, message: 'cannot be set for an existing file system' };
    const ofBackup =
      `DeploymentType PerUnitStorageThroughput StorageCapacity ImportPath ExportPath ImportedFileChunkSize
      KmsKeyId`.split(/\s+/);
    if (settings.BackupId !== undefined)
      for (const key of keys.filter(key => ofBackup.includes(key)))
        yield { path: `${at}.${key}`, message: 'cannot be set for a file system that is restored from a backup' };
  }
}

export const storageRules: readonly Rule[] = [
  {
    type: 'ConfigSchemaValidator',
    *check({ SharedStorage: storages = [] }) {
      for (const [i, storage] of storages.entries()) {
        yield* settingsFindings(storage, `SharedStorage[${i}]`);
        if (/^\/?NONE$/.test(storage.MountDir))
          yield { path: `SharedStorage[${i}].MountDir`, message: `is ${storage.MountDir}, which is not a directory` };
      }
    },
  },
  {
    type: 'SharedStorageNameValidator',
    *check({ SharedStorage: storages = [] }) {
      for (const [i, { Name: name }] of storages.entries()) {
        const path = `SharedStorage[${i}].Name`;
        if (!/^[\p{L}\p{N}\p{Z} +\-=._:/@]{1,256}$/u.test(name) || name.length > MAX_NAME || name === 'default')
          yield {
            path,
            message: `is ${name}, expected at most ${MAX_NAME} letters, digits, spaces and + - = . _ : / @, and not default`,
          };
      }
      for (const name of repeated(storages.map(({ Name }) => Name)))
        yield { path: 'SharedStorage', message: `has the name ${name} more than once` };
    },
  },
  {
    type: 'SharedStorageMountDirValidator',
    *check({ SharedStorage: storages = [] }) {
      for (const [i, storage] of storages.entries())
        if (reserved.has(mountDirOf(storage)))
          yield {
            path: `SharedStorage[${i}].MountDir`,
            message: `is ${storage.MountDir}, a directory of the system: use another one`,
          };
    },
  },
  {
    type: 'OverlappingMountDirValidator',
    *check({ SharedStorage: storages = [], Scheduling: { SlurmQueues: queues = [] }, HeadNode: head }) {
      const shared = storages.map(mountDirOf);
      for (const dir of repeated(shared)) yield { path: 'SharedStorage', message: `mounts ${dir} more than once` };
      const local = [head.LocalStorage, ...queues.map(({ ComputeSettings }) => ComputeSettings?.LocalStorage)].flatMap(
        one => one?.EphemeralVolume?.MountDir ?? [],
      );
      const isInside = (inner: string, outer: string): boolean => inner !== outer && inner.startsWith(`${outer}/`);
      for (const dir of new Set(shared))
        for (const other of new Set([...shared, ...local]))
          if (isInside(dir, other) || (local.includes(other) && isInside(other, dir)))
            yield { path: 'SharedStorage', message: `mounts ${dir}, which overlaps with ${other}` };
    },
  },
  {
    type: 'NumberOfStorageValidator',
    *check({ SharedStorage: storages = [] }) {
      for (const [type, most] of Object.entries(limits)) {
        const count = storages.filter(
          one => one.StorageType === type && !['FileSystemId', 'VolumeId', 'Raid'].some(key => key in settingsOf(one)),
        ).length;
        if (count > most)
          yield {
            path: 'SharedStorage',
            message: `has ${count} new volumes of the type ${type}, expected at most ${most}`,
          };
      }
    },
  },
];
