// SageMaker's contract with training containers: the files below /opt/ml/input/config, and the variables SM_… that its training
// toolkit sets. https://docs.aws.amazon.com/sagemaker/latest/dg/your-algorithms-training-algo-running-container.html
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPORTS } from './job-measurement.ts';
import type { TrainingJob } from './training-job.ts';

export interface HostPlace {
  readonly name: string;
  readonly names: readonly string[];
  /** The folder that the job sees: /opt/ml, or its path on this machine if there are no namespaces. */
  readonly root: string;
  readonly cores: number;
  readonly neuronCores: number;
  /** The network interface through which hosts reach each other. */
  readonly interfaceName: string;
}

const folders = ['input/config', 'input/data', 'code', 'model', 'output/data', REPORTS, 'checkpoints'] as const;

/** Creates the folders and files in `folder`, which the job sees as /opt/ml. */
export function writeContract(folder: string, { spec }: TrainingJob, host: HostPlace): void {
  for (const name of [...folders, ...(spec.tensorBoard === undefined ? [] : [spec.tensorBoard.folder])])
    mkdirSync(join(folder, name), { recursive: true });
  const write = (name: string, content: unknown): void =>
    writeFileSync(join(folder, 'input/config', name), `${JSON.stringify(content, undefined, 2)}\n`);
  write('hyperparameters.json', spec.hyperparameters);
  write('resourceconfig.json', resourceConfig(spec.instanceType, host));
  write(
    'inputdataconfig.json',
    Object.fromEntries(
      spec.channels.map(({ name, contentType, distribution }) => [
        name,
        {
          ...(contentType === undefined ? {} : { ContentType: contentType }),
          TrainingInputMode: 'File',
          S3DistributionType: distribution,
          RecordWrapperType: 'None',
        },
      ]),
    ),
  );
}

const GROUP = 'homogeneousCluster';
const resourceConfig = (instanceType: string, { name, names, interfaceName }: HostPlace) => ({
  current_host: name,
  current_instance_type: instanceType,
  current_group_name: GROUP,
  hosts: names,
  instance_groups: [{ instance_group_name: GROUP, instance_type: instanceType, hosts: names }],
  network_interface_name: interfaceName,
});

/** The environment variables of a host. Those of the job itself take precedence. */
export function contractVariables(job: TrainingJob, host: HostPlace): Readonly<Record<string, string>> {
  const { spec } = job;
  const { root } = host;
  const hyperparameters = userHyperparameters(spec.hyperparameters);
  const channels = spec.channels.map(({ name }) => name).sort();
  const variableName = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9_]/g, '_');
  return {
    TRAINING_JOB_NAME: job.name,
    TRAINING_JOB_ARN: job.arn,
    SM_HOSTS: JSON.stringify(host.names),
    SM_CURRENT_HOST: host.name,
    SM_CURRENT_INSTANCE_TYPE: spec.instanceType,
    SM_CURRENT_INSTANCE_GROUP: GROUP,
    SM_HOST_COUNT: String(host.names.length),
    SM_CURRENT_HOST_RANK: String(host.names.indexOf(host.name)),
    SM_MASTER_ADDR: host.names[0]!,
    SM_MASTER_PORT: '7777',
    SM_NETWORK_INTERFACE_NAME: host.interfaceName,
    SM_NUM_CPUS: String(host.cores),
    SM_NUM_GPUS: '0',
    SM_NUM_NEURONS: String(host.neuronCores),
    SM_CHANNELS: JSON.stringify(channels),
    ...Object.fromEntries(channels.map(name => [`SM_CHANNEL_${variableName(name)}`, `${root}/input/data/${name}`])),
    SM_MODEL_DIR: `${root}/model`,
    SM_INPUT_DIR: `${root}/input`,
    SM_INPUT_CONFIG_DIR: `${root}/input/config`,
    SM_OUTPUT_DIR: `${root}/output`,
    SM_OUTPUT_DATA_DIR: `${root}/output/data`,
    SM_SOURCE_DIR: `${root}/code`,
    SM_RESOURCE_CONFIG: JSON.stringify(resourceConfig(spec.instanceType, host)),
    SM_HPS: JSON.stringify(hyperparameters),
    ...Object.fromEntries(
      Object.entries(hyperparameters).map(([name, value]) => [`SM_HP_${variableName(name)}`, textOf(value)]),
    ),
    SM_USER_ARGS: JSON.stringify(userArguments(spec.hyperparameters)),
    SM_LOG_LEVEL: '20',
    ...spec.environment,
  };
}

/** The hyperparameter that tuning jobs add; it is not passed to scripts. */
const TUNING_OBJECTIVE = '_tuning_objective_metric';

/** Parses values that are JSON, because the SDK encodes them; others are strings. */
export const decodedHyperparameters = (all: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, decoded(value)]));

/** The degrees of model parallelism, which the launcher reads (job-layout.ts). */
export const LAYOUT_HYPERPARAMETER = 'mp_parameters';
const notOfScripts: readonly string[] = [TUNING_OBJECTIVE, LAYOUT_HYPERPARAMETER];

/** The hyperparameters without those that the SDK adds for itself. */
export const userHyperparameters = (all: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(decodedHyperparameters(all)).filter(
      ([name]) => !name.startsWith('sagemaker_') && !notOfScripts.includes(name),
    ),
  );

/** The command-line arguments that pass hyperparameters to a script: `--name value`. */
export const userArguments = (all: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(userHyperparameters(all)).flatMap(([name, value]) => [
    name.length === 1 ? `-${name}` : `--${name}`,
    textOf(value),
  ]);

/** The value of a hyperparameter that the SDK adds for itself, such as `sagemaker_program`. */
export function sdkHyperparameter(all: Readonly<Record<string, string>>, name: string): string | undefined {
  const value = all[name];
  return value === undefined ? undefined : textOf(decoded(value));
}

function decoded(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
