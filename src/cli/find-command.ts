// A command by its name, or the error that offers the nearest one.
import { TrenioError } from '../base/errors.ts';
import { nearestName } from '../base/nearest.ts';
import type { Command } from './command.ts';

/** @throws UNKNOWN_COMMAND */
export function findCommand(commands: readonly Command[], name: string): Command {
  const found = commands.find(command => command.name === name);
  if (found) return found;
  const known = commands.map(command => command.name);
  throw new TrenioError('UNKNOWN_COMMAND', { command: name, nearest: nearestName(name, known), known });
}
