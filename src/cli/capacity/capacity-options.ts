// The options of the commands of `trenio capacity`.
import type { CommandInput, Options } from '../command/command.ts';
import { jsonOption } from '../server-option.ts';

const common = {
  data: {
    kind: 'text',
    placeholder: 'DIR',
    description: "The job server's folder, which contains the table of blocks. Default: ~/.local/share/trenio/server.",
  },
  json: jsonOption,
} as const satisfies Options;
const pool = {
  pool: {
    kind: 'text',
    placeholder: 'FILE',
    description: 'JSON file with the available instances, as for trenio server.',
  },
} as const satisfies Options;

export const searchOptions = {
  'instance-type': { kind: 'text', short: 't', placeholder: 'TYPE', description: 'Such as trn1.32xlarge. Required.' },
  'instance-count': {
    kind: 'integer',
    short: 'n',
    placeholder: 'N',
    min: 1,
    max: 64,
    default: 1,
    description: 'Instances.',
  },
  days: { kind: 'integer', placeholder: 'N', min: 1, max: 182, default: 1, description: 'Duration in days.' },
  start: {
    kind: 'text',
    placeholder: 'TIME',
    description: 'The earliest start, such as 2026-12-01 or 2026-12-01T08:00Z.',
  },
  end: { kind: 'text', placeholder: 'TIME', description: 'The latest end.' },
  ...pool,
  ...common,
} as const satisfies Options;
export const buyOptions = {
  name: { kind: 'text', placeholder: 'NAME', description: 'A name of the block. Default: its id.' },
  cluster: { kind: 'text', placeholder: 'NAME', description: 'Reserve nodes of this cluster.' },
  ...pool,
  ...common,
} as const satisfies Options;
export const extendOptions = {
  days: { kind: 'integer', placeholder: 'N', min: 1, max: 182, default: 1, description: 'Additional days.' },
  'dry-run': { kind: 'flag', description: 'Show the price; buy nothing.' },
  ...pool,
  ...common,
} as const satisfies Options;
export const lsOptions = {
  all: { kind: 'flag', description: 'Include blocks that ended more than a week ago.' },
  ...common,
} as const satisfies Options;
export const blockOptions = { ...common } as const satisfies Options;

export type SearchInput = CommandInput<typeof searchOptions>;
export type BuyInput = CommandInput<typeof buyOptions>;
export type ExtendInput = CommandInput<typeof extendOptions>;
export type LsInput = CommandInput<typeof lsOptions>;
export type BlockInput = CommandInput<typeof blockOptions>;
