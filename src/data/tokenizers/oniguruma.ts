// Syntax of Oniguruma that the library for tokenizers does not translate to JavaScript's: options such as `(?i)`, `\R`, `\N`,
// `\O`, `\p{^L}` and comments. Case-insensitive parts become groups that JavaScript folds itself; the library knows only ASCII.

/** The options that are on; each group has its own. */
interface Options {
  readonly i: boolean;
  readonly m: boolean;
  readonly x: boolean;
}
interface Group {
  readonly outer: Options;
  /** The groups that end with it: an option in the middle of a group holds until its end. */
  parts: number;
}

/** Mark groups with the options on and off for the library, which would fold ASCII letters in `(?i:`. */
const [folded, exact] = ['\u{10fffe}', '\u{10fffd}'];
/** The pattern after the translation of the library. In V8, its `(?![\\s\\S])` also matches within a surrogate pair. */
export const afterTranslation = (source: string): string =>
  source.replaceAll(`(?:${folded}`, '(?i:').replaceAll(`(?:${exact}`, '(?-i:').replaceAll('(?![\\s\\S])', '$');

/** A line break: \r\n is never divided. */
const lineBreak = '(?:\\r\\n|(?!\\r\\n)[\\n\\v\\f\\r\\u0085\\u2028\\u2029])';
/** Two letters that a single character stands for when case is ignored. */
const ligatures = new Map([
  ['ss', 'ßẞ'],
  ['st', 'ﬅﬆ'],
  ['ff', 'ﬀ'],
  ['fi', 'ﬁ'],
  ['fl', 'ﬂ'],
]);
/** Letters that V8 folds only from the other side. */
const olderForms = new Map([
  ['ſ', 's'],
  ['\u212a', 'k'],
]);
/** Characters that equal several others when case is ignored, as ß. */
const isSeveral = (character: string): boolean =>
  Math.max([...character.toUpperCase()].length, [...character.toLowerCase()].length) > [...character].length;

const escaped = String.raw`\\(?:[pP]\{\^?[^}]*\}|x\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{1,2}|[\s\S])`;
const comment = String.raw`\(\?#(?:\\[\s\S]|[^)\\])*\)`;
const change = String.raw`\(\?([imx]*(?:-[imx]*)?)([:)])`;
const token = new RegExp(String.raw`${escaped}|${comment}|${change}|[\s\S]`, 'uy');

/** @throws {SyntaxError} for what has no equivalent */
export function translatable(pattern: string): string {
  let options: Options = { i: false, m: false, x: false };
  const groups: Group[] = [{ outer: options, parts: 0 }];
  let result = '';
  /** Begins a group with these options, which ends with the current one, or is one. */
  const begin = (next: Options): string => {
    const mark = next.i === options.i ? '' : next.i ? folded : exact;
    options = next;
    return `(?:${mark}`;
  };
  for (let at = 0; at < pattern.length; ) {
    token.lastIndex = at;
    const match = token.exec(pattern)!;
    const [text, changed, end] = match;
    at += text.length;
    if (text.startsWith('(?#')) continue;
    if (changed !== undefined) {
      const [on, off = ''] = changed.split('-');
      const is = (name: keyof Options): boolean => (on!.includes(name) || options[name]) && !off.includes(name);
      const next = { i: is('i'), m: is('m'), x: is('x') };
      if (end === ':') groups.push({ outer: options, parts: 0 });
      else groups.at(-1)!.parts++;
      result += begin(next);
    } else if (text === '[') {
      const close = endOfClass(pattern, at);
      const source = pattern.slice(at - 1, close).replaceAll('\\R', 'R');
      if (options.i && (/\\[pP]\{\^?L[ult]|\[:(?:upper|lower):\]/.test(source) || [...source].some(isSeveral)))
        throw new SyntaxError(`the class ${source} is not supported where case is ignored`);
      result += source;
      at = close;
    } else if (text === '(') {
      groups.push({ outer: options, parts: 0 });
      result += text;
    } else if (text === ')' && groups.length > 1) {
      const { outer, parts } = groups.pop()!;
      result += ')'.repeat(parts + 1);
      options = outer;
    } else if (options.x && /\s/.test(text)) continue;
    else if (options.x && text === '#') {
      const line = pattern.indexOf('\n', at);
      at = line < 0 ? pattern.length : line + 1;
    } else if (text === '.' && options.m) result += '[\\s\\S]';
    else if (text === '\\R') result += lineBreak;
    else if (text === '\\N') result += '[^\\n]';
    else if (text === '\\O') result += '[\\s\\S]';
    else if (/^\\[GKXyY]$/.test(text)) throw new SyntaxError(`${text} is not supported`);
    else if (/^\\[pP]\{/.test(text)) {
      const negated = text.startsWith('{^', 2);
      const plain = negated ? `\\${text[1] === 'p' ? 'P' : 'p'}{${text.slice(4)}` : text;
      result += options.i ? `(?:${exact}${plain})` : plain;
    } else if (options.i && isSeveral(text)) throw new SyntaxError(`${text} is not supported where case is ignored`);
    else {
      const pair = options.i ? ligatures.get((text + (pattern[at] ?? '')).toLowerCase()) : undefined;
      if (pair === undefined) result += options.i ? (olderForms.get(text) ?? text) : text;
      else {
        const two = pattern.slice(at - 1, at + 1);
        at++;
        // A third character may belong to the ligature, or repeat only the second.
        if (/^[*+?{]/.test(pattern.slice(at)) || /^ff[il]/i.test(two + (pattern[at] ?? '')))
          throw new SyntaxError(`${two}${pattern[at]} is not supported where case is ignored`);
        result += `(?:${two}|[${pair}])`;
      }
    }
  }
  return result + ')'.repeat(groups[0]!.parts);
}

/** The position behind a class, which may have classes in it. */
function endOfClass(pattern: string, start: number): number {
  let depth = 1;
  let at = start;
  if (pattern[at] === '^') at++;
  if (pattern[at] === ']') at++;
  for (; at < pattern.length && depth > 0; at++)
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === '[') depth++;
    else if (pattern[at] === ']') depth--;
  return at;
}
