// Finds a command by its name, or throws an error that suggests the nearest one.
import { TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import { type AnyCommand, isGroup } from './command.ts';

/**
 * The command that the words begin with, and the words after its name. A group when no word follows its name.
 * @throws {UNKNOWN_COMMAND}
 */
export function findCommand(
  commands: readonly AnyCommand[],
  [name, ...others]: readonly [string, ...string[]],
): { readonly command: AnyCommand; readonly rest: readonly string[] } {
  const [second, ...behind] = others;
  // `server keys` and `server`, which is also a command.
  if (second !== undefined && commands.some(command => command.name === `${name} ${second}`))
    return findCommand(commands, [`${name} ${second}`, ...behind]);
  const found = commands.find(command => command.name === name);
  if (found !== undefined) {
    const [next, ...rest] = others;
    if (!isGroup(found) || next === undefined || next.startsWith('-')) return { command: found, rest: others };
    return findCommand(found.commands, [`${name} ${next}`, ...rest]);
  }
  const known = commands.map(command => command.name);
  throw new TrenioError('UNKNOWN_COMMAND', { command: name, nearest: nearestName(name, known), known });
}
