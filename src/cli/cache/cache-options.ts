// The options of the commands of `trenio cache`.
import type { CommandInput, Options } from '../command/command.ts';

export const lsOptions = {
  json: { kind: 'flag', description: 'One JSON object: {"directory", "bytes", "entries"}.' },
} as const satisfies Options;

export const pruneOptions = {
  all: { kind: 'flag', description: 'Remove everything.' },
  'older-than': {
    kind: 'text',
    placeholder: 'AGE',
    description: 'Remove entries not used for this long: a number followed by m, h or d (minutes, hours, days).',
  },
  'max-bytes': {
    kind: 'integer',
    placeholder: 'N',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Remove the least recently used entries until at most N bytes are left.',
  },
  json: { kind: 'flag', description: 'One JSON object: {"directory", "removed", "removedBytes", "bytes"}.' },
} as const satisfies Options;

export const verifyOptions = {
  remove: { kind: 'flag', description: 'Remove damaged and incomplete entries.' },
  json: { kind: 'flag', description: 'One JSON object: {"directory", "whole", "damaged", "incomplete", "removed"}.' },
} as const satisfies Options;

export type LsInput = CommandInput<typeof lsOptions>;
export type PruneInput = CommandInput<typeof pruneOptions>;
export type VerifyInput = CommandInput<typeof verifyOptions>;
