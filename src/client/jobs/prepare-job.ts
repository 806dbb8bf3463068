// Uploads the code and data of a job to the job server.
import { basename, resolve } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import type { TaskProgress } from '../../base/task-progress.ts';
import type { JobServerClient } from '../job-server.ts';
import { isS3Uri } from '../s3-uri.ts';
import { localFiles, localPath, statOf, uploadFiles, uploadSource } from '../upload.ts';
import type { EstimatorOptions } from './estimator-options.ts';
import type { PreparedJob } from './job-request.ts';
import type { NamedInput } from './training-inputs.ts';

/**
 * @throws {FILE_UNREADABLE}
 * @throws {INVALID_OPTION} for a URL that is not in S3
 */
export async function prepareJob(
  server: JobServerClient,
  options: EstimatorOptions,
  name: string,
  inputs: readonly NamedInput[],
  progress: TaskProgress,
  signal?: AbortSignal,
): Promise<PreparedJob> {
  // Before anything is uploaded.
  const source = await localSource(options);
  const bucket = await server.defaultBucket();
  const channels: PreparedJob['channels'][number][] = [];
  for (const { name: ChannelName, s3Data, distribution, contentType, compression } of inputs)
    channels.push({
      ChannelName,
      DataSource: {
        S3DataSource: {
          S3DataType: 'S3Prefix',
          S3Uri: isS3Uri(s3Data, 'fit', ChannelName) ? s3Data : await uploadInput(s3Data, ChannelName),
          S3DataDistributionType: distribution ?? 'FullyReplicated',
        },
      },
      ...(contentType === undefined ? {} : { ContentType: contentType }),
      ...(compression === undefined ? {} : { CompressionType: compression }),
    });
  return {
    name,
    role: options.role ?? (await server.defaultRole()),
    outputPath: options.outputPath ?? `s3://${bucket}/`,
    source: await uploadCode(),
    channels,
    region: server.wire.connection.region,
  };

  async function uploadInput(data: string, channel: string): Promise<string> {
    const path = localPath(data, process.cwd());
    const prefix = `${name}/input/${channel}/`;
    await uploadFiles(server.objects, await localFiles(path), bucket, prefix, { signal, progress });
    return `s3://${bucket}/${prefix}`;
  }

  async function uploadCode(): Promise<string | undefined> {
    if (source === undefined || isS3Uri(source, 'Estimator', 'sourceDir')) return source;
    const key = `${name}/source/sourcedir.tar.gz`;
    await uploadSource(server.objects, source, bucket, key, signal);
    return `s3://${bucket}/${key}`;
  }
}

/** The file or folder of the code, or its S3 location. @throws {FILE_UNREADABLE} if there is no entry point */
async function localSource({ entryPoint, sourceDir }: EstimatorOptions): Promise<string | undefined> {
  if (entryPoint === undefined || (sourceDir !== undefined && isS3Uri(sourceDir, 'Estimator', 'sourceDir')))
    return sourceDir;
  const folder = sourceDir === undefined ? undefined : localPath(sourceDir, process.cwd());
  const script = folder === undefined ? localPath(entryPoint, process.cwd()) : resolve(folder, entryPoint);
  if ((await statOf(script))?.isFile() !== true)
    throw new TrenioError('FILE_UNREADABLE', {
      file: script,
      reason: `no such file (the entry point ${basename(script)})`,
    });
  return folder ?? script;
}
