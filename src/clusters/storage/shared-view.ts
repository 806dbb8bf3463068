// Runs a command on this machine with the shared storage of a cluster mounted as on its nodes, in a separate mount namespace.
import { mountTable, type Volume } from './volume.ts';

/** Mounts the lines of a `mountTable`; also part of a node's start. */
export const MOUNT_ALL =
  'while IFS=$(printf "\\t") read -r from to; do [ -z "$from" ] || mount --bind "$from" "$to"; done <<< "$mounts"';

/** The words of a command, wrapped so that the volumes are mounted. */
export function withVolumes(volumes: readonly Volume[], words: readonly string[]): readonly string[] {
  const mounts = mountTable(volumes);
  if (mounts === '') return words;
  const script = `mounts=$1; shift; ${MOUNT_ALL}; cd . && exec "$@"`;
  return ['unshare', '--mount', '--propagation=private', 'bash', '-euc', script, 'view', mounts, ...words];
}
