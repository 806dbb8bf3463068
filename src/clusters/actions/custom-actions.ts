// The scripts of CustomActions, read when a cluster is created or changed, so that nodes that start later run the same ones.
//
//   /path/x.sh, file:///path/x.sh   a file on this machine
//   s3://bucket/x.sh                an object of the job server
//   https://…                       rejected, because the content is unknown
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTrenioError, TrenioError } from '../../base/errors.ts';
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

/** An action whose script cannot be read. */
export interface UnreadableAction extends Pick<CustomAction, 'queue' | 'event' | 'script'> {
  readonly path: string;
  readonly reason: string;
}

export interface ReadActions {
  readonly actions: readonly CustomAction[];
  readonly unreadable: readonly UnreadableAction[];
}

/** The actions of a file, in order. @param serverFolder the job server's, for s3:// */
export async function readActions(file: ClusterFile, serverFolder: string | undefined): Promise<ReadActions> {
  const actions: CustomAction[] = [];
  const unreadable: UnreadableAction[] = [];
  const add = async (queue: string | undefined, path: string, section: CustomActionsSection = {}): Promise<void> => {
    for (const event of nodeEvents) {
      const given = section[event];
      if (given === undefined || given === null) continue;
      const list: readonly CustomActionSection[] = 'Sequence' in given ? given.Sequence : [given];
      for (const { Script: script, Args: args = [] } of list) {
        const read = await readScript(script, serverFolder);
        if (typeof read === 'string') unreadable.push({ queue, event, script, path: `${path}.${event}`, reason: read });
        else actions.push({ queue, event, script, args, content: read });
      }
    }
  };
  await add(undefined, 'HeadNode.CustomActions', file.HeadNode.CustomActions);
  for (const { Name, CustomActions } of file.Scheduling.SlurmQueues ?? [])
    await add(Name, `Scheduling.SlurmQueues[${Name}].CustomActions`, CustomActions);
  return { actions, unreadable };
}

/** @param skips the scripts that cannot be read @throws {CLUSTER_ACTION_UNREADABLE} */
export async function requireActions(
  file: ClusterFile,
  serverFolder: string | undefined,
  skips = false,
): Promise<readonly CustomAction[]> {
  const { actions, unreadable } = await readActions(file, serverFolder);
  const [first] = unreadable;
  if (first !== undefined && !skips)
    throw new TrenioError('CLUSTER_ACTION_UNREADABLE', {
      path: first.path,
      script: first.script,
      reason: first.reason,
      others: unreadable.length - 1,
    });
  return actions;
}

/** Its content; a text: why it cannot be read. */
async function readScript(script: string, serverFolder: string | undefined): Promise<Buffer | string> {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(script) ?? [];
  try {
    if (bucket !== undefined && key !== undefined) {
      if (serverFolder === undefined) return 'there is no job server on this machine';
      return await readObject(join(serverFolder, 'objects'), bucket, key);
    }
    if (/^https?:/.test(script)) return 'scripts are not downloaded';
    const local = script.startsWith('file://') ? fileURLToPath(script) : script;
    return isAbsolute(local) ? Buffer.from(readBytesNow(local)) : 'it is not an absolute path';
  } catch (error) {
    return isTrenioError(error) && error.code !== 'FILE_UNREADABLE' ? error.message.split('\n')[0]! : reasonOf(error);
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
