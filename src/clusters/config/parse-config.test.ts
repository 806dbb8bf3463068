import { describe, expect, test } from 'vitest';
import { planCluster } from '../cluster-plan.ts';
import { exampleConfig } from '../example-config.testing.ts';
import { parseConfig } from './parse-config.ts';

const problemsOf = (text: string, name = 'demo') =>
  parseConfig(text, name).problems.map(({ line, path, message }) => `${line}: ${path} ${message}`);
const changed = (from: string | RegExp, to: string): string => {
  const text = exampleConfig.replace(from, to);
  expect(text).not.toBe(exampleConfig);
  return text;
};

describe('a configuration file', () => {
  test('that is valid has no problems, and a plan with the names of ParallelCluster', () => {
    const { file, problems } = parseConfig(exampleConfig, 'demo');
    expect(problems).toEqual([]);
    const { groups, partitions, idleSeconds } = planCluster('demo', file!);
    expect(partitions.map(({ name, capacityType }) => [name, capacityType])).toEqual([
      ['train', 'ONDEMAND'],
      ['spare', 'SPOT'],
    ]);
    expect(
      groups.map(({ queue, kind, name, count, cpus, resource }) => ({ queue, kind, name, count, cpus, resource })),
    ).toEqual([
      {
        queue: 'train',
        kind: 'static',
        name: 'trn1',
        count: 2,
        cpus: 128,
        resource: { name: 'neuroncore', count: 32 },
      },
      {
        queue: 'train',
        kind: 'dynamic',
        name: 'trn1',
        count: 1,
        cpus: 128,
        resource: { name: 'neuroncore', count: 32 },
      },
      { queue: 'spare', kind: 'dynamic', name: 'p4', count: 10, cpus: 96, resource: { name: 'gpu', count: 8 } },
    ]);
    expect(idleSeconds).toBe(60);
  });

  test.each([
    [
      'an unknown key',
      'MinCount',
      'MinCuont',
      /^\d+: Scheduling.SlurmQueues\[0\].ComputeResources\[0\].MinCuont is not a key .* did you mean MinCount\?$/,
    ],
    ['a wrong type', 'MinCount: 2', 'MinCount: two', /MinCount is "two", expected a whole number$/],
    ['a value out of range', 'MaxCount: 3', 'MaxCount: 0', /MaxCount is 0, expected at least 1$/],
    [
      'a value that is not allowed',
      'Os: alinux2',
      'Os: windows',
      /^2: Image.Os is "windows", expected one of alinux2, /,
    ],
    ['a missing section', /^Image:\n.*\n/m, '', /^1: Image is missing$/],
    ['counts that do not fit', 'MinCount: 2', 'MinCount: 9', /has MaxCount 3 below MinCount 9$/],
    ['a name in capitals', 'Name: train', 'Name: Train', /is Train, expected a letter and then lower-case letters/],
    ['one name twice', 'Name: spare', 'Name: train', /has the queue train more than once$/],
    [
      'a capacity block with dynamic nodes',
      'CapacityType: SPOT',
      'CapacityType: CAPACITY_BLOCK',
      /nodes of a capacity block are all static/,
    ],
    [
      'an instance type without a dot',
      'InstanceType: p4d.24xlarge',
      'InstanceType: p4d24xlarge',
      /is p4d24xlarge, expected a family, a dot and a size, such as trn1.32xlarge; did you mean p4d.24xlarge\?$/,
    ],
    [
      'a head node without a dot',
      'InstanceType: c5.4xlarge',
      'InstanceType: c54xlarge',
      /HeadNode.InstanceType is c54xlarge, expected a family/,
    ],
    [
      'ARM nodes of an x86 head node',
      'InstanceType: p4d.24xlarge',
      'InstanceType: c7gn.16xlarge',
      /is c7gn.16xlarge, with arm64 processors, and the head node \(c5.4xlarge\) has x86_64: use one architecture$/,
    ],
    ['no instance type', /\n +InstanceType: p4d.24xlarge/, '', /has no instance type/],
    ['a system directory as a mount', 'MountDir: /shared', 'MountDir: /usr', /is \/usr, a directory of the system/],
    ['settings of another kind of storage', 'EbsSettings', 'EfsSettings', /^\d+: SharedStorage\[0\]/],
    [
      'a line of slurm.conf that the cluster sets',
      'KillWait: 20',
      'SuspendTime: 20',
      /SuspendTime is set by the cluster itself/,
    ],
    [
      'a list where a section is expected',
      /HeadNode:[\s\S]*?Scheduling:/,
      'HeadNode: []\nScheduling:',
      /^\d+: HeadNode is a list, expected a section with the keys /,
    ],
  ])('%s', (_, from, to, expected) => {
    expect(problemsOf(changed(from, to)).join('\n')).toMatch(expected);
  });

  test('AWS Batch, which is not supported', () => {
    const batch = exampleConfig
      .replace('Scheduler: slurm', 'Scheduler: awsbatch')
      .replace(
        / {2}SlurmSettings:[\s\S]*(?=SharedStorage)/,
        '  AwsBatchQueues:\n    - Name: b\n      Networking: {SubnetIds: [subnet-12345678]}\n      ComputeResources: [{Name: c, InstanceTypes: [c5.large]}]\n',
      );
    expect(problemsOf(batch)).toEqual(['8: Scheduling.Scheduler is awsbatch, which runs at AWS only: use slurm']);
  });

  test('an unknown instance type is a warning with the nearest one', () => {
    const { file, problems } = parseConfig(changed('InstanceType: p4d.24xlarge', 'InstanceType: trn9.2xlarge'), 'demo');
    expect(file).toBeDefined();
    expect(problems.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'WARNING is trn9.2xlarge, which is not in the catalog: its nodes get few CPUs and no accelerators; did you mean trn1.2xlarge?',
    ]);
  });

  test('CPUs of instance types without accelerators, with and without simultaneous multithreading', () => {
    const cpusOf = (type: string, more = ''): unknown => {
      const text = changed('InstanceType: p4d.24xlarge', `InstanceType: ${type}${more}`);
      return planCluster('demo', parseConfig(text, 'demo').file!).groups.at(-1);
    };
    const one = '\n          DisableSimultaneousMultithreading: true';
    expect(cpusOf('p4d.24xlarge', one)).toMatchObject({ cpus: 48, resource: { name: 'gpu', count: 8 } });
    expect(cpusOf('c6i.32xlarge')).toMatchObject({ cpus: 128, memoryMiB: 262_144, resource: undefined });
    expect(cpusOf('hpc7a.96xlarge', one)).toMatchObject({ cpus: 192, memoryMiB: 786_432 });
    expect(cpusOf('g6e.12xlarge')).toMatchObject({ cpus: 48, resource: { name: 'gpu', count: 4 } });
    expect(cpusOf('p6-b200.48xlarge')).toMatchObject({ cpus: 192, resource: { count: 8 } });
    expect([cpusOf('c5n.18xlarge', one), cpusOf('t3.micro')]).toMatchObject([
      { cpus: 36 },
      { cpus: 2, memoryMiB: 1024 },
    ]);
  });

  test('an accounting database limits the length of the name', () => {
    const database = changed(
      '    ScaledownIdletime: 1\n',
      '    Database: { Uri: db.example.org, UserName: slurm, PasswordSecretArn: "arn:aws:secretsmanager:us-east-1:123456789012:secret:a-b" }\n',
    );
    expect(problemsOf(database, 'a'.repeat(40))).toEqual([]);
    expect(problemsOf(database, 'a'.repeat(41))).toEqual([
      `10: Scheduling.SlurmSettings.Database limits the cluster's name to 40 characters, and ${'a'.repeat(41)} has 41`,
    ]);
  });

  test('syntax errors have a line number', () => {
    expect(problemsOf(`${exampleConfig}\n  : [`)[0]).toMatch(/^\d+: /);
    expect(problemsOf('')[0]).toBe(
      '1:  is empty, expected a section with the keys LoginNodes, Image, HeadNode, Scheduling, SharedStorage, Monitoring, AdditionalPackages, Tags, Iam, DirectoryService, Region, Imds, CustomS3Bucket, AdditionalResources, DevSettings, DeploymentSettings',
    );
  });

  test('aliases and merge keys are resolved; an alias bomb is rejected', () => {
    const merged = changed(
      'Scheduling:',
      'Tags:\n  - &tag\n    Key: a\n    Value: b\n  - <<: *tag\n    Key: c\nScheduling:',
    );
    expect(problemsOf(merged)).toEqual([]);
    const levels = Array.from({ length: 12 }, (_, i) =>
      i === 0 ? 'x0: &x0 [1, 1, 1, 1, 1, 1, 1, 1, 1]' : `x${i}: &x${i} [${`*x${i - 1}, `.repeat(9)}]`,
    );
    expect(problemsOf(levels.join('\n')).join('\n')).toContain('too many values');
  });
});
