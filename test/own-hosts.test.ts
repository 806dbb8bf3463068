// A cluster of own Linux hosts over ssh: a real sshd on each, in a network of its own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseIdentity } from '../src/base/process-identity.ts';
import { CliProcess, type Finished } from '../src/cli/process.testing.ts';
import { ClusterFolder } from '../src/clusters/cluster-folder.ts';
import { canMakeClusters } from '../src/clusters/example-config.testing.ts';
import { SlurmClient } from '../src/clusters/slurm/slurm-client.ts';
import { hasSshd, OwnHosts } from './own-hosts.testing.ts';

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
  'a cluster of own hosts',
  { timeout: 600_000 },
  () => {
    let work: string;
    let hosts: OwnHosts;
    let folder: ClusterFolder;
    let slurm: SlurmClient;
    const run = (...words: readonly string[]): Promise<Finished> =>
      new CliProcess(['cluster', ...words], { XDG_DATA_HOME: work }).finished;
    const create = (name: string, list: string, text: string): Promise<Finished> => {
      writeFileSync(join(work, 'hosts'), list);
      writeFileSync(join(work, 'cluster.yaml'), text);
      const files = ['-c', join(work, 'cluster.yaml'), '--hosts', join(work, 'hosts'), '--ssh-config', hosts.sshConfig];
      return run('create-cluster', '-n', name, '--provider', 'ssh', ...files);
    };

    beforeAll(async () => {
      work = mkdtempSync(join(tmpdir(), 'trenio-own-'));
      hosts = await OwnHosts.start(join(work, 'ssh'), 2);
      folder = new ClusterFolder(join(work, 'trenio/clusters/own'));
      slurm = new SlurmClient(folder.conf);
      const { exitCode, stderr } = await create('own', hosts.addresses.join('\n'), config(2));
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

    test('jobs run on the hosts, which have the cores that they have', async () => {
      const names = await slurm.run('srun', '-N2', '--ntasks-per-node=1', 'hostname');
      expect(names.split('\n').sort()).toEqual(['own1', 'own2']);
      const cpus = Number(hosts.run(0, 'nproc'));
      expect(await slurm.run('sinfo', '-h', '-N', '-o', '%N %c')).toBe(`own-st-host-1 ${cpus}\nown-st-host-2 ${cpus}`);
      const { instances } = JSON.parse((await run('describe-cluster-instances', '-n', 'own')).stdout) as {
        instances: readonly { nodeName?: string; privateIpAddress: string }[];
      };
      expect(instances.slice(1).map(one => one.privateIpAddress)).toEqual(hosts.addresses);
      expect((await run('ssh', '-n', 'own', '--node', 'own-st-host-2', 'hostname')).stdout).toBe('own2\n');
      const log = await run('get-cluster-log-events', '-n', 'own', '--log-stream-name', 'own-st-host-1');
      expect(log.stdout).toContain('slurmd version');
    });

    test('slurmd that ends is started again, and jobs outlive the connection', async () => {
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
      const both = () =>
        slurm.run('srun', '-N2', '--ntasks-per-node=1', 'printenv', 'MASTER_ADDR').catch(() => 'not yet');
      const [address] = hosts.addresses;
      while ((await both()) !== `${address}\n${address}`) await sleep(200);
    });

    test('hosts that cannot be nodes are refused together, and nothing is changed', async () => {
      const refused = async (list: string, text: string): Promise<string> => {
        const { exitCode, stderr } = await create('bad', list, text);
        expect(exitCode).toBe(1);
        return stderr;
      };
      const [one, two] = hosts.addresses;
      expect(await refused('a b\n', config(1))).toContain("line 1: expected [user@]name[:port], got 'a b'");
      expect(await refused(`${one}\n${two}`, config(3))).toContain('3 nodes, and the list of hosts 2');
      expect(await refused(`${one}\n${two}`, config(1, 2))).toContain('own hosts are not started on demand');
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
