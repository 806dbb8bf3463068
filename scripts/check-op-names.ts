// Checks that the compiler does not compare op names, or switch over names with a default: each property of an op that it uses
// is a property of its row, a lowering kind, or an entry of a table over ops (src/hlo/per-op.ts), which the type checker
// requires for each new op. A comparison would silently treat a new op like "all others". Run by `npm run check`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { arities } from '../src/hlo/arity.ts';
import { binaryNames } from '../src/hlo/attributes.ts';

const comparisons = [
  /\.name\)?\s*[!=]==\s*'([^']+)'/g,
  /'([^']+)'\s*[!=]==\s*[\w.!?[\]]*\.name\b/g,
  /(?<!\.)\bname\s*[!=]==\s*'([^']+)'/g,
];
/** A variable called `name` that is compared with one of these contains the reducer of a region. */
const reducers: ReadonlySet<string> = new Set(binaryNames);

/** The comparisons with names of ops in a text, each with its line. */
export function nameComparisons(text: string): readonly { readonly line: number; readonly text: string }[] {
  return text.split('\n').flatMap((line, i) => {
    const code = line.replace(/(?:^|\s)\/\/.*$/, '');
    const isFound = comparisons.some((pattern, k) =>
      [...code.matchAll(pattern)].some(
        ([, name]) => Object.hasOwn(arities, name!) && !(k === 2 && reducers.has(name!)),
      ),
    );
    return isFound ? [{ line: i + 1, text: line.trim() }] : [];
  });
}

/** A default that is checked, by the type checker or at run time: it has no rule for "all others". */
const checkedDefault = /assertNever\(|invariant\(false|\bthrow |\[\w+\.name\]/;

/** The switches over op names in a text whose default handles all other ops, each with its line. */
export function openSwitches(text: string): readonly { readonly line: number; readonly text: string }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const [, indent] = /^(\s*)switch \([\w.?!]*\.name\) \{/.exec(line) ?? [];
    if (indent === undefined) return [];
    const length = lines.slice(i).indexOf(`${indent}}`);
    const body = lines.slice(i + 1, i + length);
    const start = body.findIndex(other => other.startsWith(`${indent}  default:`));
    const isOfOps = body.some(other => Object.hasOwn(arities, /^\s*case '([^']+)'/.exec(other)?.[1] ?? ''));
    if (start < 0 || !isOfOps || body.slice(start).some(other => checkedDefault.test(other))) return [];
    return [{ line: i + 1, text: line.trim() }];
  });
}

/** The sources of a folder; tests and their helpers may look for an op by its name. */
export const sourcesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.ts$/.test(name) && !/\.(test|testing)\.ts$/.test(name))
    .sort();

if (import.meta.main) {
  const folder = fileURLToPath(new URL('../src/compiler', import.meta.url));
  const report = (what: string): void => {
    console.error(what);
    process.exitCode = 1;
  };
  for (const file of sourcesOf(folder)) {
    const source = readFileSync(join(folder, file), 'utf8');
    for (const { line, text } of nameComparisons(source))
      report(`src/compiler/${file}:${line} compares the name of an op: ${text}`);
    for (const { line, text } of openSwitches(source))
      report(`src/compiler/${file}:${line} has a default for all other ops: ${text}`);
  }
  if (process.exitCode === 1)
    console.error('Use a property of its row or its lowering kind, or dispatch through a table (src/hlo/per-op.ts).');
}
