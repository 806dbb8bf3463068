// The hosts of an attempt: their folders, the data that is downloaded before their programs start and uploaded at the end, and
// the commands that they run.

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectStore } from '../../objects/object-store.ts';
import { ClientFault } from '../client-fault.ts';
import { type Container, findEngine } from '../hosts/container-engine.ts';
import type { HostLimits } from '../hosts/control-group.ts';
import type { HostNetwork } from '../hosts/host-network.ts';
import type { DockerImage } from '../images.ts';
import type { RunnerSetting } from '../runner-setting.ts';
import { contractVariables, type HostPlace, sdkHyperparameter, writeContract } from './container-contract.ts';
import { DiskBudget } from './disk-budget.ts';
import { type HostCommand, linkPackage } from './host-program.ts';
import { downloadChannel, downloadFolder, unpackArchive, uploadArchive, uploadFiles } from './job-data.ts';
import { reportVariables } from './job-measurement.ts';
import type { HostView } from './sandbox.ts';
import { packageRoot, trainingCommand, withDependencies } from './training-command.ts';
import type { TrainingJob } from './training-job.ts';
import { isOwnFolder, type Report, type WrittenFolder } from './written-files.ts';

export interface Host {
  readonly place: HostPlace;
  /** The job's tree on this machine. */
  readonly ml: string;
  readonly view: HostView;
  readonly stream: string;
}

export const hostCores = (cores: number): number => Math.max(1, Math.floor(cores));

export const hostNames = ({ spec }: TrainingJob): readonly string[] =>
  Array.from({ length: spec.instanceCount }, (_, i) => `algo-${i + 1}`);

/** @param hasView whether they see their tree as /opt/ml */
export function hostsOf(
  job: TrainingJob,
  { folder, coresPerHost, hidden, now }: RunnerSetting,
  hasView: boolean,
  network: HostNetwork,
): readonly Host[] {
  const names = hostNames(job);
  return names.map((name, index) => {
    const view = join(folder, name);
    const ml = join(view, 'ml');
    return {
      ml,
      stream: `${job.name}/${name}-${Math.floor(now() / 1000)}`,
      view: {
        folder: view,
        hostName: name,
        networkOf: network.networkOf(index),
        expose: [withDependencies(packageRoot())],
        hidden,
      },
      place: {
        name,
        names,
        root: hasView ? '/opt/ml' : ml,
        cores: hostCores(coresPerHost),
        neuronCores: 0,
        interfaceName: network.interfaceName,
      },
    };
  });
}

/** Downloads channels, code and checkpoints. */
export async function prepareHost(
  job: TrainingJob,
  { ml, place, view }: Host,
  { objects, findImage }: RunnerSetting,
  { hostsFile }: HostNetwork,
): Promise<void> {
  const { spec } = job;
  await mkdir(join(view.folder, 'tmp'), { recursive: true });
  await writeFile(join(view.folder, 'hosts'), hostsFile);
  writeContract(ml, job, place);
  const position = { index: place.names.indexOf(place.name), count: place.names.length };
  const budget = new DiskBudget(spec.volumeGb);
  for (const channel of spec.channels)
    await downloadChannel(objects, channel, join(ml, 'input/data', channel.name), position, budget);
  const code = sdkHyperparameter(spec.hyperparameters, 'sagemaker_submit_directory');
  const source = /^s3:\/\/([^/]+)\/(.+)$/.exec(code ?? '');
  if (source !== null) await unpackArchive(objects, source[1]!, source[2]!, join(ml, 'code'));
  if (findImage(spec.image)?.kind === 'trenio') await linkPackage(join(ml, 'code/node_modules'));
  if (spec.checkpoints !== undefined)
    await downloadFolder(objects, spec.checkpoints.bucket, spec.checkpoints.prefix, join(ml, 'checkpoints'), budget);
}

/**
 * The program of a host.
 * @throws {ClientFault}
 */
export function hostCommand(
  job: TrainingJob,
  host: Host,
  { findImage, environment }: RunnerSetting,
  limits: HostLimits,
  onLine: (line: string) => void,
): HostCommand {
  const image = findImage(job.spec.image);
  if (image === undefined) throw new ClientFault(`The image '${job.spec.image}' is not known to this server.`);
  const command = trainingCommand(image, job, host.place);
  if (command === undefined) throw new ClientFault(`The image '${job.spec.image}' has no command for training.`);
  return {
    folder: host.ml,
    view: host.view,
    command,
    environment: {
      ...environment,
      ...(image.kind === 'trenio' ? {} : image.environment),
      ...(image.kind === 'trenio' && host.place.name === host.place.names[0] ? reportVariables(host.place.root) : {}),
      ...contractVariables(job, host.place),
    },
    container: image.kind === 'docker' ? containerOf(job, host, image, limits) : undefined,
    limits,
    groupName: `${job.name}-${job.attempt}-${host.place.name}`,
    onLine,
  };
}

/** @throws {ClientFault} */
function containerOf(job: TrainingJob, { ml, view, place }: Host, image: DockerImage, limits: HostLimits): Container {
  const { name, attempt, spec } = job;
  const engine = findEngine();
  if (engine === undefined) throw new ClientFault('Neither Docker nor Podman works on this machine.');
  return {
    ...{ engine, image: image.image, name: `trenio-${name}-${attempt}-${place.name}`, ml, limits },
    ...{ hostName: view.hostName, networkOf: view.networkOf, hosts: join(view.folder, 'hosts') },
    hasEntrypoint: spec.entrypoint !== undefined,
    hasNetwork: spec.hasNetwork,
    variables: ['TRENIO_RDZV_SECRET', ...Object.keys({ ...image.environment, ...contractVariables(job, place) })],
  };
}

/** Uploads the model and other output of all hosts. */
export async function uploadOutput(
  job: TrainingJob,
  hosts: readonly Host[],
  objects: ObjectStore,
  what: readonly ('model' | 'output')[],
  report: Report,
): Promise<void> {
  const { bucket, prefix, compressed } = job.spec.output;
  const base = `${prefix}${job.name}/output`;
  const folders = {
    model: hosts.map(host => writtenFolder(host, 'model')),
    output: hosts.map(host => writtenFolder(host, 'output/data')),
  };
  for (const name of what) {
    // The model archive is always written; the archive of other output only if there is any.
    if (name === 'output' && !(await anyFiles(folders.output))) continue;
    if (compressed) await uploadArchive(objects, folders[name], bucket, `${base}/${name}.tar.gz`, report);
    else await uploadFiles(objects, folders[name], bucket, `${base}/${name}/`, report);
  }
}

/** A folder below /opt/ml that the job writes. */
export const writtenFolder = ({ ml, place }: Host, name: string): WrittenFolder => ({
  path: join(ml, name),
  seenAs: `${place.root}/${name}`,
});

async function anyFiles(folders: readonly WrittenFolder[]): Promise<boolean> {
  for (const { path } of folders) {
    if (!(await isOwnFolder(path))) continue;
    for (const entry of await readdir(path, { recursive: true, withFileTypes: true }))
      if (!entry.isDirectory()) return true;
  }
  return false;
}
