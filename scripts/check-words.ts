// Checks that words which are never right in this repository do not come back, each with the word to use, that the spelling is
// American, that docstrings begin with a noun phrase or a verb, and that comments fit into 130 columns. The glossary has more
// words, but those have other, legitimate uses. Run by `npm run check`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Rule {
  readonly pattern: RegExp;
  readonly use: string;
}
const rules: readonly Rule[] = [
  { pattern: /\bnobody\b/i, use: '"no one" or "none", or name the process, user or op' },
  { pattern: /\bwhoever\b/i, use: 'the name of the caller, process or user' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, use: '"fix"' },
  { pattern: /\b(?:surviving\w+|survivorsOf)\b/, use: '"live-outs"' },
  { pattern: /\btreatment/i, use: '"lowering kind"' },
  { pattern: /\bwhoWants|\bwantsOf\b/, use: '"uses"' },
  { pattern: /\bdraw(?:n[A-Z]\w*|Numbers|Kinds?|Layout|Bits|Record)\b|\b(?:Uniform|Normal)Draw\b/, use: '"sample"' },
  {
    pattern: /\bexchange(?:Kinds|Bytes|Header|Rows|Seconds|Efficiency)\b|\b(?!compareExchange\b)\w+Exchange\b/,
    use: '"collective"',
  },
  { pattern: /\bplacesOf\b/, use: '"positions" or "indices"' },
  // One spelling, American, as in the names of the API (optimizer, normalize).
  {
    pattern:
      /(?:behavi|col|fav|hon|neighb)our|catalogue|centre|centring|(?:cancel|label|model|signal|travel)l(?:ed|ing)\b|\bgrey\b/i,
    use: 'the American spelling: color, catalog, center, labeled',
  },
  {
    pattern:
      /(?:categor|character|general|initial|local|material|maxim|minim|normal|optim|organ|parallel|quant|recogn|regular|serial|special|standard|summar|symbol|synchron|token|util|vector)is(?:e|ing|ation)/i,
    use: 'the American spelling: -ize, -ization',
  },
  { pattern: /\banalys(?:e[ds]?|ing)\b/i, use: 'the American spelling: analyze' },
];

/** Files with a reason to be excluded. */
const exceptions: readonly { readonly path: RegExp; readonly reason: string }[] = [
  { path: /^src\/runtime\/(native|comm)\//, reason: 'names of the runtime’s ABI, which change together' },
  { path: /^(examples\/.*corpus|test\/golden)\//, reason: 'data' },
  { path: /^scripts\/check-words/, reason: 'lists the words' },
  { path: /^docs\/LOG\.md$|^CHANGELOG\.md$/, reason: 'records of the past' },
];
/** Tables and lists in comments that cannot be wrapped; code is left to the formatter. */
const longest = 130;
const unbreakable = /https?:\/\/|\|.*\||@throws/;

export interface Finding {
  readonly line: number;
  readonly problem: string;
}

/** Docstrings and head comments are noun phrases or third-person verbs: "The number of …", "Returns …". */
const isFragment = (line: string, before: string | undefined): boolean =>
  /\/\*\*\s+(?:What|Of)\b/.test(line) ||
  (/^\s*\*\s+(?:What|Of)\b/.test(line) && before?.trim() === '/**') ||
  (before === undefined && /^\/\/ What\b/.test(line));

/** The problems of one file. */
export function wordProblems(path: string, text: string): readonly Finding[] {
  if (exceptions.some(exception => exception.path.test(path))) return [];
  return text.split('\n').flatMap((content, i, all): Finding[] => {
    const line = i + 1;
    const words = rules.flatMap(({ pattern, use }) => {
      const found = pattern.exec(content);
      return found === null ? [] : [{ line, problem: `"${found[0]}": use ${use}` }];
    });
    const isComment = /\.tsx?$/.test(path) && !path.includes('/generated/') && /^\s*(?:\/\/|\/?\*)/.test(content);
    if (isComment && content.length > longest && !unbreakable.test(content))
      words.push({ line, problem: `a comment of ${content.length} columns: wrap it at ${longest}` });
    if (/\.tsx?$/.test(path) && isFragment(content, all[i - 1]))
      words.push({
        line,
        problem: 'a docstring that begins with "What" or "Of": use a noun phrase or a third-person verb',
      });
    return words;
  });
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const path of listed.split('\0')) {
    if (!/\.(?:tsx?|md|c|h)$/.test(path)) continue;
    let text: string;
    try {
      text = readFileSync(join(root, path), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue; // removed, not committed
      throw error;
    }
    for (const { line, problem } of wordProblems(path, text)) {
      console.error(`${path}:${line} ${problem}`);
      process.exitCode = 1;
    }
  }
}
