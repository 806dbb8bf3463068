// The options of the commands of `trenio hardware`.
import { TrenioError } from '../../base/errors.ts';
import { factProfiles } from '../../hardware/fact.ts';
import type { FactProfile } from '../../hardware/machine.ts';
import type { CommandInput, Options } from '../command/command.ts';

const profile = {
  kind: 'text',
  placeholder: 'PROFILE',
  default: 'docs',
  description: "The source of figures: 'docs' for today's documents, or 'launch' for the announcements.",
} as const;

export const lsOptions = {
  profile,
  json: { kind: 'flag', description: 'One JSON object: {"profile", "machines"}, in bytes, FLOP/s and dollars.' },
} as const satisfies Options;

export const showOptions = {
  profile,
  json: { kind: 'flag', description: 'One JSON object: {"kind", "name", "profile", "facts"}.' },
} as const satisfies Options;

export const claimsOptions = {
  contradictions: {
    kind: 'flag',
    description: 'Only figures that contradict each other or cannot be correct, with the reason.',
  },
  json: { kind: 'flag', description: 'One JSON object: {"claims"}.' },
} as const satisfies Options;

export type LsInput = CommandInput<typeof lsOptions>;
export type ShowInput = CommandInput<typeof showOptions>;
export type ClaimsInput = CommandInput<typeof claimsOptions>;

/** @throws {BAD_ARGUMENT} */
export function profileNamed(command: string, name: string): FactProfile {
  const found = factProfiles.find(known => known === name);
  if (found !== undefined) return found;
  const expected = factProfiles.join(' or ');
  throw new TrenioError('BAD_ARGUMENT', { command, argument: '--profile', got: `'${name}'`, expected });
}
