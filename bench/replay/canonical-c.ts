// C without comments, white space and declared names. Two texts
// that are equal after this differ only in those. Conservative: a name whose declaration is not recognized is kept
// unchanged, as are all external names (header types, library functions, intrinsics).
//
//   static void k_91c2(float *out) { float sum = 0; … }  ─names─▶  static void G1(float *L1) { float L2 = 0; … }

export const ignorable = ['comments', 'names', 'whitespace'] as const;
export type Ignorable = (typeof ignorable)[number];
export type Ignored = ReadonlySet<Ignorable>;

type Kind = 'comment' | 'space' | 'newline' | 'word' | 'other';
interface Token {
  readonly kind: Kind;
  readonly text: string;
}

const pattern =
  /(?<comment>\/\/.*|\/\*[\s\S]*?\*\/)|(?<newline>\n)|(?<space>(?:[ \t\r]|\\\n)+)|(?<word>[A-Za-z_]\w*)|(?<other>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'|\.?\d(?:[eEpP][+-]|[\w.])*|[\s\S])/g;

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const { groups, 0: matched } of text.matchAll(pattern)) {
    const kind =
      (['comment', 'newline', 'space', 'word'] as const).find(name => groups![name] !== undefined) ?? 'other';
    tokens.push({ kind, text: matched });
  }
  return tokens;
}

/** Matches the hash in a function name: it changes with the text, even if only ignored parts differ. */
export function withNumberedHashes(text: string): string {
  const numbers = new Map<string, string>();
  return text.replace(/(?<=[A-Za-z0-9]_)[0-9a-f]{16}\b/g, hash => {
    const number = numbers.get(hash) ?? `h${numbers.size + 1}`;
    numbers.set(hash, number);
    return number;
  });
}

/** The text in canonical form: equal if and only if two texts differ at most in the ignored parts. */
export function canonicalC(text: string, ignored: Ignored): string {
  if (ignored.size === 0) return text;
  let tokens = tokensOf(withNumberedHashes(text));
  if (ignored.has('comments')) tokens = withoutComments(tokens);
  if (ignored.has('names')) tokens = withNumberedNames(tokens);
  if (ignored.has('whitespace')) return withoutWhitespace(tokens);
  return tokens.map(token => token.text).join('');
}

/** Lines with only a comment are removed. */
function withoutComments(tokens: readonly Token[]): readonly Token[] {
  const kept: Token[] = [];
  let isBlank = true;
  let hadComment = false;
  for (const token of tokens) {
    if (token.kind === 'comment') {
      hadComment = true;
      while (kept.at(-1)?.kind === 'space') kept.pop();
      continue;
    }
    if (token.kind === 'newline') {
      if (!(isBlank && hadComment)) kept.push(token);
      [isBlank, hadComment] = [true, false];
      continue;
    }
    if (token.kind !== 'space') isBlank = false;
    kept.push(token);
  }
  return kept;
}

/** One token per line; preprocessor directives stay on one line. */
function withoutWhitespace(tokens: readonly Token[]): string {
  const lines: string[] = [];
  let directive: string[] | undefined;
  for (const { kind, text } of tokens) {
    if (kind === 'newline' && directive !== undefined) {
      lines.push(directive.join(' '));
      directive = undefined;
    } else if (kind === 'newline' || kind === 'space') continue;
    else if (text === '#') directive = [text];
    else (directive ?? lines).push(text);
  }
  if (directive !== undefined) lines.push(directive.join(' '));
  return lines.join('\n');
}

const typeWords = new Set(
  'void char short int long float double signed unsigned _Bool bool _Complex _Float16 __bf16 const volatile restrict struct'.split(
    ' ',
  ),
);
const otherKeywords = new Set(
  'auto break case continue default do else enum extern for goto if inline register return sizeof static switch typedef union while'.split(
    ' ',
  ),
);
const isTypeName = (word: string, typedefs: ReadonlySet<string>): boolean =>
  typeWords.has(word) || /_t$/.test(word) || /^__m\d/.test(word) || typedefs.has(word);

/**
 * Numbers declared names in order of appearance: globals over the whole text (G),
 * locals within their function (L).
 */
function withNumberedNames(tokens: readonly Token[]): readonly Token[] {
  const words = tokens.map((token, i) => ({ ...token, i })).filter(({ kind }) => kind === 'word' || kind === 'other');
  const typedefs = typedefsOf(words);
  const globals = new Set<string>(typedefs);
  const locals = new Map<number, Set<string>>();
  /** For each token, the number of the function, or other outermost braces, that it is in or before. */
  const regions = new Int32Array(tokens.length);
  let [braces, parens, region] = [0, 0, 0];
  words.forEach((word, at) => {
    regions[word.i] = region;
    if (word.text === '{') braces++;
    else if (word.text === '}') {
      // A function's name and parameters come before its braces.
      if (--braces === 0) region++;
    } else if (word.text === '(') parens++;
    else if (word.text === ')') parens--;
    else if (word.text === ';' && braces === 0 && parens === 0) region++;
    else if (word.kind === 'word' && isDeclared(words, at, typedefs)) {
      if (braces === 0 && parens === 0) globals.add(word.text);
      else {
        const own = locals.get(region) ?? new Set<string>();
        locals.set(region, own.add(word.text));
      }
    }
  });
  const globalNames = new Map<string, string>();
  const localNames = new Map<string, string>();
  let numbered = -1;
  return tokens.map((token, i): Token => {
    if (token.kind !== 'word') return token;
    if (regions[i] !== numbered) {
      numbered = regions[i]!;
      localNames.clear();
    }
    const own = locals.get(numbered)?.has(token.text) === true;
    if (!own && !globals.has(token.text)) return token;
    const names = own ? localNames : globalNames;
    let name = names.get(token.text);
    if (name === undefined) {
      name = `${own ? 'L' : 'G'}${names.size + 1}`;
      names.set(token.text, name);
    }
    return { kind: 'word', text: `‹${name}›` };
  });
}

interface Word extends Token {
  readonly i: number;
}
/** `#define NAME`, `float *const name`, `__m512 name`. Type names, calls and uses are not declarations. */
function isDeclared(words: readonly Word[], at: number, typedefs: ReadonlySet<string>): boolean {
  const { text } = words[at]!;
  if (typeWords.has(text) || otherKeywords.has(text) || text.startsWith('__')) return false;
  if (words[at - 1]?.text === 'define' && words[at - 2]?.text === '#') return true;
  let before = at - 1;
  while (/^(\*|const|restrict|volatile)$/.test(words[before]?.text ?? '')) before--;
  const type = words[before]?.text ?? '';
  if (words[at - 1]?.text === 'struct' || !isTypeName(type, typedefs)) return false;
  return /^[=;,()[{:]$/.test(words[at + 1]?.text ?? '') && !isTypeName(text, typedefs);
}
/** Names of types that the text defines: the last word of a typedef, or the one after its type. */
function typedefsOf(words: readonly Word[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (let i = 0; i < words.length; i++) {
    if (words[i]!.text !== 'typedef') continue;
    let depth = 0;
    let last = '';
    for (i++; i < words.length && !(depth === 0 && words[i]!.text === ';'); i++) {
      const { text, kind } = words[i]!;
      if (text === '{' || text === '(') depth++;
      else if (text === '}' || text === ')') depth--;
      else if (depth === 0 && kind === 'word' && text !== '__attribute__') last = text;
      // typedef void (*name)(…)
      else if (depth === 1 && words[i - 1]?.text === '*' && words[i - 2]?.text === '(' && last === 'void') last = text;
    }
    if (last !== '' && !typeWords.has(last)) names.add(last);
  }
  return names;
}
