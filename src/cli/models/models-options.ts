// The options of `trenio models …`.
import type { CommandInput, Options } from '../command/command.ts';
import { jsonOption, serverOptions } from '../server-option.ts';

export const commonOptions = { ...serverOptions, json: jsonOption } as const satisfies Options;
export const createOptions = {
  job: { kind: 'text', placeholder: 'JOB', description: 'The training job that produced the model.' },
  'model-data': { kind: 'text', placeholder: 'S3-URI', description: 'An archive: s3://…/model.tar.gz.' },
  image: {
    kind: 'text',
    placeholder: 'NAME',
    description: 'The serving image. Default: that of the job, else trenio.',
  },
  env: { kind: 'list', placeholder: 'NAME=VALUE', description: 'An environment variable.' },
  ...commonOptions,
} as const satisfies Options;
export type CommonInput = CommandInput<typeof commonOptions>;
export type CreateInput = CommandInput<typeof createOptions>;
