// Two nodes of a cluster, for root and for a user without rights: ranks meet, also through a registered Slurm, `ssh NODE` works,
// and a job that is preempted in its first second is requeued.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canMakeClusters, smallCluster } from '../src/clusters/example-config.testing.ts';
import { root } from './system.ts';

const user = `trenio-t${process.pid}`;

// Not skipped if CI is set: it runs as root.
const patienceMs = 180_000;
function until(holds: () => boolean): void {
  const end = Date.now() + patienceMs;
  while (!holds()) if (Date.now() > end) throw new Error(`not within ${patienceMs / 1000} s: ${holds}`);
}

describe.skipIf(!canMakeClusters() && process.env.CI === undefined)('two nodes', { timeout: 600_000 }, () => {
  beforeAll(() => {
    execFileSync('useradd', ['--no-create-home', '--shell', '/bin/sh', user]);
  });
  afterAll(() => {
    execFileSync('userdel', [user]);
  });

  test.each(['root', user])('of %s', name => {
    const work = mkdtempSync(join(tmpdir(), 'trenio-user-'));
    execFileSync('chown', [name, work]);
    chmodSync(work, 0o755);
    // The sources themselves: the bundle of the tests belongs to the user that runs them.
    const variables = ['NODE_OPTIONS=', `HOME=${work}`, `XDG_DATA_HOME=${work}`, `TRENIO_CACHE_DIR=${work}/cache`];
    const trenio = (...words: readonly string[]): string => {
      const as = ['-u', name, '--', 'env', ...variables, join(root, 'bin/trenio'), ...words];
      const { status, stdout, stderr } = spawnSync('runuser', as, { cwd: work, encoding: 'utf8' });
      expect(status, stderr).toBe(0);
      return stdout.trim();
    };
    const slurm = (...words: readonly string[]): string => trenio('cluster', 'shell', '-n', 'two', ...words);
    writeFileSync(join(work, 'two.yaml'), smallCluster(2));
    writeFileSync(join(work, 'world.mjs'), 'console.log(process.env.RANK, process.env.WORLD_SIZE);\n');
    trenio('cluster', 'create-cluster', '-n', 'two', '-c', join(work, 'two.yaml'));
    try {
      trenio(
        'cluster',
        'create-cluster',
        '-n',
        'same',
        '--provider',
        'existing',
        '--slurm-conf',
        `${work}/trenio/clusters/two/etc/slurm.conf`,
      );
      for (const cluster of ['two', 'same']) {
        const words = ['srun', '-N2', '--ntasks-per-node=1', join(root, 'bin/trenio'), 'run', join(work, 'world.mjs')];
        const said = trenio('cluster', 'shell', '-n', cluster, ...words);
        expect(said.split('\n').sort()).toEqual(['[rank 0] 0 2', '[rank 1] 1 2']);
      }
      expect(slurm('ssh', 'train-st-trn1-2', 'printenv', 'SLURMD_NODENAME')).toBe('train-st-trn1-2');
      const urgent = ['Nodes=spare-st-trn1-[1-2]', 'PriorityTier=100', 'PreemptMode=OFF'];
      slurm('scontrol', 'create', 'PartitionName=urgent', ...urgent);
      const spot = ['--partition=spare', '-N2', '--exclusive', '--output=/dev/null'];
      const id = slurm('sbatch', '--parsable', ...spot, '--wrap', 'srun sleep 600; echo done');
      until(() => slurm('squeue', '--noheader', '--steps', '--jobs', id).includes(`${id}.0`));
      slurm('srun', '--partition=urgent', '-N2', '--exclusive', 'true');
      until(() => slurm('scontrol', 'show', 'job', id).includes('Restarts=1'));
      trenio('cluster', 'delete-cluster', '-n', 'same');
    } finally {
      trenio('cluster', 'delete-cluster', '-n', 'two');
      rmSync(work, { recursive: true, force: true });
    }
  });
});
