// `trenio cluster configure`: a configuration file from a few answers.

import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { TrenioError } from '../../base/errors.ts';
import { parseConfig } from '../../clusters/config/parse-config.ts';
import { isError } from '../../clusters/config/problem.ts';
import type { CliContext } from '../command/command.ts';
import type { ConfigureInput } from './cluster-options.ts';
import { required } from './commands.ts';

interface Question {
  readonly key: 'queue' | 'instance-type' | 'capacity-type' | 'min-count' | 'max-count' | 'shared-dir';
  readonly text: string;
  readonly usual: string;
}

const questions: readonly Question[] = [
  { key: 'queue', text: 'Name of the queue', usual: 'queue1' },
  { key: 'instance-type', text: 'Instance type of its nodes', usual: 'trn1.32xlarge' },
  { key: 'capacity-type', text: 'ONDEMAND or SPOT', usual: 'ONDEMAND' },
  { key: 'min-count', text: 'Nodes that always run', usual: '0' },
  { key: 'max-count', text: 'The most nodes', usual: '16' },
  { key: 'shared-dir', text: 'Directory for a shared file system (empty: none)', usual: '' },
];

/**
 * @throws {CLUSTER_CONFIG_INVALID} if the answers make no valid file; nothing is written
 * @throws {INVALID_OPTION} if the file exists, before the first question
 */
export async function configure({ options }: ConfigureInput, context: CliContext): Promise<number> {
  const { stdout, stderr, cwd, stdin, signal } = context;
  const path = resolve(cwd, required(options.config, 'configure', '--config', 'the file to write'));
  if (existsSync(path)) {
    const [what, expected] = ['trenio cluster configure', 'a file that does not exist yet'];
    throw new TrenioError('INVALID_OPTION', { what, option: '--config', got: `${path}, which exists`, expected });
  }
  const answers: Record<string, string> = {};
  const asks = 'isTTY' in stdin && stdin.isTTY === true;
  const lines = asks ? createInterface({ input: stdin, output: process.stderr }) : undefined;
  try {
    for (const { key, text, usual } of questions)
      answers[key] =
        options[key] ?? ((await lines?.question(`${text}${usual === '' ? '' : ` [${usual}]`}: `, { signal })) || usual);
  } finally {
    lines?.close();
  }
  const text = configText(answers as Record<Question['key'], string>, options.region);
  const problems = parseConfig(text, 'new').problems.filter(isError);
  if (problems.length > 0) throw new TrenioError('CLUSTER_CONFIG_INVALID', { file: path, problems });
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw new TrenioError('WRITE_FAILED', { file: path, reason: (error as Error).message }, { cause: error });
  }
  stderr.write(`trenio cluster create-cluster --cluster-name NAME --cluster-configuration ${path}\n`);
  stdout.write(`${path}\n`);
  return 0;
}

function configText(answers: Record<Question['key'], string>, region: string | undefined): string {
  const { queue, 'instance-type': type, 'capacity-type': capacity, 'min-count': min, 'max-count': max } = answers;
  const dir = answers['shared-dir'];
  return [
    `Region: ${region ?? 'us-east-1'}`,
    'Image:',
    '  Os: alinux2023',
    'HeadNode:',
    '  InstanceType: c5.4xlarge',
    '  Networking:',
    '    # Subnets, and all of Networking, are for AWS only: nodes here are virtual ones of this machine.',
    '    SubnetId: subnet-12345678',
    'Scheduling:',
    '  Scheduler: slurm',
    '  SlurmQueues:',
    `    - Name: ${queue}`,
    `      CapacityType: ${capacity}`,
    '      Networking:',
    '        SubnetIds:',
    '          - subnet-12345678',
    '      ComputeResources:',
    `        - Name: nodes`,
    `          InstanceType: ${type}`,
    `          MinCount: ${min}`,
    `          MaxCount: ${max}`,
    ...(dir === ''
      ? []
      : [
          'SharedStorage:',
          '  - Name: shared',
          `    MountDir: ${dir}`,
          '    StorageType: Ebs',
          '    EbsSettings:',
          '      VolumeType: gp3',
        ]),
    '',
  ].join('\n');
}
