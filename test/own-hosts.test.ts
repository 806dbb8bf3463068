// A cluster of the user's own Linux hosts over ssh: a real sshd on each, in a separate network.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { TrainingJobs } from '../src/api/aws/sagemaker/training-jobs.testing.ts';
import { parseIdentity } from '../src/base/process-identity.ts';
import { CliProcess, type Finished } from '../src/cli/process.testing.ts';
import { ClusterFolder } from '../src/clusters/cluster-folder.ts';
import { canMakeClusters } from '../src/clusters/example-config.testing.ts';
import { SlurmClient } from '../src/clusters/slurm/slurm-client.ts';
import { slurmEngine } from '../src/clusters/training/slurm-engine.ts';
import { hasSshd, OwnHosts } from './own-hosts.testing.ts';
import { root } from './system.ts';

const config = (nodes: number, most = nodes): string => `Image: { Os: alinux2 }
HeadNode:
  InstanceType: c5.4xlarge
  Networking: { SubnetId: subnet-12345678 }
Scheduling:
  Scheduler: slurm
  SlurmQueues:
    - Name: own
      Networking: { SubnetIds: [subnet-12345678] }
      ComputeResources:
        - { Name: host, InstanceType: c5.4xlarge, MinCount: ${nodes}, MaxCount: ${most} }
`;

describe.skipIf(!(canMakeClusters() && hasSshd()) && process.env.CI === undefined)(
  'a cluster of user-provided hosts',
  { timeout: 600_000 },
  () => {
    let work: string;
    let hosts: OwnHosts;
    let folder: ClusterFolder;
    let slurm: SlurmClient;
    const run = (...words: readonly string[]): Promise<Finished> =>
      new CliProcess(['cluster', ...words], { XDG_DATA_HOME: work }).finished;
    const create = (name: string, list: string, text: string, ...words: readonly string[]): Promise<Finished> => {
      writeFileSync(join(work, 'hosts'), list);
      writeFileSync(join(work, 'cluster.yaml'), text);
      const files = ['-c', join(work, 'cluster.yaml'), '--hosts', join(work, 'hosts'), '--ssh-config', hosts.sshConfig];
      return run('create-cluster', '-n', name, '--provider', 'ssh', ...files, ...words);
    };

    beforeAll(async () => {
      work = mkdtempSync(join(tmpdir(), 'trenio-own-'));
      hosts = await OwnHosts.start(join(work, 'ssh'), 3);
      folder = new ClusterFolder(join(work, 'trenio/clusters/own'));
      slurm = new SlurmClient(folder.conf);
      const { exitCode, stderr } = await create('own', hosts.addresses.slice(0, 2).join('\n'), config(2));
      expect(exitCode, stderr).toBe(0);
    }, 600_000);

    afterAll(async () => {
      const { runFolder } = folder.state()!;
      const { exitCode, stderr } = await run('delete-cluster', '-n', 'own');
      expect(exitCode, stderr).toBe(0);
      // Nothing is left on the hosts.
      for (const index of hosts.addresses.keys()) {
        expect(hosts.run(index, `ls -d ${folder.path} ${runFolder} 2>/dev/null || echo none`)).toBe('none\n');
        expect(hosts.run(index, 'ps -e -o comm= | grep -c "slurm\\|munge" || true')).toBe('0\n');
      }
      await hosts[Symbol.asyncDispose]();
      rmSync(work, { recursive: true, force: true });
    }, 600_000);

    afterEach(() => {
      vi.unstubAllEnvs();
    });

    test('jobs run on the hosts, and the nodes have the number of cores of the hosts', async () => {
      const names = await slurm.run('srun', '-N2', '--ntasks-per-node=1', 'hostname');
      expect(names.split('\n').sort()).toEqual(['own1', 'own2']);
      const cpus = Number(hosts.run(0, 'nproc'));
      expect(await slurm.run('sinfo', '-h', '-N', '-o', '%N %c')).toBe(`own-st-host-1 ${cpus}\nown-st-host-2 ${cpus}`);
      const { instances } = JSON.parse((await run('describe-cluster-instances', '-n', 'own')).stdout) as {
        instances: readonly { nodeName?: string; privateIpAddress: string }[];
      };
      expect(instances.slice(1).map(one => one.privateIpAddress)).toEqual(hosts.addresses.slice(0, 2));
      expect((await run('ssh', '-n', 'own', '--node', 'own-st-host-2', 'hostname')).stdout).toBe('own2\n');
      const log = await run('get-cluster-log-events', '-n', 'own', '--log-stream-name', 'own-st-host-1');
      expect(log.stdout).toContain('slurmd version');
    });

    test('slurmd is restarted when it exits, and jobs survive a lost connection', async () => {
      const id = await slurm.submit('#!/bin/sh\n#SBATCH -N2 --output=/dev/null\nsleep 600\n', work);
      const state = async (): Promise<string> => slurm.run('squeue', '-h', '-j', String(id), '-o', '%T');
      while ((await state()) !== 'RUNNING') await sleep(100);
      const connection = (): string | undefined => folder.processes().nodes['own-st-host-1']?.process;
      const [before, slurmd] = [connection()!, hosts.run(0, 'pgrep -x slurmd')];
      process.kill(parseIdentity(before)!.pid, 'SIGKILL');
      while ([undefined, before].includes(connection())) await sleep(100);
      expect(hosts.run(0, 'pgrep -x slurmd')).toBe(slurmd);
      hosts.run(0, 'pkill -KILL -x slurmd');
      while (['', slurmd].includes(hosts.run(0, 'pgrep -x slurmd || true'))) await sleep(100);
      expect(await state()).toBe('RUNNING');
      await slurm.run('scancel', String(id));
      const both = () => slurm.run('srun', '-N2', '--ntasks-per-node=1', 'true').catch(() => 'not yet');
      while ((await both()) !== '') await sleep(200);
    });

    test('ranks meet at the address of the first host: the names of nodes are known to Slurm alone', async () => {
      const script = join(work, 'ssh/world.mjs');
      writeFileSync(script, 'console.log(process.env.RANK, process.env.WORLD_SIZE, process.env.MASTER_ADDR);\n');
      const words = ['-N2', '--ntasks-per-node=1', '--export=ALL,TRENIO_RDZV_SECRET=of-this-test-and-no-other'];
      const said = await slurm.run('srun', ...words, join(root, 'bin/trenio'), 'run', '--nproc-per-node=1', script);
      const [address] = hosts.addresses;
      expect(said.split('\n').sort()).toEqual([`[rank 0] 0 2 ${address}`, `[rank 1] 1 2 ${address}`]);
    });

    test('a host that fails a health check is drained with the reason, and later resumed', async () => {
      const check = join(folder.path, 'health.d/fan');
      mkdirSync(join(folder.path, 'health.d'), { recursive: true });
      writeFileSync(check, '#!/bin/sh\n[ "$1" != own-st-host-2 ] || { echo "fan stopped on $(hostname)"; exit 1; }\n', {
        mode: 0o755,
      });
      const reasons = (): Promise<string> => slurm.run('sinfo', '-h', '-N', '-t', 'drain', '-o', '%N %E');
      await expect.poll(reasons, { timeout: 120_000, interval: 1000 }).toMatch(/^own-st-host-2 .*fan stopped on own2/);
      // A check may read files of a folder beside it, which stay where they are.
      const helper = join(folder.path, 'health.d/lib/common.sh');
      mkdirSync(join(folder.path, 'health.d/lib'));
      writeFileSync(helper, '');
      rmSync(check);
      await expect.poll(reasons, { timeout: 120_000, interval: 1000 }).toBe('');
    });

    test('shared storage must be mounted on the hosts', async () => {
      const [one, two] = hosts.addresses;
      const shared = (path: string): string => `${config(2)}SharedStorage:
  - { Name: shared, StorageType: Efs, MountDir: ${path} }
`;
      const list = `${one}\n${two}`;
      mkdirSync(join(work, 'only-here'));
      const refused = await create('bad', list, shared(join(work, 'only-here')));
      expect(refused.exitCode).toBe(1);
      for (const host of [one, two])
        expect(refused.stderr).toContain(`${host}: does not see ${join(work, 'only-here')} of this machine`);
      const options = '(rw,no_root_squash,no_subtree_check)';
      const exported = `${join(work, 'only-here')} ${one}${options} ${two}${options}`;
      expect(refused.stderr).toContain(`    echo '${exported}' >> /etc/exports\n`);
      expect(refused.stderr).toMatch(
        new RegExp(`    mount -t nfs4 [0-9.]+:${join(work, 'only-here')} ${join(work, 'only-here')}\n`),
      );
      expect((await create('bad', list, shared('/nowhere'))).stderr).toContain('/nowhere is not a directory');
      const accepted = await create('bad', list, shared(join(work, 'ssh')), '--dry-run');
      expect(accepted.exitCode, accepted.stderr).toBe(0);
    });

    test('training jobs of a server run on the hosts, if they can access its folder', async () => {
      const root = join(work, 'trenio/clusters');
      await expect(slurmEngine(root, 'own', join(work, 'data'))).rejects.toThrow('does not see');
      // This is the parent of the folder that the hosts share.
      vi.stubEnv('TMPDIR', join(work, 'ssh'));
      const engine = await slurmEngine(root, 'own', join(work, 'ssh'));
      await using jobs = await TrainingJobs.start({ engine, graceMs: 5000 });
      const ResourceConfig = { InstanceType: 'ml.c5.4xlarge', InstanceCount: 2, VolumeSizeInGB: 1 } as const;
      await jobs.create('two', { ResourceConfig });
      const ended = await jobs.ended('two');
      expect([ended.TrainingJobStatus, ended.FailureReason]).toEqual(['Completed', undefined]);
      for (const host of ['algo-1', 'algo-2'])
        expect(jobs.lines('two').join('\n')).toContain(`host ${host} of ["algo-1","algo-2"]`);
    });

    test('an update adds, replaces and removes hosts; removed hosts keep no files or processes of the cluster', async () => {
      const [one, two, three] = hosts.addresses;
      const update = (nodes: number, list: readonly (string | undefined)[], ...words: readonly string[]) => {
        writeFileSync(join(work, 'cluster.yaml'), config(nodes));
        writeFileSync(join(work, 'hosts'), list.join('\n'));
        const files = [
          '-c',
          join(work, 'cluster.yaml'),
          ...(list.length === 0 ? [] : ['--hosts', join(work, 'hosts')]),
        ];
        return run('update-cluster', '-n', 'own', ...files, ...words);
      };
      const namesOf = async (count: number): Promise<readonly string[]> =>
        (await slurm.run('srun', `-N${count}`, '--ntasks-per-node=1', 'hostname')).split('\n').sort();
      const traces = (index: number): string =>
        hosts.run(index, `ls -d ${folder.path} 2>/dev/null; ps -e -o comm= | grep -c "slurm\\|munge" || true`);
      expect((await update(3, [])).stderr).toContain('3 nodes, and the cluster 2 hosts: give the list of all hosts');
      expect((await update(3, [one, two])).stderr).toContain('3 nodes, and the list of hosts 2');
      const shown = await update(3, [three, two, one], '--dry-run');
      expect((JSON.parse(shown.stdout) as { changeSet: unknown }).changeSet).toMatchObject([
        { requestedValue: 3, need: 'live' },
        { requestedValue: 3, need: 'live' },
        { parameter: 'hosts[own-st-host-3]', requestedValue: three, need: 'live' },
      ]);
      // A job on the remaining nodes continues.
      const id = await slurm.submit('#!/bin/sh\n#SBATCH -w own-st-host-1 --output=/dev/null\nsleep 600\n', work);
      const state = async (): Promise<string> => slurm.run('squeue', '-h', '-j', String(id), '-o', '%T %r');
      while (!(await state()).startsWith('RUNNING')) await sleep(100);
      const grown = await update(3, [three, two, one]);
      expect(grown.exitCode, grown.stderr).toBe(0);
      expect(await namesOf(3)).toEqual(['own1', 'own2', 'own3']);
      // The second host is lost, and the third host replaces it as a node.
      hosts.run(1, 'mount --bind /dev/null /usr/sbin/slurmd');
      expect((await update(2, [one, two])).stderr).toContain(`${two}: slurmd is missing`);
      hosts.run(1, 'umount /usr/sbin/slurmd');
      const replaced = await update(2, [one, three]);
      expect(replaced.exitCode, replaced.stderr).toBe(0);
      expect(await namesOf(2)).toEqual(['own1', 'own3']);
      expect(traces(1)).toBe('0\n');
      // Without a list, the hosts of the removed nodes are released.
      const shrunk = await update(1, [], '--dry-run');
      expect(JSON.parse(shrunk.stdout)).toMatchObject({
        changeSet: [{}, {}, { parameter: 'hosts[own-st-host-2]', currentValue: three, need: 'drain' }],
      });
      expect(await state()).toBe('RUNNING None');
      await slurm.run('scancel', String(id));
    });

    test('hosts that cannot be nodes are all reported at once, and nothing is changed', async () => {
      const refused = async (list: string, text: string): Promise<string> => {
        const { exitCode, stderr } = await create('bad', list, text);
        expect(exitCode).toBe(1);
        return stderr;
      };
      const [one, two] = hosts.addresses;
      expect(await refused('a b\n', config(1))).toContain("line 1: expected [user@]name[:port], got 'a b'");
      expect(await refused(`${one}\n${two}`, config(3))).toContain('3 nodes, and the list of hosts 2');
      expect(await refused(`${one}\n${two}`, config(1, 2))).toContain('ssh hosts are not started on demand');
      const both = await refused(`${one}:1\n127.0.0.1:2\n`, config(2));
      expect(both).toContain(`${one}: ssh: `);
      expect(both).toContain('127.0.0.1: ssh: ');
      hosts.run(1, 'mount --bind /dev/null /usr/sbin/slurmd');
      expect(await refused(`${one}\n${two}`, config(2))).toContain(
        `${two}: slurmd is missing; there: apt-get install -y --no-install-recommends slurmd slurm-wlm-basic-plugins`,
      );
      hosts.run(1, 'umount /usr/sbin/slurmd');
      expect(JSON.parse((await run('list-clusters')).stdout)).toMatchObject({ clusters: [{ clusterName: 'own' }] });
    });
  },
);
