// A forward without a return statement: the mistake shows only where its result is used, as an error about undefined. A module
// may exist for its side effects, so this is a warning.

import { warnOnce } from '../../base/warn-once.ts';
import { userLocation } from '../../tensor/index.ts';

/** Called if a forward returned undefined. */
export function warnOfNothing({ constructor: { name } }: object): void {
  warnOnce(
    `nothing from ${name}`,
    `${name}.forward returned nothing: end it with a return statement (\`return null\` if nothing is meant)`,
    userLocation(),
  );
}
