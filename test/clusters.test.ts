// The life cycle of a cluster, driven by user commands: real Slurm daemons, jobs, lost nodes and daemons.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatIdentity, lifeOf, parseIdentity } from '../src/base/process-identity.ts';
import { CliProcess, type Finished } from '../src/cli/process.testing.ts';
import { ClusterFolder } from '../src/clusters/cluster-folder.ts';
import { describeCluster } from '../src/clusters/describe-cluster.ts';
import { canMakeClusters, exampleConfig, smallCluster } from '../src/clusters/example-config.testing.ts';
import { markedProcesses, supervisorsOf } from '../src/clusters/local/marked-processes.ts';
import { SlurmClient } from '../src/clusters/slurm/slurm-client.ts';
import { slurmVariables } from '../src/clusters/slurm/slurm-programs.ts';
import { root } from './system.ts';

/** Generous, because the machine may be busy. */
const PATIENCE_MS = 400_000;

describe.skipIf(!canMakeClusters() && process.env.CI === undefined)('trenio cluster', { timeout: 600_000 }, () => {
  let work: string;
  let config: string;
  let folder: ClusterFolder;
  const run = (...words: readonly string[]): Promise<Finished> =>
    new CliProcess(['cluster', ...words], { XDG_DATA_HOME: work }).finished;
  /** A command of Slurm, as in the shell of the cluster. */
  const slurm = async (program: string, ...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(program, args, { env: slurmVariables(folder.conf) })).stdout.trim();
  const inShell = async (...words: readonly string[]): Promise<string> => {
    const { stdout, stderr, exitCode } = await run('shell', '-n', 'demo', ...words);
    expect(exitCode, stderr).toBe(0);
    return stdout.trim();
  };
  const clusters = (): string => join(work, 'trenio/clusters');
  const statesOf = async (): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries((await new SlurmClient(folder.conf).nodes()).map(one => [one.name, one.states.join('+')]));
  const capacity = (...words: readonly string[]): Promise<Finished> =>
    new CliProcess(['capacity', ...words], { XDG_DATA_HOME: work }).finished;
  /** Moves the end of all blocks, instead of waiting for days. */
  const setEnd = (endMs: number): void => {
    using database = new DatabaseSync(join(work, 'trenio/server/capacity.sqlite'));
    database.prepare("UPDATE capacity_blocks SET end_ms = ?, block = json_set(block, '$.endMs', ?)").run(endMs, endMs);
  };
  const until = async (what: string, test: () => Promise<boolean> | boolean): Promise<void> => {
    for (const end = Date.now() + PATIENCE_MS; !(await test()); await new Promise(done => setTimeout(done, 100)))
      if (Date.now() > end) throw new Error(`waited for ${what}`);
  };

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), 'trenio-cluster-'));
    folder = new ClusterFolder(join(work, 'trenio/clusters/demo'));
    writeFileSync(join(work, 'configured.sh'), 'echo "$cfn_node_name $1" >> "$2/configured"\n');
    config = exampleConfig.replace('MountDir: /shared', `MountDir: ${join(work, 'mnt/shared')}`).replace(
      '- Name: train\n',
      `- Name: train
      CustomActions:
        OnNodeConfigured:
          Script: file://${join(work, 'configured.sh')}
          Args: [one two, ${join(work, 'mnt/shared')}]
`,
    );
    writeFileSync(join(work, 'cluster.yaml'), config);
    const { exitCode, stderr, stdout } = await run('create-cluster', '-n', 'demo', '-c', join(work, 'cluster.yaml'));
    expect(exitCode, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ cluster: { clusterName: 'demo', clusterStatus: 'CREATE_COMPLETE' } });
  }, 600_000);

  afterAll(async () => {
    const { runFolder, subnet } = folder.state()!;
    const { exitCode, stderr } = await run('delete-cluster', '-n', 'demo');
    expect(exitCode, stderr).toBe(0);
    // Nothing is left: processes, folders, networks.
    expect(markedProcesses(folder.path)).toEqual([]);
    expect(readdirSync(join(work, 'trenio/clusters'))).toEqual([]);
    expect(() => readdirSync(runFolder)).toThrow('ENOENT');
    expect(() => readdirSync(join(work, 'mnt'))).toThrow('ENOENT');
    expect(execFileSync('ip', ['-o', 'link'], { encoding: 'utf8' })).not.toContain(`trenio${subnet}:`);
    rmSync(work, { recursive: true, force: true });
  });

  test('a cluster on a full disk can be deleted', async () => {
    const disk = join(work, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk]);
    try {
      const onDisk = (...words: readonly string[]) =>
        new CliProcess(['cluster', ...words], { XDG_DATA_HOME: disk }).finished;
      writeFileSync(join(work, 'small.yaml'), smallCluster(1));
      const created = await onDisk('create-cluster', '-n', 'full', '-c', join(work, 'small.yaml'));
      expect(created.exitCode, created.stderr).toBe(0);
      spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'fill')}`, 'bs=4k']);
      writeFileSync(join(work, 'job.ts'), '');
      const submitted = await onDisk('submit', '-n', 'full', join(work, 'job.ts'));
      expect([submitted.exitCode, submitted.stderr]).toEqual([1, expect.stringContaining('free some space')]);
      const deleted = await onDisk('delete-cluster', '-n', 'full');
      expect(deleted.exitCode, deleted.stderr).toBe(0);
      expect(readdirSync(join(disk, 'trenio/clusters'))).toEqual([]);
    } finally {
      execFileSync('umount', ['--lazy', disk]);
    }
  });

  test('describe-cluster reports the actual state', async () => {
    // Dynamic nodes are powered down after the creation.
    await until('the nodes', async () => (await statesOf())['spare-dy-p4-10'] === 'idle+cloud+powered_down');
    const { stdout } = await run('describe-cluster', '--cluster-name', 'demo');
    expect(JSON.parse(stdout)).toMatchObject({
      clusterStatus: 'CREATE_COMPLETE',
      cloudFormationStackStatus: 'CREATE_COMPLETE',
      tags: [
        { key: 'parallelcluster:version', value: '3.12.0' },
        { key: 'parallelcluster:cluster-name', value: 'demo' },
      ],
      headNode: { publicIpAddress: expect.stringMatching(/^[\d.]+$/) },
      computeFleetStatus: 'RUNNING',
      scheduler: { type: 'slurm' },
      processes: { supervisor: 'running', munged: 'running', slurmctld: 'running' },
      nodes: { idle: 2, 'idle+cloud+powered_down': 11 },
    });
    const { instances } = JSON.parse((await run('describe-cluster-instances', '-n', 'demo')).stdout) as {
      instances: { nodeType: string; nodeName?: string }[];
    };
    expect(instances.map(({ nodeName }) => nodeName)).toEqual([undefined, 'train-st-trn1-1', 'train-st-trn1-2']);
    expect(JSON.parse((await run('list-clusters')).stdout)).toMatchObject({ clusters: [{ clusterName: 'demo' }] });
  });

  test('tasks run on nodes with separate names, addresses and processes, and see their accelerators', async () => {
    const text = await slurm(
      'srun',
      '-N2',
      '--ntasks-per-node=1',
      'sh',
      '-c',
      'echo $(hostname) $(ps ax | grep -c slurmctl[d])',
    );
    expect(text.split('\n').sort()).toEqual(['train-st-trn1-1 0', 'train-st-trn1-2 0']);
    expect(await slurm('srun', '-N1', '--gres=neuroncore:3', 'printenv', 'NEURON_RT_VISIBLE_CORES')).toBe('0-2');
  });

  test('shared storage is mounted in every node and in its shell; custom actions have run there', async () => {
    const shared = join(work, 'mnt/shared');
    await slurm('srun', '-N1', '-w', 'train-st-trn1-1', 'sh', '-c', `echo data > ${shared}/file`);
    expect(await slurm('srun', '-N1', '-w', 'train-st-trn1-2', 'cat', `${shared}/file`)).toBe('data');
    // Slurm may have started a dynamic node, too, while a static one was still cleaning up after a job.
    const configured = (await inShell('cat', `${shared}/configured`)).split('\n');
    for (const node of ['train-st-trn1-1', 'train-st-trn1-2'])
      expect(configured.filter(line => line.startsWith(node))).toEqual([`${node} one two`]);
    // They are not mounted on the machine itself.
    expect(readdirSync(shared)).toEqual([]);
    await until('its measurement', () => folder.throughputs().shared !== undefined);
    const { stdout } = await run('describe-cluster', '-n', 'demo');
    expect(JSON.parse(stdout)).toMatchObject({
      sharedStorage: [
        { name: 'shared', mount: 'bind', configuredMBps: 125, measured: { writeMBps: expect.any(Number) } },
      ],
    });
  });

  test('if a custom action fails, creation fails and shows its output', async () => {
    writeFileSync(join(work, 'fails.sh'), 'echo no such package; exit 3\n');
    const path = join(work, 'fails.yaml');
    const fails = (script: string) =>
      writeFileSync(path, config.replace(`file://${join(work, 'configured.sh')}`, script));
    fails(join(work, 'fails.sh'));
    const failed = await run('create-cluster', '-n', 'fails', '-c', path);
    expect(failed.stderr).toMatch(
      /OnNodeConfigured on train-st-trn1-\d: \S+fails.sh ended with exit code 3\n[\s\S]*no such package/,
    );
    fails('https://example.com/x.sh');
    expect((await run('create-cluster', '-n', 'fails', '-c', path)).stderr).toContain('scripts are not downloaded');
    const { stdout: plan } = await run('create-cluster', '-n', 'fails', '-c', path, '--dry-run');
    expect(plan).toContain('OnNodeConfigured of queue train: https://example.com/x.sh cannot be read: scripts are not');
    expect(readdirSync(join(work, 'trenio/clusters')).filter(name => !name.endsWith('.lock'))).toEqual(['demo']);
  });

  test('a job that needs more nodes than the static ones starts dynamic nodes', async () => {
    // A batch job would also work, but slurmctld checks for booted nodes only every 30 s.
    const text = await slurm('srun', '-N3', '--exclusive', '--ntasks-per-node=1', 'hostname');
    expect(text.split('\n').sort()).toEqual(['train-dy-trn1-1', 'train-st-trn1-1', 'train-st-trn1-2']);
  });

  test('a Trenio script gets its rank and world size across nodes', async () => {
    const script = join(work, 'world.mjs');
    writeFileSync(script, 'console.log(process.env.RANK, process.env.WORLD_SIZE, process.env.MASTER_ADDR);\n');
    const submit = ['cluster', 'submit', '-n', 'demo', '--nodes', '2', '--queue', 'train', '--print'];
    const { stdout, stderr } = await new CliProcess(
      [...submit, '--layout', 'dp_shard=2,tp=2', script, '--lr', '1e-3'],
      {
        XDG_DATA_HOME: work,
      },
    ).finished;
    expect(stdout, stderr).toContain('#SBATCH --nodes=2\n');
    expect(stdout).toContain(`trenio run --nproc-per-node=2 --layout=dp_shard=2,tp=2 ${script} --lr 1e-3 &`);
    const text = await slurm(
      'srun',
      '-N2',
      '--ntasks-per-node=1',
      join(root, 'bin/trenio'),
      'run',
      '--nproc-per-node=1',
      script,
    );
    expect(
      text
        .split('\n')
        .map(line => line.replace(/^\[rank \d\] /, ''))
        .sort(),
    ).toEqual([expect.stringMatching(/^0 2 10\.\d+\.0\.10$/), expect.stringMatching(/^1 2 10\.\d+\.0\.10$/)]);
  });

  test('a lost node and a killed daemon are replaced; a job whose end slurmctld forgot runs again', async () => {
    // slurmctld saves its state a few seconds after a change: the start of this job is saved, its end is not.
    const job = await slurm('sbatch', '--parsable', '-w', 'train-st-trn1-1', '-o', '/dev/null', '--wrap', 'sleep 7');
    const stateOf = async (): Promise<string | undefined> =>
      /JobState=(\S+)/.exec(await slurm('scontrol', 'show', 'job', job).catch(() => ''))?.[1];
    await until('the job', async () => (await stateOf()) === 'COMPLETED');
    const before = folder.processes();
    const ofNode = parseIdentity(before.nodes['train-st-trn1-2']!.process)!;
    const killed = Date.now();
    process.kill(ofNode.pid, 'SIGKILL');
    process.kill(parseIdentity(before.slurmctld!)!.pid, 'SIGKILL');
    await until('both', async () => {
      const { processes } = await describeCluster(clusters(), 'demo');
      const after = folder.processes().nodes['train-st-trn1-2']?.process;
      const isReplaced = after !== undefined && after !== before.nodes['train-st-trn1-2']!.process;
      return isReplaced && !Object.values(processes).includes('stopped');
    });
    expect(lifeOf(ofNode)).toBe('ended');
    // The next supervisor, too, lets slurmctld look for the jobs that it had forgotten.
    process.kill(parseIdentity(folder.processes().supervisor!)!.pid, 'SIGKILL');
    // slurmctld may consider the node idle before it has started, because that was its last known state.
    await until('the node to register', async () => {
      const record = await slurm('scontrol', '-o', 'show', 'node', 'train-st-trn1-2').catch(() => '');
      return Date.parse(/SlurmdStartTime=(\S+)/.exec(record)?.[1] ?? '') >= killed - 1000;
    });
    const both = () =>
      slurm('srun', '-N2', '--ntasks-per-node=1', 'true').then(
        () => true,
        () => false,
      );
    await until('a job on both nodes', both);
    await until('the job again', async () => (await stateOf()) === 'COMPLETED');
  });

  test('a killed supervisor is started again without a command', async () => {
    const supervisor = (): ReturnType<typeof parseIdentity> => parseIdentity(folder.processes().supervisor ?? '');
    await until('the supervisor', () => lifeOf(supervisor()!) !== 'ended');
    const before = supervisor()!;
    process.kill(before.pid, 'SIGKILL');
    await until('another supervisor', () => supervisor()!.pid !== before.pid && lifeOf(supervisor()!) !== 'ended');
    const munged = parseIdentity(folder.processes().munged!)!;
    process.kill(munged.pid, 'SIGKILL');
    await until('another munged', () => folder.processes().munged !== formatIdentity(munged));
    expect(readFileSync(join(folder.path, 'log/supervisor.log'), 'utf8')).toContain(
      'signal 9 has ended the supervisor',
    );
  });

  test('munged is started again while a command of Slurm waits', async () => {
    const { slurmctld, munged, supervisor } = folder.processes();
    const [controller, { pid }] = [parseIdentity(slurmctld!)!, parseIdentity(supervisor!)!];
    const isWaiting = () => spawnSync('pgrep', ['-P', String(pid), '-x', 'scontrol|squeue|sinfo']).status === 0;
    await until('the supervisor to have no command', () => !isWaiting());
    process.kill(controller.pid, 'SIGSTOP');
    try {
      let isOver = false;
      const command = slurm('scontrol', 'show', 'nodes').finally(() => {
        isOver = true;
      });
      command.catch(() => {}); // it may give up
      await until('a command of the supervisor', isWaiting);
      process.kill(parseIdentity(munged!)!.pid, 'SIGKILL');
      await until('another munged', () => folder.processes().munged !== munged);
      // The supervisor's command was started after this one.
      expect(isOver).toBe(false);
    } finally {
      process.kill(controller.pid, 'SIGCONT');
    }
    expect(await slurm('srun', '-N2', '--ntasks-per-node=1', 'true')).toBe('');
  });

  test.each([30, 100, 300])('a creation that is killed after %i ms can be deleted and leaves nothing', async ms => {
    const half = new ClusterFolder(join(clusters(), 'half'));
    const creation = new CliProcess(['cluster', 'create-cluster', '-n', 'half', '-c', join(work, 'cluster.yaml')], {
      XDG_DATA_HOME: work,
    });
    await until('its folder', () => existsSync(join(half.path, 'cluster.json')));
    await new Promise(done => setTimeout(done, ms));
    creation.child.kill('SIGKILL');
    await creation.finished;
    const { runFolder, subnet, status, reason } = half.state()!;
    expect({ status, reason }).toEqual({
      status: 'CREATE_FAILED',
      reason: 'create-cluster was interrupted: delete the cluster',
    });
    expect(await run('delete-cluster', '-n', 'half')).toMatchObject({ exitCode: 0 });
    expect(markedProcesses(half.path)).toEqual([]);
    expect(supervisorsOf(half.path)).toEqual([]);
    expect(existsSync(runFolder)).toBe(false);
    expect(execFileSync('ip', ['-o', 'link'], { encoding: 'utf8' })).not.toContain(`trenio${subnet}:`);
    expect(readdirSync(clusters())).toEqual(['demo']);
  });

  test('a capacity block bought for the cluster is a reservation until the block ends', async () => {
    const offers = async (count: string): Promise<string> => {
      const { stdout } = await capacity('search', '-t', 'trn1.32xlarge', '-n', count, '--json');
      return (JSON.parse(stdout) as { offerings: readonly { id: string }[] }).offerings[0]!.id;
    };
    const tooLarge = await capacity('buy', await offers('4'), '--cluster', 'demo');
    expect([tooLarge.exitCode, tooLarge.stderr]).toEqual([
      1,
      expect.stringContaining('a cluster with 4 free nodes of trn1.32xlarge (demo has 3 at that time)'),
    ]);
    const bought = await capacity('buy', await offers('2'), '--cluster', 'demo', '--json');
    const { id } = (JSON.parse(bought.stdout) as { block: { id: string } }).block;
    const states = async (): Promise<string> => slurm('sinfo', '-h', '-T');
    await until('the reservation', async () => (await states()).includes('ACTIVE'));
    // An administrator's own reservation whose name resembles that of a block, and a node that an administrator has drained.
    const own = 'cr-0123456789abcdef0';
    const spare = ['Nodes=spare-dy-p4-1', 'Users=root', 'StartTime=now+3600', 'Duration=60', 'Flags=IGNORE_JOBS'];
    await slurm('scontrol', 'create', 'reservation', `ReservationName=${own}`, ...spare);
    expect(
      await slurm('srun', '-N2', '--ntasks-per-node=1', `--reservation=${id}`, 'printenv', 'SLURM_JOB_RESERVATION'),
    ).toBe(`${id}\n${id}`);
    await slurm('scontrol', 'update', 'nodename=train-st-trn1-1', 'state=drain', 'reason=fan');
    setEnd(Date.now() + 20 * 60_000);
    const reasons = async (): Promise<readonly string[]> =>
      (await slurm('sinfo', '-h', '-N', '-t', 'drain', '-o', '%N %20E')).split('\n').map(line => line.trim());
    await until('the nodes to drain', async () => (await reasons()).length === 2);
    expect(await reasons()).toEqual(['train-st-trn1-1 fan', expect.stringContaining('train-st-trn1-2 capacity block')]);
    const { stdout } = await run('describe-cluster', '-n', 'demo');
    expect(JSON.parse(stdout)).toMatchObject({
      capacityBlocks: [{ capacityReservationId: id, state: 'draining', nodes: ['train-st-trn1-1', 'train-st-trn1-2'] }],
    });
    setEnd(Date.now() - 1);
    await until('the end', async () => !(await states()).includes(id));
    expect(await states()).toMatch(new RegExp(`^${own} +INACTIVE `));
    await slurm('scontrol', 'delete', `reservation=${own}`);
    await until('the second node', async () => (await reasons()).length === 1);
    expect(await reasons()).toEqual(['train-st-trn1-1 fan']);
    await slurm('scontrol', 'update', 'nodename=train-st-trn1-1', 'state=resume');
    expect(await slurm('srun', '-N2', '--ntasks-per-node=1', 'true')).toBe('');
  });

  test('the fleet is stopped and started', async () => {
    expect((await run('update-compute-fleet', '-n', 'demo', '--status', 'STOP_REQUESTED')).exitCode).toBe(0);
    await until('the nodes to end', () => Object.keys(folder.processes().nodes).length === 0);
    expect((await run('update-compute-fleet', '-n', 'demo', '--status', 'START_REQUESTED')).exitCode).toBe(0);
    await until('the nodes', async () => {
      const states = await statesOf();
      return ['train-st-trn1-1', 'train-st-trn1-2'].every(node => states[node] === 'idle');
    });
  });

  test('an update adds and removes nodes; unsupported changes are rejected', async () => {
    const path = join(work, 'changed.yaml');
    const grown = config.replace('MinCount: 2\n          MaxCount: 3', 'MinCount: 3\n          MaxCount: 3');
    writeFileSync(path, grown);
    const { stdout, stderr } = await run('update-cluster', '-n', 'demo', '-c', path);
    expect(JSON.parse(stdout === '' ? stderr : stdout)).toMatchObject({
      cluster: { clusterStatus: 'UPDATE_COMPLETE' },
      changeSet: [{ parameter: 'Scheduling.SlurmQueues[train].ComputeResources[trn1].MinCount', need: 'live' }],
    });
    expect((await slurm('srun', '-N3', '--ntasks-per-node=1', 'hostname')).split('\n').sort().at(-1)).toBe(
      'train-st-trn1-3',
    );
    writeFileSync(path, config.replace('c5.4xlarge', 'c5.large'));
    const refused = await run('update-cluster', '-n', 'demo', '-c', path);
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringContaining('a running cluster cannot change HeadNode.InstanceType'),
    ]);
    expect((await run('update-cluster', '-n', 'demo', '-c', join(work, 'cluster.yaml'))).exitCode).toBe(0);
    expect(await slurm('sinfo', '-h', '-p', 'train', '-o', '%n', '-N')).not.toContain('train-st-trn1-3');
  });

  test('dynamic nodes that were switched off during an update can be started after it', async () => {
    const path = join(work, 'changed.yaml');
    writeFileSync(path, config.replace('trn1.32xlarge', 'trn1n.32xlarge'));
    for (const file of [path, join(work, 'cluster.yaml')]) {
      const { stdout, stderr } = await run('update-cluster', '-n', 'demo', '-c', file);
      expect(JSON.parse(stdout === '' ? stderr : stdout)).toMatchObject({
        changeSet: [{ parameter: 'Scheduling.SlurmQueues[train].ComputeResources[trn1].InstanceType', need: 'drain' }],
      });
    }
    const node = 'train-dy-trn1-1';
    await until('the node', async () => (await statesOf())[node] === 'idle+cloud+powered_down');
    expect(await slurm('srun', '-N3', '--ntasks-per-node=1', '--immediate=50', 'true')).toBe('');
  });

  test('a damaged cluster is reported, does not affect others, and can be deleted', async () => {
    const small = join(work, 'small.yaml');
    writeFileSync(small, config.replace('MinCount: 2', 'MinCount: 1'));
    const { stdout: made } = await run('create-cluster', '-n', 'damaged', '-c', small);
    expect(JSON.parse(made)).toMatchObject({ cluster: { clusterStatus: 'CREATE_COMPLETE' } });
    const damaged = new ClusterFolder(join(work, 'trenio/clusters/damaged'));
    const { runFolder, subnet } = damaged.state()!;
    writeFileSync(join(damaged.path, 'cluster.json'), '{');
    writeFileSync(join(damaged.path, 'processes.json'), '{');
    expect((await run('describe-cluster', '-n', 'damaged')).stderr).toContain('its content was not written by Trenio');
    expect(JSON.parse((await run('list-clusters')).stdout)).toMatchObject({ clusters: [{ clusterName: 'demo' }] });
    expect((await run('delete-cluster', '-n', 'damaged')).exitCode).toBe(0);
    expect(markedProcesses(damaged.path)).toEqual([]);
    expect(() => readdirSync(runFolder)).toThrow('ENOENT');
    expect(execFileSync('ip', ['-o', 'link'], { encoding: 'utf8' })).not.toContain(`trenio${subnet}:`);
  });

  test('an existing Slurm is described and used, and never changed', async () => {
    const made = await run('create-cluster', '-n', 'there', '--provider', 'existing', '--slurm-conf', folder.conf);
    expect(made.exitCode, made.stderr).toBe(0);
    expect(JSON.parse((await run('describe-cluster', '-n', 'there')).stdout)).toMatchObject({
      processes: { slurmctld: 'running' },
      computeFleetStatus: 'RUNNING',
    });
    expect((await run('shell', '-n', 'there', 'srun', '-N1', 'hostname')).stdout).toMatch(/^train-st-trn1-\d\n$/);
    const server = new CliProcess(
      ['server', '--engine', 'slurm', '--cluster', 'there', '--data', join(work, 'server')],
      {
        XDG_DATA_HOME: work,
      },
    );
    expect((await server.finished).stderr).toContain('expected a cluster that Trenio has created');
    const refused = await run('update-compute-fleet', '-n', 'there', '--status', 'STOP_REQUESTED');
    expect(refused.stderr).toContain('there is a Slurm cluster that');
    expect((await run('delete-cluster', '-n', 'there')).exitCode).toBe(0);
    expect(await slurm('scontrol', 'ping')).toContain('UP');
  });

  test('a node that fails a health check is drained with the reason, and later resumed', async () => {
    const node = 'train-st-trn1-1';
    const check = () =>
      run('ssh', '-n', 'demo', '--node', node, join(folder.path, 'bin/health-check.sh')).then(({ exitCode }) =>
        expect(exitCode).toBe(0),
      );
    const states = () => slurm('sinfo', '-h', '-N', '-n', node, '-o', '%T %E');
    writeFileSync(join(folder.path, 'health.d/memory'), '#!/bin/sh\necho "ECC errors on $1"; exit 1\n', {
      mode: 0o755,
    });
    await check();
    expect(await states()).toMatch(new RegExp(`^drain(ed|ing)\\*? health check: memory: ECC errors on ${node}$`));
    rmSync(join(folder.path, 'health.d/memory'));
    await check();
    await until('the node', async () => /^[^d]\S* none$/.test(await states()));
  });

  test('a node that slurmctld drained because it had forgotten a job is used again; one that a person drained is not', async () => {
    const [forgotten, repaired] = ['train-st-trn1-1', 'train-st-trn1-2'] as const;
    const drain = (node: string, reason: string): Promise<string> =>
      slurm('scontrol', 'update', `nodename=${node}`, 'state=drain', `reason=${reason}`);
    const stateOf = (node: string): Promise<string> => slurm('sinfo', '-h', '-N', '-n', node, '-o', '%T');
    await drain(repaired, 'new fan');
    await drain(forgotten, 'Duplicate jobid');
    await until('the node', async () => !(await stateOf(forgotten)).startsWith('drain'));
    expect(await stateOf(repaired)).toMatch(/^drain/);
    await slurm('scontrol', 'update', `nodename=${repaired}`, 'state=resume');
  });

  test('programs run before and after each job on its nodes', async () => {
    for (const kind of ['prolog', 'epilog'])
      writeFileSync(
        join(folder.path, `${kind}.d/10-note`),
        `#!/bin/sh\necho "${kind} of $SLURM_JOB_ID on $SLURMD_NODENAME" >> ${join(work, 'around')}\n`,
        { mode: 0o755 },
      );
    const id = await slurm('sbatch', '--parsable', '--wait', '--output=/dev/null', '--wrap', 'true');
    const lines = (): readonly string[] => readFileSync(join(work, 'around'), 'utf8').trim().split('\n');
    await until('the epilog', () => lines().length === 2);
    const [before, after] = lines();
    expect(before).toMatch(new RegExp(`^prolog of ${id} on train-`));
    expect(after).toBe(before!.replace('prolog', 'epilog'));
    for (const kind of ['prolog', 'epilog']) rmSync(join(folder.path, `${kind}.d/10-note`));
  });

  test('bad requests change nothing', async () => {
    const again = await run('create-cluster', '-n', 'demo', '-c', join(work, 'cluster.yaml'));
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('a cluster named demo already exists')]);
    const unknown = await run('describe-cluster', '-n', 'dem');
    expect(unknown.stderr).toContain('there is no cluster named dem; did you mean demo?');
    expect((await run('create-cluster', '-n', 'x')).stderr).toContain('--cluster-configuration');
    for (const name of ['my cluster', '../x', 'a'.repeat(61)])
      for (const provider of ['local', 'existing'])
        expect((await run('create-cluster', '-n', name, '-c', 'none.yaml', '--provider', provider)).stderr).toContain(
          `--cluster-name is ${name}, expected a letter, then letters, digits and hyphens`,
        );
    const absent = await run('submit', '-n', 'demo', join(work, 'absent.ts'));
    expect([absent.exitCode, absent.stderr]).toEqual([1, expect.stringContaining('absent.ts: there is no such file')]);
    const files = ['-c', join(work, 'cluster.yaml'), '--hosts', join(work, 'cluster.yaml')];
    const virtual = await run('update-cluster', '-n', 'demo', ...files);
    expect(virtual.stderr).toContain('only clusters that were created with --provider ssh have hosts');
    const queue = await run('submit', '-n', 'demo', '--queue', 'nope', join(work, 'cluster.yaml'));
    expect(queue.stderr).toContain('fix: correct the request; sinfo lists the queues');
  });
});
