// Arguments of functions by Python's rules. A signature is a list of names: `sep?` is optional, `old/` takes no keyword.
import { typeError } from './run.ts';
import type { Kwargs, Value } from './values.ts';

interface Parameter {
  readonly name: string;
  readonly optional: boolean;
  readonly positionalOnly: boolean;
}
const signatures = new Map<string, readonly Parameter[]>();
function parametersOf(signature: string): readonly Parameter[] {
  let known = signatures.get(signature);
  if (known === undefined) {
    known = signature
      .split(' ')
      .filter(Boolean)
      .map(text => ({
        name: text.replace(/[/?]/g, ''),
        optional: text.includes('?'),
        positionalOnly: text.includes('/'),
      }));
    signatures.set(signature, known);
  }
  return known;
}

/** The argument of each parameter; undefined where an optional one is not passed. */
export function bind(what: string, signature: string, args: readonly Value[], kwargs: Kwargs): (Value | undefined)[] {
  const parameters = parametersOf(signature);
  if (args.length > parameters.length)
    throw typeError(`${what}() takes at most ${parameters.length} arguments (${args.length} given)`);
  const bound: (Value | undefined)[] = parameters.map((_, i) => args[i]);
  for (const [name, value] of kwargs) {
    const index = parameters.findIndex(parameter => parameter.name === name && !parameter.positionalOnly);
    if (index < 0) throw typeError(`${what}() got an unexpected keyword argument '${name}'`);
    if (bound[index] !== undefined) throw typeError(`${what}() got multiple values for argument '${name}'`);
    bound[index] = value;
  }
  parameters.forEach(({ name, optional }, i) => {
    if (bound[i] === undefined && !optional) throw typeError(`${what}() missing required argument: '${name}'`);
  });
  return bound;
}
