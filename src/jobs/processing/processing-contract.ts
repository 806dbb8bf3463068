// The contract of SageMaker's processing containers: the files below /opt/ml/config, and the folders.
// https://docs.aws.amazon.com/sagemaker/latest/dg/build-your-own-processing-container.html
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROCESSING_ROOT, type ProcessingJob } from './processing-job.ts';

export interface ProcessingHost {
  readonly name: string;
  readonly names: readonly string[];
  /** The folder that the job sees as /opt/ml, on this machine. */
  readonly ml: string;
  /** Whether the job really sees the folder there: without namespaces, it needs the path on this machine. */
  readonly hasView: boolean;
}

export const inputFolder = ({ ml }: ProcessingHost, path: string): string => join(ml, 'processing', path);

/** Creates the tree of a host. Outputs exist before the program starts. */
export async function writeProcessingContract(job: ProcessingJob, host: ProcessingHost): Promise<void> {
  const { spec, request } = job;
  const { ml, name, names } = host;
  const outputs = spec.outputs.map(({ path }) => join('processing', path));
  for (const folder of ['config', 'output', 'processing', ...outputs])
    await mkdir(join(ml, folder), { recursive: true });
  const write = (file: string, content: object): Promise<void> =>
    writeFile(join(ml, 'config', file), localized(`${JSON.stringify(content, undefined, 2)}\n`, host));
  const { ExperimentConfig: _, NetworkConfig: __, ...asked } = request;
  await write('processingjobconfig.json', {
    ProcessingJobArn: job.arn,
    ProcessingJobName: job.name,
    ...asked,
    StoppingCondition: { MaxRuntimeInSeconds: spec.maxRuntimeSeconds },
  });
  await write('resourceconfig.json', { current_host: name, hosts: names });
}

/** Replaces paths below /opt/ml/processing in a text by the actual paths on the host. */
export const localized = (text: string, { ml, hasView }: ProcessingHost): string =>
  hasView ? text : text.replaceAll(PROCESSING_ROOT, join(ml, 'processing'));
