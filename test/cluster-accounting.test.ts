// The accounting of a cluster: slurmdbd stores jobs in MariaDB, and both daemons are restarted when they exit.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseIdentity } from '../src/base/process-identity.ts';
import { ClusterFolder } from '../src/clusters/cluster-folder.ts';
import { createCluster, deleteCluster } from '../src/clusters/cluster-life.ts';
import { parseConfig } from '../src/clusters/config/parse-config.ts';
import { describeCluster } from '../src/clusters/describe-cluster.ts';
import { canMakeClusters } from '../src/clusters/example-config.testing.ts';
import { markedProcesses } from '../src/clusters/local/marked-processes.ts';
import { databasePrograms, slurmVariables } from '../src/clusters/slurm/slurm-programs.ts';

const text = `Image: { Os: alinux2 }
HeadNode:
  InstanceType: c5.4xlarge
  Networking: { SubnetId: subnet-12345678 }
Scheduling:
  Scheduler: slurm
  SlurmSettings:
    Database:
      Uri: database.example.com:3306
      UserName: slurm
      PasswordSecretArn: arn:aws:secretsmanager:us-east-1:123456789012:secret:slurm
  SlurmQueues:
    - Name: train
      Networking: { SubnetIds: [subnet-12345678] }
      ComputeResources:
        - { Name: trn1, InstanceType: trn1.32xlarge, MinCount: 1, MaxCount: 1 }
`;

function hasDatabase(): boolean {
  try {
    return canMakeClusters() && databasePrograms() !== undefined;
  } catch {
    return false;
  }
}

describe.skipIf(!hasDatabase() && process.env.CI === undefined)('accounting', { timeout: 600_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'trenio-accounting-'));
  const root = join(work, 'clusters');
  const folder = new ClusterFolder(join(root, 'books'));
  const slurm = async (program: string, ...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(program, args, { env: slurmVariables(folder.conf) })).stdout.trim();
  /** The jobs in the database: name, state and accelerators. */
  const books = (): Promise<string> => slurm('sacct', '-n', '-X', '-P', '-o', 'JobName,State,AllocTRES');

  beforeAll(async () => {
    const { file } = parseConfig(text, 'books');
    const { signal } = new AbortController();
    await createCluster({ root, name: 'books', text, file: file!, region: 'us-east-1', report: () => {}, signal });
  }, 600_000);
  afterAll(async () => {
    await deleteCluster(root, 'books', () => {});
    expect(markedProcesses(folder.path)).toEqual([]);
    rmSync(work, { recursive: true, force: true });
  }, 600_000);

  test('the database records jobs and the resources they used, even after its daemons were killed', async () => {
    await slurm('srun', '--job-name=first', '--gres=neuroncore:2', 'true');
    while (!/^first\|COMPLETED\|.*gres\/neuroncore=2/m.test(await books())) await sleep(100);
    const before = folder.processes();
    for (const name of ['mariadbd', 'slurmdbd'] as const) process.kill(parseIdentity(before[name]!)!.pid, 'SIGKILL');
    const isBack = async (): Promise<boolean> => {
      const { processes } = await describeCluster(root, 'books');
      const after = folder.processes();
      const isNew = after.mariadbd !== before.mariadbd && after.slurmdbd !== before.slurmdbd;
      return isNew && processes.mariadbd === 'running' && processes.slurmdbd === 'running';
    };
    while (!(await isBack())) await sleep(100);
    await slurm('srun', '--job-name=second', 'true');
    const isComplete = async (): Promise<boolean> => {
      const found = await books().catch(() => '');
      return found.includes('first|COMPLETED') && found.includes('second|COMPLETED');
    };
    while (!(await isComplete())) await sleep(100);
  });

  test('neither daemon is reachable from another machine', () => {
    const listening = execFileSync('ss', ['-Hltnp'], { encoding: 'utf8' }).split('\n');
    const pid = (name: 'mariadbd' | 'slurmdbd'): number => parseIdentity(folder.processes()[name]!)!.pid;
    const addressesOf = (name: 'mariadbd' | 'slurmdbd'): readonly string[] =>
      listening
        .filter(line => line.includes(`pid=${pid(name)},`))
        .map(line => line.split(/\s+/)[3]!.replace(/:\d+$/, ''));
    expect(addressesOf('mariadbd')).toEqual([]);
    expect(addressesOf('slurmdbd')).toEqual(['127.0.0.1']);
  });
});
