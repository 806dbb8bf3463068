// Images of kind docker, in Podman or Docker, if one of them works. The image is a single static program, built here.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StopTrainingJobCommand } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findEngine } from '../../../jobs/hosts/container-engine.ts';
import { errorOf, TrainingJobs } from './training-jobs.testing.ts';

const IMAGE = `localhost/trenio-test-${process.pid}:1`;
const engine = findEngine();

/** Follows the contract of training containers: prints its hyperparameters and host, fails on request, writes a model. */
const PROGRAM = `
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
  char text[4096], host[256];
  FILE *file = fopen("/opt/ml/input/config/hyperparameters.json", "r");
  if (!file) return 9;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  gethostname(host, sizeof host);
  printf("%s on %s as %s with %s", words[0], host, getenv("SM_CURRENT_HOST"), text);
  if (getenv("WAITS")) sleep(100);
  if (count > 1) {
    file = fopen("/opt/ml/output/failure", "w");
    fprintf(file, "told to fail with %s", words[1]);
    fclose(file);
    return 4;
  }
  file = fopen("/opt/ml/model/model.txt", "w");
  fputs("trained", file);
  fclose(file);
  puts("loss=0.25");
  return 0;
}`;

let jobs: TrainingJobs;
beforeAll(async () => {
  if (engine === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'trenio-image-'));
  const root = join(folder, 'root');
  for (const name of ['bin', 'dev', 'etc', 'opt/ml', 'proc', 'sys', 'tmp'])
    mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(folder, 'train.c'), PROGRAM);
  const run = (command: string, ...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(command, args);
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  };
  run('gcc', '-static', '-O1', '-o', join(root, 'bin/train'), join(folder, 'train.c'));
  run('tar', '-C', root, '-cf', join(folder, 'image.tar'), '.');
  run(engine, 'import', join(folder, 'image.tar'), IMAGE);
  rmSync(folder, { recursive: true });
  jobs = await TrainingJobs.start({
    images: {
      'local/contained:1': { kind: 'docker', image: IMAGE },
      'local/absent:1': { kind: 'docker', image: 'localhost/there-is-none:1' },
    },
    graceMs: 300,
  });
});
afterAll(async () => {
  await jobs?.[Symbol.asyncDispose]();
  if (engine !== undefined) spawnSync(engine, ['rmi', '--force', IMAGE]);
});

const job = (image: string, more: object = {}) => ({
  AlgorithmSpecification: {
    TrainingImage: image,
    TrainingInputMode: 'File' as const,
    MetricDefinitions: [{ Name: 'loss', Regex: 'loss=([0-9.]+)' }],
    ...more,
  },
  HyperParameters: { lr: '0.1' },
});

const containers = (): string =>
  spawnSync(engine!, ['ps', '--all', '--format', '{{.Names}}'], { encoding: 'utf8' }).stdout;

describe.skipIf(engine === undefined)('images of the kind docker', () => {
  test('run with the contract of training containers', async () => {
    await jobs.create('contained', job('local/contained:1'));
    expect(await jobs.ended('contained')).toMatchObject({
      TrainingJobStatus: 'Completed',
      FinalMetricDataList: [{ MetricName: 'loss', Value: 0.25 }],
    });
    expect(jobs.lines('contained').join('\n')).toContain('train on algo-1 as algo-1 with {\n  "lr": "0.1"\n}');
    expect(jobs.server.service.objects.head('data', 'out/contained/output/model.tar.gz').size).toBeGreaterThan(0);
    expect(containers()).not.toContain('trenio-contained');
  });

  test('that do not exit by themselves are killed and removed', async () => {
    await jobs.create('waits', { ...job('local/contained:1'), Environment: { WAITS: 'yes' } });
    while (!containers().includes('trenio-waits')) await sleep(100);
    await jobs.sagemaker.send(new StopTrainingJobCommand({ TrainingJobName: 'waits' }));
    expect((await jobs.ended('waits')).TrainingJobStatus).toBe('Stopped');
    expect(containers()).not.toContain('trenio-waits');
  });

  test('fail with the reason that their program writes', async () => {
    const more = { ContainerEntrypoint: ['/bin/train'], ContainerArguments: ['--fail'] };
    await jobs.create('fails', job('local/contained:1', more));
    expect(await jobs.ended('fails')).toMatchObject({
      TrainingJobStatus: 'Failed',
      FailureReason: 'AlgorithmError: told to fail with --fail, exit code: 4',
    });
  });

  test('that are not on this machine are rejected', async () => {
    expect(await errorOf(jobs.create('absent', job('local/absent:1')))).toBe(
      `ValidationException: The training image 'local/absent:1' is 'localhost/there-is-none:1' of ${engine}, which is not on this machine: run '${engine} pull localhost/there-is-none:1', or build it.`,
    );
  });
});
