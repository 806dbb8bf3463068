// Isolation of jobs from the machine: programs that hide, fill the disk, or allocate all memory.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ControlGroup, limitsOf } from '../../../jobs/hosts/control-group.ts';
import { canMakeNetworks } from '../../../jobs/hosts/network-namespace.ts';
import { MetricStore, USAGE_FOLDER } from '../../../jobs/metrics/metric-store.ts';
import { detectIsolation } from '../../../jobs/training/sandbox.ts';
import { TrainingJobs } from './training-jobs.testing.ts';

let jobs: TrainingJobs;

beforeAll(async () => {
  jobs = await TrainingJobs.start({
    images: { 'local/sh:1': { kind: 'command', train: ['sh', '-c'] } },
    pool: { instances: [{ type: 'ml.trn1.2xlarge', count: 4, memoryGb: 0.5 }] },
    graceMs: 300,
  });
});
afterAll(() => jobs[Symbol.asyncDispose]());

const ownNetworks = await canMakeNetworks();
const probe = ControlGroup.make(`probe-${process.pid}`, limitsOf(1, 1e9));
const hasGroups = probe !== undefined;
await probe?.remove();

/** Remaining control groups of jobs with this name. */
const groupsWith = (name: string): readonly string[] =>
  readdirSync('/sys/fs/cgroup', { recursive: true, encoding: 'utf8' }).filter(path => path.includes(`-${name}-`));

const shell = (script: string, more = {}) => ({
  AlgorithmSpecification: {
    TrainingImage: 'local/sh:1',
    TrainingInputMode: 'File' as const,
    // A word is limited to 256 characters.
    ContainerArguments: ['eval "$(printf %s "$@")"', 'sh', ...(script.match(/.{1,256}/g) ?? [])],
  },
  ...more,
});

/** Processes of this machine whose command line has a text. */
const processesWith = (text: string): readonly string[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false; // it has just ended
      }
    });

describe.skipIf(detectIsolation() === 'none')('jobs', () => {
  test('have their own /tmp, /opt/ml, processes and host name, and no network if isolation is requested', async () => {
    const secret = join(tmpdir(), `trenio-secret-${process.pid}`);
    writeFileSync(secret, 'secret');
    const script = [
      `ls ${secret} || echo hidden`,
      'touch /tmp/mine',
      'ls /opt/ml',
      'echo "processes $(ls -d /proc/[0-9]* | wc -l)"',
      'hostname',
      'echo "interfaces $(ip -o link | wc -l)"',
    ].join('; ');
    await jobs.create('views', shell(script, { EnableNetworkIsolation: true }));
    expect((await jobs.ended('views')).TrainingJobStatus).toBe('Completed');
    const lines = jobs.lines('views');
    expect(lines).toContain('hidden');
    expect(lines).toContain('checkpoints');
    expect(lines).toContain('algo-1');
    // The loopback interface.
    expect(lines).toContain('interfaces 1');
    expect(Number(lines.find(line => line.startsWith('processes '))!.split(' ')[1])).toBeLessThan(12);
    expect(readdirSync(tmpdir())).not.toContain('mine');
    const shared = jobs.server.service.jobs.training.get('views')!.shared!;
    expect(shared[0]).toMatch(/^Files outside \/opt\/ml, \/tmp and the folder of the server, with the rights of /);
    expect(shared.join(' ')).not.toContain('network');
    rmSync(secret);
  });

  test('background processes that ignore SIGTERM are killed when the job ends', async () => {
    const mark = `8${process.pid}.25`;
    const script = `trap '' TERM; for i in 1 2 3; do setsid sh -c 'trap "" TERM; (sleep ${mark} &); sleep ${mark}' & done; sleep 0.3; exit 0`;
    await jobs.create('forks', shell(script));
    expect((await jobs.ended('forks')).TrainingJobStatus).toBe('Completed');
    expect(processesWith(mark)).toEqual([]);
  });

  test('that fill their volume fail with that reason', async () => {
    await jobs.create('disk', shell('fallocate -l 1200M /tmp/big; sleep 50'));
    expect(await jobs.ended('disk')).toMatchObject({
      TrainingJobStatus: 'Failed',
      FailureReason: 'AlgorithmError: the host algo-1 has used more than the 1 GB of its volume (VolumeSizeInGB)',
    });
  });

  test.skipIf(!ownNetworks)('have a separate network for each host, with real names, addresses and ports', async () => {
    const server = `require('net').createServer(one => one.end('from ' + process.env.SM_CURRENT_HOST)).listen(7000)`;
    const ask = `require('net').connect(7000, process.argv[1]).on('data', data => console.log('got ' + data)).on('error', () => setTimeout(() => process.exit(3), 50))`;
    // One line, since words cannot contain line breaks.
    const script = [
      `node -e "${server}" & served=$!`,
      'echo "$SM_CURRENT_HOST $SM_NETWORK_INTERFACE_NAME $(ip -o -4 addr show eth0 | tr -s " " | cut -d " " -f 4)"',
      `[ "$SM_CURRENT_HOST" = algo-1 ] && other=algo-2 || other=algo-1`,
      `until node -e "${ask}" "$other"; do sleep 0.1; done`,
      // The other host may still send requests.
      'sleep 1',
      'kill $served',
    ].join('; ');
    const ResourceConfig = { InstanceType: 'ml.trn1.2xlarge' as const, InstanceCount: 2, VolumeSizeInGB: 1 };
    await jobs.create('networks', shell(script, { ResourceConfig }));
    expect((await jobs.ended('networks')).TrainingJobStatus).toBe('Completed');
    const lines = jobs.lines('networks');
    expect(lines).toContain('algo-1 eth0 10.77.0.1/16');
    expect(lines).toContain('algo-2 eth0 10.77.0.2/16');
    expect(lines).toContain('got from algo-1');
    expect(lines).toContain('got from algo-2');
    expect(lines[0]).toContain('TRENIO_HOST_NETWORK=machine');
    expect(processesWith('ip link add hosts')).toEqual([]);
    const Environment = { TRENIO_HOST_NETWORK: 'machine' };
    await jobs.create(
      'machines',
      shell('echo "$SM_NETWORK_INTERFACE_NAME $(getent hosts algo-2)"', { ResourceConfig, Environment }),
    );
    await jobs.ended('machines');
    expect(jobs.lines('machines').join('\n')).toMatch(/^lo 127\.0\.1\.2 +algo-2$/m);
  });

  test.skipIf(!hasGroups)('fail when they exceed the memory of their host; their usage is recorded', async () => {
    await jobs.create('hungry', shell(`${process.execPath} -e "const a = []; for (;;) a.push(Buffer.alloc(2e7, 1))"`));
    const { TrainingJobStatus, FailureReason } = await jobs.ended('hungry');
    expect(TrainingJobStatus).toBe('Failed');
    expect(FailureReason).toMatch(
      /^AlgorithmError: the host algo-1 had no memory left; it may use 0\.5 GB, exit code: /,
    );
    const usage = new MetricStore(join(jobs.server.folder, 'data', USAGE_FOLDER));
    expect(usage.list('hungry').map(({ name }) => name)).toEqual(['algo-1 cores', 'algo-1 memory']);
    usage.close();
    expect(groupsWith('hungry')).toEqual([]);
  });

  test('are the first processes that the system kills when memory runs out', async () => {
    await jobs.create('memory', shell('cat /proc/self/oom_score_adj'));
    await jobs.ended('memory');
    expect(jobs.lines('memory')).toContain('1000');
  });
});
