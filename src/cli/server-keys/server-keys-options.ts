// Options of `trenio server keys`.
import { roles } from '../../api/aws/signature/access-keys.ts';
import type { CommandInput } from '../command/command.ts';

export const keyOptions = {
  data: {
    kind: 'text',
    placeholder: 'DIR',
    description: 'Folder of the server. Default: ~/.local/share/trenio/server.',
  },
  json: { kind: 'flag', description: 'Print JSON.' },
} as const;

export const createOptions = {
  role: { kind: 'text', placeholder: 'ROLE', default: 'developer', description: `One of ${roles.join(', ')}.` },
  name: { kind: 'text', placeholder: 'NAME', description: 'What the key is for.' },
  actions: {
    kind: 'text',
    placeholder: 'LIST',
    description: "Nothing but these actions, such as 's3:Get*,sagemaker:Describe*'. Default: all of the role.",
  },
  ...keyOptions,
} as const;

export const rotateOptions = {
  'overlap-hours': {
    kind: 'integer',
    placeholder: 'HOURS',
    min: 0,
    max: 8760,
    default: 24,
    description: 'How long the old key is still accepted.',
  },
  ...keyOptions,
} as const;

export type KeyInput = CommandInput<typeof keyOptions>;
export type CreateKeyInput = CommandInput<typeof createOptions>;
export type RotateKeyInput = CommandInput<typeof rotateOptions>;
