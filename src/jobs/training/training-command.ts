// The command of a host of a training job: the image's command, or, for the image `trenio`, the job's script with this package,
// as SageMaker's toolkit runs scripts with torchrun.
import { fileURLToPath } from 'node:url';
import type { Image } from '../images.ts';
import { type HostPlace, sdkHyperparameter, userArguments } from './container-contract.ts';
import { layoutOfJob } from './job-layout.ts';
import type { TrainingJob, TrainingJobSpec } from './training-job.ts';

/** Undefined if the image cannot train. */
export function trainingCommand(image: Image, job: TrainingJob, host: HostPlace): readonly string[] | undefined {
  const { entrypoint, arguments: args } = job.spec;
  if (entrypoint !== undefined) return [...entrypoint, ...args];
  switch (image.kind) {
    case 'docker':
      return ['train', ...args];
    case 'command':
      return image.train && [...image.train, ...args];
    case 'trenio':
      return scriptCommand(job, host);
  }
}

/** Whether each host runs one process for each core, as SageMaker's toolkit does with torchrun. */
export const isDistributed = ({ hyperparameters }: TrainingJobSpec): boolean =>
  sdkHyperparameter(hyperparameters, 'sagemaker_torch_distributed_enabled') === 'true' ||
  layoutOfJob(hyperparameters) !== undefined;

function scriptCommand({ spec }: TrainingJob, { root, names, name, cores }: HostPlace): readonly string[] | undefined {
  const { hyperparameters } = spec;
  const program = sdkHyperparameter(hyperparameters, 'sagemaker_program');
  if (program === undefined) return undefined;
  const script = [`${root}/code/${program}`, ...userArguments(hyperparameters), ...spec.arguments];
  if (!isDistributed(spec)) return [process.execPath, ...script];
  const nodes =
    names.length === 1
      ? []
      : [
          '--nnodes',
          `${names.length}`,
          '--node_rank',
          `${names.indexOf(name)}`,
          '--master_addr',
          names[0]!,
          '--master_port',
          '7777',
        ];
  const layout = layoutOfJob(hyperparameters);
  const arranged = layout === undefined ? [] : ['--layout', layout];
  return [trenioPath(), 'run', ...nodes, '--nproc_per_node', `${cores}`, ...arranged, ...script];
}

/** The `trenio` command of this package. */
const trenioPath = (): string => `${packageRoot()}/bin/trenio`;

/** The folder of this package: a job that imports `trenio` needs it. */
export const packageRoot = (): string => fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** The folder that has a package and its dependencies: where it is installed, the outermost `node_modules`. */
export function withDependencies(root: string): string {
  const modules = '/node_modules';
  const at = root.indexOf(`${modules}/`);
  return at < 0 ? root : root.slice(0, at + modules.length);
}
