// The secrets of a server that its jobs must not see: its environment, its keys, and other jobs.
import { existsSync } from 'node:fs';
import { CreateProcessingJobCommand, DescribeProcessingJobCommand } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sealFile } from '../../../base/secret-seal.ts';
import { detectIsolation, jobUser } from '../../../jobs/training/sandbox.ts';
import { TrainingJobs } from './training-jobs.testing.ts';

let jobs: TrainingJobs;
beforeAll(async () => {
  for (const name of ['AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'MY_SETTING', 'NODE_AUTH', 'TRENIO_RDZV_SECRET'])
    vi.stubEnv(name, `leaked-${name}`);
  vi.stubEnv('LC_ALL', 'C');
  jobs = await TrainingJobs.start({
    images: {
      'local/sh:1': { kind: 'command', train: ['sh', '-c'], process: ['sh', '-c'], environment: { OF: 'image' } },
    },
  });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await jobs[Symbol.asyncDispose]();
});

const words = (script: string): string[] => ['eval "$(printf %s "$@")"', 'sh', ...(script.match(/.{1,256}/g) ?? [])];
async function run(name: string, script: string, more: object = {}): Promise<readonly string[]> {
  await jobs.create(name, {
    AlgorithmSpecification: {
      TrainingImage: 'local/sh:1',
      TrainingInputMode: 'File',
      ContainerArguments: words(script),
    },
    ...more,
  });
  await jobs.ended(name);
  return jobs.lines(name);
}

test('training and processing jobs get the variables of the allow-list, and their own', async () => {
  const environment = { Environment: { OF: 'job', API_TOKEN: 'given to it' } };
  const script = 'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | sed s/given/GIVEN/';
  const training = await run('variables', script, environment);
  await jobs.sagemaker.send(
    new CreateProcessingJobCommand({
      ProcessingJobName: 'variables',
      RoleArn: 'arn:aws:iam::123456789012:role/me',
      AppSpecification: { ImageUri: 'local/sh:1', ContainerArguments: words(`(${script}) > /opt/ml/output/message`) },
      ProcessingResources: { ClusterConfig: { InstanceCount: 1, InstanceType: 'ml.m5.large', VolumeSizeInGB: 1 } },
      ...environment,
    }),
  );
  const show = new DescribeProcessingJobCommand({ ProcessingJobName: 'variables' });
  await expect
    .poll(async () => (await jobs.sagemaker.send(show)).ProcessingJobStatus, { timeout: 150_000 })
    .toBe('Completed');
  const processing = (await jobs.sagemaker.send(show)).ExitMessage!.split('\n');
  for (const lines of [training, processing]) {
    expect(lines.join('\n')).not.toContain('leaked-');
    expect(lines).toContain('LC_ALL=C');
    expect(lines).toContain('OF=job');
  }
  const names = new Set(training.flatMap(line => /^([A-Z]\w*)=/.exec(line)?.[1] ?? []));
  const ofServer = [...names].filter(
    name => !/^(?:SM_|TRAINING_JOB_|TRENIO_RDZV_SECRET$|OF$|API_TOKEN$|PWD$|SHLVL$|OLDPWD$|_$)/.test(name),
  );
  expect(
    ofServer.filter(
      name =>
        !/^(?:PATH|HOME|USER|LOGNAME|TZ|LANG\w*|LC_\w+|TRENIO_CACHE_\w+|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS)$/.test(name),
    ),
  ).toEqual([]);
});

describe.skipIf(detectIsolation() === 'none')('in namespaces', () => {
  test('the server’s folder is not visible, and neither are keys and other jobs; no capabilities, another user', async () => {
    const { data, keys } = jobs.server;
    expect(existsSync(sealFile())).toBe(true);
    const script = [
      `ls ${data} ${data}/keys.json ${data}/runs 2>&1`,
      `cat ${data}/keys.json ${data}/*.sqlite ${sealFile()} 2>&1`,
      'find / -xdev -name keys.json -not -path "/proc/*" -not -path "*/node_modules/*" 2>/dev/null | head',
      'for pid in /proc/[0-9]*; do cat $pid/root/etc/hostname $pid/cwd/../keys.json; done > /dev/null 2>&1',
      `umount ${data} 2>&1`,
      `unshare --user --map-root-user --mount sh -c "umount ${data}; ls ${data}" 2>&1`,
      'mount -t tmpfs tmpfs /mnt 2>&1',
      'grep -h ^Cap /proc/self/status; grep NoNewPrivs /proc/self/status; echo "user $(id -u)"; echo "home $HOME"',
      'touch $HOME/x /tmp/x /dev/shm/x /opt/ml/model/x /opt/ml/checkpoints/x && echo written',
    ].join('; ');
    const lines = await run('nosy', script);
    const all = lines.join('\n');
    for (const { secret, id } of keys.list()) for (const text of [secret, id]) expect(all).not.toContain(text);
    expect(all).not.toMatch(/^(?:objects|runs|audit|keys\.json)$/m);
    expect(all).not.toContain(`${data}/keys.json\n`);
    expect(lines).toContain('written');
    for (const name of ['Prm', 'Eff', 'Bnd', 'Amb', 'Inh']) expect(all).toMatch(new RegExp(`^Cap${name}:\\s*0+$`, 'm'));
    expect(all).toMatch(/^NoNewPrivs:\s*1$/m);
    if (jobUser() !== undefined) expect(lines).toContain(`user ${jobUser()}`);
  });

  test('what a job links to is not read for it', async () => {
    const { data } = jobs.server;
    const script = [
      `rm -rf /opt/ml/model /opt/ml/checkpoints /opt/ml/output/data; ln -s ${data} /opt/ml/model`,
      `ln -s ${data} /opt/ml/checkpoints; ln -s ${data} /opt/ml/output/data`,
      `ln -s ${data}/keys.json /opt/ml/output/failure`,
      'sleep 6; exit 1',
    ].join('; ');
    await run('links', script, { CheckpointConfig: { S3Uri: 's3://data/stolen', LocalPath: '/opt/ml/checkpoints' } });
    const { FailureReason } = await jobs.show('links');
    expect(FailureReason).not.toContain('AKIA');
    await run('links-2', `${script.replace('exit 1', 'exit 0')}`);
    const found = jobs.server.service.objects
      .list('data', { prefix: '', delimiter: '', maxKeys: 1000, after: '' })
      .objects.map(({ key }) => key);
    expect(found.filter(key => key.startsWith('stolen'))).toEqual([]);
    // An empty archive, as without a model.
    expect(found.filter(key => key.startsWith('out/links'))).toEqual(['out/links-2/output/model.tar.gz']);
    expect(jobs.server.service.objects.head('data', 'out/links-2/output/model.tar.gz').size).toBeLessThan(500);
  });
});
