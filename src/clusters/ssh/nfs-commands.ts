// The commands that share folders of this machine with ssh hosts over NFS, to be copied into a shell.
import { isIPv6 } from 'node:net';
import { quoted } from './ssh-client.ts';

export interface NfsCommands {
  /** For this machine. */
  readonly here: readonly string[];
  /** For each of the hosts. */
  readonly there: readonly string[];
}

const EXPORT_OPTIONS = 'rw,no_root_squash,no_subtree_check';

/**
 * @param server the address of this machine for the hosts
 * @param clients the addresses of the hosts
 */
export function nfsCommands(folders: readonly string[], server: string, clients: readonly string[]): NfsCommands {
  if (folders.length === 0) return { here: [], there: [] };
  const allowed = [...new Set(clients)].map(client => `${client}(${EXPORT_OPTIONS})`).join(' ');
  // exports(5): a path with spaces is in double quotes.
  const exported = folders.map(folder => `${/\s/.test(folder) ? `"${folder}"` : folder} ${allowed}`);
  const host = isIPv6(server) ? `[${server}]` : server;
  const makeAll = `mkdir -p ${folders.map(shellWord).join(' ')}`;
  return {
    here: [
      'apt-get install -y nfs-kernel-server',
      makeAll,
      ...exported.map(line => `echo ${quoted(line)} >> /etc/exports`),
      'exportfs -ra',
    ],
    there: [
      'apt-get install -y nfs-common',
      makeAll,
      ...folders.map(folder => `mount -t nfs4 ${shellWord(`${host}:${folder}`)} ${shellWord(folder)}`),
    ],
  };
}

const shellWord = (text: string): string => (/^[\w/.:@%+=,-]+$/.test(text) ? text : quoted(text));
