// Regular expressions for the names of layers, from adapter_config.json. They run on a linear engine; those with syntax that it
// lacks (lookahead, references) run on JavaScript's, within a time limit.
import { RE2JS, RE2JSException } from 're2js';
import { OutOfTime, withinTime } from '../../base/time-limit.ts';

const limitMs = 1000;
const longest = 1 << 16;

/** A pattern for whole names. */
export interface NamePattern {
  /** The groups of a match, from 0; undefined if the name does not match. @throws {SyntaxError} if it takes too long */
  match(name: string): readonly (string | undefined)[] | undefined;
}
const compiled = new Map<string, NamePattern>();

/** @throws {SyntaxError} if it is not a regular expression */
export function namePattern(source: string): NamePattern {
  let known = compiled.get(source);
  if (known === undefined) {
    known = compile(source);
    // Adapters have few patterns; those of other files need not be kept.
    if (compiled.size >= 64) compiled.clear();
    compiled.set(source, known);
  }
  return known;
}
function compile(source: string): NamePattern {
  if (source.length > longest) throw new SyntaxError(`it has ${source.length} characters, more than ${longest}`);
  try {
    const pattern = RE2JS.compile(source);
    return {
      match: name => {
        const matcher = pattern.matcher(name);
        if (!matcher.matches()) return undefined;
        return Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i) ?? undefined);
      },
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
  }
  const expression = new RegExp(`^(?:${source})$`);
  return {
    match: name => {
      try {
        return withinTime(limitMs, () => expression.exec(name)) ?? undefined;
      } catch (error) {
        if (!(error instanceof OutOfTime)) throw error;
        throw new SyntaxError(`it takes more than ${limitMs} ms on the name '${name}'`);
      }
    },
  };
}
