// The options of the commands of `trenio endpoints`.
import type { CommandInput, Options } from '../command/command.ts';
import { jsonOption, serverOptions } from '../server-option.ts';

export const commonOptions = { ...serverOptions, json: jsonOption } as const satisfies Options;

const fleet = {
  model: { kind: 'text', short: 'm', placeholder: 'NAME', description: 'The model to serve (see trenio models ls).' },
  'instance-type': {
    kind: 'text',
    short: 't',
    placeholder: 'TYPE',
    default: 'ml.c5.xlarge',
    description: 'The type of the instances.',
  },
  'instance-count': {
    kind: 'integer',
    short: 'n',
    placeholder: 'N',
    min: 1,
    max: 1000,
    default: 1,
    description: 'The number of replicas.',
  },
  'no-wait': { kind: 'flag', description: 'Return at once instead of waiting until it is in service.' },
} as const satisfies Options;

export const fleetOptions = { ...fleet, ...commonOptions } as const satisfies Options;

export const invokeOptions = {
  body: { kind: 'text', short: 'b', placeholder: 'TEXT', description: 'The request. Default: standard input.' },
  'content-type': {
    kind: 'text',
    placeholder: 'TYPE',
    default: 'application/json',
    description: 'The MIME type of the request.',
  },
  accept: { kind: 'text', placeholder: 'TYPE', description: 'The MIME type of the response.' },
  variant: {
    kind: 'text',
    placeholder: 'NAME',
    description: 'Send the request to this variant. Default: chosen by the weights.',
  },
  ...serverOptions,
} as const satisfies Options;

export type CommonInput = CommandInput<typeof commonOptions>;
export type FleetInput = CommandInput<typeof fleetOptions>;
export type InvokeInput = CommandInput<typeof invokeOptions>;
