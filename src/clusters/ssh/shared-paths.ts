// Whether ssh hosts see files of this machine at the same paths, which requires that both have mounted the same file system, such
// as NFS. Checked on the hosts: a temporary file is written here, and nothing is changed on the hosts.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import type { OwnHost } from './host-check.ts';
import { nfsCommands } from './nfs-commands.ts';
import { quoted, runOnHost, type SshAddress, SshError } from './ssh-client.ts';

export interface SharedPaths {
  /** Must be the same folders on all machines. */
  readonly folders: readonly string[];
  /** Programs that must exist. */
  readonly files?: readonly string[];
}

interface Machines {
  readonly hosts: readonly OwnHost[];
  /** The address of this machine for the hosts. Default: its name. */
  readonly controller?: string | undefined;
  readonly sshConfig?: string | undefined;
}

/** @throws {CLUSTER_PATHS_NOT_SHARED} with every host and path */
export async function checkShared(
  cluster: string,
  { hosts, controller = hostname(), sshConfig }: Machines,
  { folders, files = [] }: SharedPaths,
): Promise<void> {
  const missing = folders.filter(path => statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true);
  const problems = missing.map(path => `this machine: ${path} is not a directory`);
  const probes = folders
    .filter(path => !missing.includes(path))
    .map(path => ({ path, probe: mkdtempSync(join(path, '.trenio-shared-')) }));
  const asked = [...probes, ...files.map(path => ({ path, probe: path }))];
  try {
    const answers = await Promise.all(hosts.map(host => notSeen(host, sshConfig, asked)));
    problems.push(...answers.flat());
  } finally {
    for (const { probe } of probes) rmSync(probe, { recursive: true, force: true });
  }
  if (problems.length > 0) {
    const paths = [...new Set([...missing, ...asked.map(({ path }) => path)])];
    const nfs = nfsCommands(
      folders,
      controller,
      hosts.map(({ address }) => address),
    );
    throw new TrenioError('CLUSTER_PATHS_NOT_SHARED', { cluster, paths, problems, nfs });
  }
}

async function notSeen(
  { target, port }: OwnHost,
  config: string | undefined,
  asked: readonly { readonly path: string; readonly probe: string }[],
): Promise<readonly string[]> {
  if (asked.length === 0) return [];
  const address: SshAddress = { target, port, config };
  const questions = asked.map(({ probe }, i) => `[ -e ${quoted(probe)} ] || echo ${i}`).join('; ');
  try {
    const answer = await runOnHost(address, questions);
    return answer
      .split('\n')
      .filter(line => /^\d+$/.test(line))
      .map(line => `${target}: does not see ${asked[Number(line)]!.path} of this machine`);
  } catch (error) {
    if (error instanceof SshError) return [`${target}: ssh: ${error.message}`];
    throw error;
  }
}
