// Many file names in one string, as in shells: data-{000..009}.tar, {train,extra}.jsonl, parts/*.parquet.
import { existsSync, globSync } from 'node:fs';
import { invalidOption, wrongOption } from '../check-options.ts';

/** The expansion of one or several patterns, in order. @throws {INVALID_OPTION} */
export function fileNames(what: string, given: string | URL | readonly (string | URL)[]): readonly string[] {
  const list = Array.isArray(given) ? given : [given];
  if (list.length === 0) throw invalidOption(what, 'files', 'empty', 'at least one file');
  return list.flatMap((name: unknown) => {
    if (name instanceof URL) return [decodeURIComponent(name.pathname)];
    if (typeof name !== 'string' || name === '')
      throw wrongOption(what, 'files', name, "a file name, such as 'data-{000..009}.tar', or an array of them");
    return expand(name).flatMap(one => matches(what, one));
  });
}

/** The files that a name with `*` or `?` matches, sorted; every other name is itself, whether there is such a file or not. */
function matches(what: string, name: string): readonly string[] {
  if (!/[*?]/.test(name) || existsSync(name)) return [name];
  const found = globSync(name).sort();
  if (found.length === 0) throw invalidOption(what, 'files', `'${name}', which matches no file`, 'the name of a file');
  return found;
}

function expand(name: string): readonly string[] {
  const found = /\{([^{}]*)\}/.exec(name);
  if (found === null) return [name];
  const [group, inner] = [found[0], found[1]!];
  const range = /^(\d+)\.\.(\d+)$/.exec(inner);
  const parts = range === null ? inner.split(',') : numbersFrom(range[1]!, range[2]!);
  // Braces without a list or range are part of the name.
  if (range === null && parts.length === 1) return [name];
  const before = name.slice(0, found.index);
  return expand(name.slice(found.index + group.length)).flatMap(rest => parts.map(part => before + part + rest));
}

function numbersFrom(first: string, last: string): readonly string[] {
  const [from, to] = [Number(first), Number(last)];
  if (to < from || to - from >= 1_000_000)
    throw invalidOption('files', `{${first}..${last}}`, 'not an ascending range', '{000..009}');
  return Array.from({ length: to - from + 1 }, (_, i) => String(from + i).padStart(first.length, '0'));
}
