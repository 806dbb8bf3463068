// Unknown options are errors that suggest the nearest name: TypeScript rejects them, but plain JavaScript and objects
// built elsewhere do not. The options of the command line are checked in `cli/command/parse.ts`.
import { type SourceLocation, TrenioError } from './errors.ts';
import { nearestName } from './nearest.ts';

/**
 * Checks that `options` contains only known options.
 * @throws {NO_SUCH_OPTION} with the nearest name
 */
export function refuseUnknownOptions(
  what: string,
  options: object | undefined,
  known: readonly string[],
  location?: SourceLocation,
): void {
  for (const option of Object.keys(options ?? {}))
    if (!known.includes(option))
      throw new TrenioError(
        'NO_SUCH_OPTION',
        { what, option, nearest: nearestName(option, known), known },
        { location },
      );
}
