// The data of a training job.

/** The data of a channel. */
export interface TrainingInput {
  /** `s3://bucket/prefix`, or a local file or folder, which is uploaded. */
  readonly s3Data: string;
  /** Whether each instance gets all data or a share of it. Default `FullyReplicated`: all. */
  readonly distribution?: 'FullyReplicated' | 'ShardedByS3Key' | undefined;
  /** The MIME type of its files. */
  readonly contentType?: string | undefined;
  /** `Gzip`: its files are unpacked. */
  readonly compression?: 'None' | 'Gzip' | undefined;
}

/**
 * Data by channel: the script finds the channel `train` in the folder `SM_CHANNEL_TRAIN`. A single text is the channel
 * `training`.
 */
export type TrainingInputs = string | Readonly<Record<string, string | TrainingInput>>;

export interface NamedInput extends TrainingInput {
  readonly name: string;
}

export function channelsOf(inputs: TrainingInputs = {}): readonly NamedInput[] {
  const channels = typeof inputs === 'string' ? { training: inputs } : inputs;
  return Object.entries(channels).map(([name, input]) => ({
    name,
    ...(typeof input === 'string' ? { s3Data: input } : input),
  }));
}
