// The scripts of CustomActions, read when a cluster is created or changed, so that nodes that start later run the same ones.
//
//   /path/x.sh, file:///path/x.sh   a file on this machine
//   s3://bucket/x.sh                an object of the job server
//   https://…                       rejected, because the content is unknown
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TrenioError } from '../../base/errors.ts';
import { readBytesNow, reasonOf } from '../../base/read-file.ts';
import { ObjectStore } from '../../objects/object-store.ts';
import type { ClusterFile, CustomActionSection, CustomActionsSection } from '../config/cluster-file.ts';

const nodeEvents = ['OnNodeStart', 'OnNodeConfigured', 'OnNodeUpdated'] as const;
export type NodeEvent = (typeof nodeEvents)[number];

export interface CustomAction {
  /** A queue; undefined: the head node. */
  readonly queue: string | undefined;
  readonly event: NodeEvent;
  /** The path or URL in the file. */
  readonly script: string;
  readonly args: readonly string[];
  readonly content: Buffer;
}

/**
 * The actions of a file, in order.
 * @param serverFolder the job server's, for s3://
 * @throws {CLUSTER_ACTION_UNREADABLE}
 */
export async function readActions(
  file: ClusterFile,
  serverFolder: string | undefined,
): Promise<readonly CustomAction[]> {
  const actions: CustomAction[] = [];
  const add = async (queue: string | undefined, path: string, section: CustomActionsSection = {}): Promise<void> => {
    for (const event of nodeEvents) {
      const given = section[event];
      if (given === undefined || given === null) continue;
      const list: readonly CustomActionSection[] = 'Sequence' in given ? given.Sequence : [given];
      for (const { Script: script, Args: args = [] } of list)
        actions.push({
          queue,
          event,
          script,
          args,
          content: await readScript(script, `${path}.${event}`, serverFolder),
        });
    }
  };
  await add(undefined, 'HeadNode.CustomActions', file.HeadNode.CustomActions);
  for (const { Name, CustomActions } of file.Scheduling.SlurmQueues ?? [])
    await add(Name, `Scheduling.SlurmQueues[${Name}].CustomActions`, CustomActions);
  return actions;
}

async function readScript(script: string, path: string, serverFolder: string | undefined): Promise<Buffer> {
  const fail = (reason: string): never => {
    throw new TrenioError('CLUSTER_ACTION_UNREADABLE', { path, script, reason });
  };
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(script) ?? [];
  try {
    if (bucket !== undefined && key !== undefined) {
      if (serverFolder === undefined) return fail('there is no job server on this machine');
      return await readObject(join(serverFolder, 'objects'), bucket, key);
    }
    if (/^https?:/.test(script)) return fail('scripts are not downloaded');
    const local = script.startsWith('file://') ? fileURLToPath(script) : script;
    return isAbsolute(local) ? Buffer.from(readBytesNow(local)) : fail('it is not an absolute path');
  } catch (error) {
    if (error instanceof TrenioError && error.code !== 'FILE_UNREADABLE') throw error;
    return fail(reasonOf(error));
  }
}

async function readObject(folder: string, bucket: string, key: string): Promise<Buffer> {
  const store = new ObjectStore(folder);
  try {
    return Buffer.concat(await Array.fromAsync((await store.read(bucket, key)).bytes));
  } finally {
    store.close();
  }
}
