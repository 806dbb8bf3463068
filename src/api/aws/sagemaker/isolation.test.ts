// Isolation of jobs from the machine: programs that hide, fill the disk, or allocate all memory.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { detectIsolation } from '../../../jobs/training/sandbox.ts';
import { TrainingJobs } from './training-jobs.testing.ts';

let jobs: TrainingJobs;

beforeAll(async () => {
  jobs = await TrainingJobs.start({ images: { 'local/sh:1': { kind: 'command', train: ['sh', '-c'] } }, graceMs: 300 });
});
afterAll(() => jobs[Symbol.asyncDispose]());

const shell = (script: string, more = {}) => ({
  AlgorithmSpecification: {
    TrainingImage: 'local/sh:1',
    TrainingInputMode: 'File' as const,
    ContainerArguments: [script],
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

describe.skipIf(detectIsolation() === 'none')('jobs', { timeout: 60_000 }, () => {
  test('have their own /tmp, /opt/ml, processes and host name, and no network where none is wanted', async () => {
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
    rmSync(secret);
  });

  test('that leave processes behind, which ignore SIGTERM, have none at their end', async () => {
    const mark = `8${process.pid}.25`;
    const script = `trap '' TERM; for i in 1 2 3; do setsid sh -c 'trap "" TERM; (sleep ${mark} &); sleep ${mark}' & done; sleep 0.3; exit 0`;
    await jobs.create('forks', shell(script));
    expect((await jobs.ended('forks')).TrainingJobStatus).toBe('Completed');
    expect(processesWith(mark)).toEqual([]);
  });

  test('that fill their volume fail, and say so', async () => {
    await jobs.create('disk', shell('fallocate -l 1200M /tmp/big; sleep 50'));
    expect(await jobs.ended('disk')).toMatchObject({
      TrainingJobStatus: 'Failed',
      FailureReason: 'AlgorithmError: the host algo-1 has used more than the 1 GB of its volume (VolumeSizeInGB)',
    });
  });

  test('are the first that the system ends when memory runs out', async () => {
    await jobs.create('memory', shell('cat /proc/self/oom_score_adj'));
    await jobs.ended('memory');
    expect(jobs.lines('memory')).toContain('1000');
  });
});
