// The table of capacity blocks of a cluster: that of the job server on the same machine.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CapacityBlock } from '../../jobs/capacity/capacity-block.ts';
import { CapacityStore } from '../../jobs/capacity/capacity-store.ts';

/** The sold blocks. @param folder the job server's; undefined: there is none */
export function soldBlocks(folder: string | undefined): readonly CapacityBlock[] {
  if (folder === undefined || !existsSync(join(folder, 'capacity.sqlite'))) return [];
  // Nothing is sold through it.
  const store = new CapacityStore({ folder, limitOf: () => 0, service: 'ec2', zone: '', now: Date.now });
  try {
    return store.list();
  } finally {
    store.close();
  }
}
