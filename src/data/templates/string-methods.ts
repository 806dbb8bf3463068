// The methods of Python's str, by code points.
import { bind } from './arguments.ts';
import { countOf } from './numbers.ts';
import { type Run, typeError, valueError } from './run.ts';
import { isPrintable, lineEnd, spaceClass } from './text.ts';
import {
  each,
  isText,
  type Kwargs,
  Tuple,
  textLength,
  textOf,
  typeName,
  Undefined,
  type Value,
  wideCharacters,
} from './values.ts';

export type Method = (run: Run, self: string, args: readonly Value[], kwargs: Kwargs) => Value;

function text(value: Value | undefined, what = 'argument'): string {
  if (value instanceof Undefined) throw typeError(`${what} must be str, not Undefined`);
  if (value === undefined || !isText(value))
    throw typeError(`${what} must be str, not ${value === undefined ? 'missing' : typeName(value)}`);
  return textOf(value);
}
const textOrNone = (value: Value | undefined): string | undefined =>
  value === undefined || value === null ? undefined : text(value);

/** The offsets, in UTF-16 units, of a range of characters given as Python's start and end. */
export function bounds(
  run: Run,
  self: string,
  start: Value | undefined,
  end: Value | undefined,
): readonly [number, number] {
  const points = wideCharacters(run, self);
  const length = points?.length ?? self.length;
  const clamp = (value: Value | undefined, otherwise: number): number => {
    if (value === undefined || value === null) return otherwise;
    const index = countOf(value);
    return index < 0 ? Math.max(0, index + length) : index;
  };
  const [first, last] = [clamp(start, 0), Math.min(clamp(end, length), length)];
  if (points === undefined) return [first, last];
  let [unit, from, to] = [0, Infinity, self.length];
  for (let i = 0; i <= points.length; i++) {
    if (i === first) from = unit;
    if (i === last) to = unit;
    unit += points[i]?.length ?? 0;
  }
  return [from, to];
}
/** The character that starts at a UTF-16 unit. */
const characterIndex = (run: Run, self: string, unit: number): bigint =>
  BigInt(unit < 0 ? -1 : textLength(run, self.slice(0, unit)));

const leadingSpace = new RegExp(`^${spaceClass}+`);
const isSpace = new RegExp(`^${spaceClass}$`);
const spaceRun = new RegExp(`${spaceClass}+`, 'g');
function trimmed(run: Run, self: string, characters: string | undefined, left: boolean, right: boolean): string {
  run.read(self.length);
  let [start, end] = [0, self.length];
  if (characters === undefined) {
    if (left) start = leadingSpace.exec(self)?.[0].length ?? 0;
    if (right) while (end > start && isSpace.test(self[end - 1]!)) end--;
    return self.slice(start, end);
  }
  const set = new Set(characters);
  const points = wideCharacters(run, self) ?? self;
  let [first, last] = [0, points.length];
  if (left) while (first < last && set.has(points[first]!)) first++;
  if (right) while (last > first && set.has(points[last - 1]!)) last--;
  return typeof points === 'string' ? points.slice(first, last) : points.slice(first, last).join('');
}
export const stripText = (run: Run, self: string, characters?: string): string =>
  trimmed(run, self, characters, true, true);

/** `self.replace(old, replacement, count)`. */
export function replaceText(run: Run, self: string, old: string, replacement: string, count: number): string {
  run.read(self.length);
  const most = count < 0 ? Infinity : count;
  if (most === 0) return self;
  if (old === '') {
    const characters = wideCharacters(run, self) ?? self;
    const times = Math.min(most, characters.length + 1);
    run.allocate(self.length + times * replacement.length);
    const parts: string[] = [];
    let i = 0;
    for (const character of characters) parts.push(i++ < times ? replacement + character : character);
    return parts.join('') + (times > characters.length ? replacement : '');
  }
  let times = 0;
  for (let at = self.indexOf(old); at >= 0 && times < most; at = self.indexOf(old, at + old.length)) times++;
  run.allocate(self.length + times * Math.max(0, replacement.length - old.length) + 8 * times);
  if (most === Infinity) return self.split(old).join(replacement);
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < times; i++) {
    const at = self.indexOf(old, from);
    parts.push(self.slice(from, at), replacement);
    from = at + old.length;
  }
  return parts.join('') + self.slice(from);
}

function split(run: Run, self: string, separator: string | undefined, most: number): Value[] {
  run.allocate(self.length);
  const parts: Value[] = [];
  const add = (part: string): void => {
    run.allocate(8);
    parts.push(part);
  };
  if (separator === undefined) {
    let at = leadingSpace.exec(self)?.[0].length ?? 0;
    spaceRun.lastIndex = at;
    while (at < self.length) {
      const match: RegExpExecArray | null = parts.length === most ? null : spaceRun.exec(self);
      if (match === null) {
        add(most === parts.length ? self.slice(at) : self.slice(at));
        break;
      }
      add(self.slice(at, match.index));
      at = match.index + match[0].length;
    }
    spaceRun.lastIndex = 0;
    return parts;
  }
  if (separator === '') throw valueError('empty separator');
  let at = 0;
  while (parts.length < most) {
    const next = self.indexOf(separator, at);
    if (next < 0) break;
    add(self.slice(at, next));
    at = next + separator.length;
  }
  add(self.slice(at));
  return parts;
}
function splitFromEnd(run: Run, self: string, separator: string | undefined, most: number): Value[] {
  if (most === Infinity) return split(run, self, separator, most);
  run.allocate(self.length);
  const parts: Value[] = [];
  let end = self.length;
  if (separator === undefined) {
    const back = (at: number, space: boolean): number => {
      while (at > 0 && isSpace.test(self[at - 1]!) === space) at--;
      return at;
    };
    end = back(end, true);
    while (end > 0) {
      const start = parts.length === most ? (leadingSpace.exec(self)?.[0].length ?? 0) : back(end, false);
      run.allocate(8);
      parts.push(self.slice(start, end));
      if (parts.length > most) break;
      end = back(start, true);
    }
    return parts.reverse();
  }
  if (separator === '') throw valueError('empty separator');
  while (parts.length < most) {
    const at = end < separator.length ? -1 : self.lastIndexOf(separator, end - separator.length);
    if (at < 0) break;
    run.allocate(8);
    parts.push(self.slice(at + separator.length, end));
    end = at;
  }
  parts.push(self.slice(0, end));
  return parts.reverse();
}
const splitCount = (value: Value | undefined): number => {
  const count = value === undefined ? -1 : countOf(value);
  return count < 0 ? Infinity : count;
};

export function splitLines(run: Run, self: string, keepEnds = false): string[] {
  run.allocate(self.length);
  const lines: string[] = [];
  let at = 0;
  for (const match of self.matchAll(lineEnd)) {
    run.allocate(8);
    lines.push(self.slice(at, keepEnds ? match.index + match[0].length : match.index));
    at = match.index + match[0].length;
  }
  if (at < self.length) lines.push(self.slice(at));
  return lines;
}

const titles: Readonly<Record<string, string>> = {
  Ǆ: 'ǅ',
  ǆ: 'ǅ',
  Ǉ: 'ǈ',
  ǉ: 'ǈ',
  Ǌ: 'ǋ',
  ǌ: 'ǋ',
  Ǳ: 'ǲ',
  ǳ: 'ǲ',
  ŉ: 'ʼN',
};
function titleCharacter(character: string): string {
  const known = titles[character];
  if (known !== undefined) return known;
  const [first = '', ...rest] = character.toUpperCase();
  return first + rest.join('').toLowerCase();
}
const growing = (run: Run, self: string): string => {
  run.allocate(self.length);
  return self;
};
export function capitalized(run: Run, self: string): string {
  const [first = ''] = growing(run, self);
  return titleCharacter(first) + self.toLowerCase().slice(first.toLowerCase().length);
}
const isCased = (character: string): boolean => /\p{Cased}/u.test(character);
function titled(run: Run, self: string): string {
  const lower = growing(run, self).toLowerCase();
  let result = '';
  let afterCased = false;
  let unit = 0;
  for (const character of self) {
    const small = character.toLowerCase();
    result += afterCased ? lower.slice(unit, unit + small.length) : titleCharacter(character);
    unit += small.length;
    afterCased = isCased(character);
  }
  return result;
}
function isTitle(self: string): boolean {
  let [afterCased, any] = [false, false];
  for (const character of self) {
    if (/\p{Lu}|\p{Lt}/u.test(character)) {
      if (afterCased) return false;
      afterCased = any = true;
    } else if (/\p{Lowercase}/u.test(character)) {
      if (!afterCased) return false;
      any = true;
    } else afterCased = false;
  }
  return any;
}
/** Whether every character has a property, and there is one. */
const all =
  (pattern: RegExp): Method =>
  (run, self, args, kwargs) => {
    bind('method', '', args, kwargs);
    run.read(self.length);
    return pattern.test(self);
  };
export const isLower = (self: string): boolean => /\p{Lowercase}/u.test(self) && !/[\p{Lu}\p{Lt}]/u.test(self);
export const isUpper = (self: string): boolean => /\p{Uppercase}/u.test(self) && !/[\p{Ll}\p{Lt}]/u.test(self);

const padded =
  (align: 'left' | 'right' | 'center'): Method =>
  (run, self, args, kwargs) => {
    const [width, fill] = bind(align, 'width/ fillchar?/', args, kwargs);
    const filler = fill === undefined ? ' ' : text(fill);
    if (textLength(run, filler) !== 1) throw typeError('The fill character must be exactly one character long');
    return padText(run, self, countOf(width!), align, filler);
  };
export function padText(
  run: Run,
  self: string,
  width: number,
  align: 'left' | 'right' | 'center',
  filler = ' ',
): string {
  const missing = width - textLength(run, self);
  if (missing <= 0) return self;
  run.allocate((missing + self.length) * filler.length);
  // As in CPython, the odd space of a centered text is on the left if the width is odd.
  const left = align === 'left' ? 0 : align === 'right' ? missing : Math.floor(missing / 2) + (missing & width & 1);
  return filler.repeat(left) + self + filler.repeat(missing - left);
}

const affix =
  (at: 'startsWith' | 'endsWith'): Method =>
  (run, self, args, kwargs) => {
    const [prefix, start, end] = bind(at.toLowerCase(), 'prefix/ start?/ end?/', args, kwargs);
    const [from, to] = start === undefined && end === undefined ? [0, self.length] : bounds(run, self, start, end);
    const options = prefix instanceof Tuple ? prefix.items : [prefix!];
    const part = from === 0 && to === self.length ? self : self.slice(from, to);
    for (const option of options) {
      if (!isText(option)) {
        if (option instanceof Undefined)
          throw typeError(`${at.toLowerCase()} first arg must be str or a tuple of str, not Undefined`);
        throw typeError(`${at.toLowerCase()} first arg must be str or a tuple of str, not ${typeName(option)}`);
      }
      run.read(textOf(option).length);
      if (from <= to && from <= self.length && part[at](textOf(option))) return true;
    }
    return false;
  };
function find(run: Run, self: string, args: readonly Value[], kwargs: Kwargs, last: boolean): number {
  const [part, start, end] = bind('find', 'sub/ start?/ end?/', args, kwargs);
  const wanted = text(part);
  run.read(self.length);
  const [from, to] = bounds(run, self, start, end);
  if (from > to) return -1;
  const slice = self.slice(0, to);
  const at = last ? slice.lastIndexOf(wanted) : slice.indexOf(wanted, from);
  return at < from ? -1 : at;
}
const finder =
  (last: boolean, required: boolean): Method =>
  (run, self, args, kwargs) => {
    const at = find(run, self, args, kwargs, last);
    if (at < 0 && required) throw valueError('substring not found');
    return characterIndex(run, self, at);
  };
const partition =
  (last: boolean): Method =>
  (run, self, args, kwargs) => {
    const separator = text(bind('partition', 'sep/', args, kwargs)[0]);
    if (separator === '') throw valueError('empty separator');
    run.allocate(self.length);
    const at = last ? self.lastIndexOf(separator) : self.indexOf(separator);
    if (at < 0) return new Tuple(last ? ['', '', self] : [self, '', '']);
    return new Tuple([self.slice(0, at), separator, self.slice(at + separator.length)]);
  };
const plain =
  (name: string, change: (run: Run, self: string) => Value): Method =>
  (run, self, args, kwargs) => {
    bind(name, '', args, kwargs);
    run.allocate(self.length);
    return change(run, self);
  };
const strip =
  (left: boolean, right: boolean): Method =>
  (run, self, args, kwargs) =>
    trimmed(run, self, textOrNone(bind('strip', 'chars?/', args, kwargs)[0]), left, right);

/** Joins texts with a separator. */
export function joinTexts(run: Run, separator: string, texts: readonly string[]): string {
  let length = separator.length * Math.max(0, texts.length - 1);
  for (const one of texts) length += one.length;
  run.allocate(length);
  return texts.join(separator);
}

export const stringMethods: Readonly<Record<string, Method>> = {
  capitalize: plain('capitalize', capitalized),
  casefold: plain('casefold', (_, self) =>
    self.replaceAll('ẞ', 'ss').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ'),
  ),
  center: padded('center'),
  count: (run, self, args, kwargs) => {
    const [part, start, end] = bind('count', 'sub/ start?/ end?/', args, kwargs);
    const wanted = text(part);
    const [from, to] = bounds(run, self, start, end);
    if (from > to) return 0n;
    const slice = self.slice(from, to);
    run.read(slice.length);
    if (wanted === '') return BigInt(textLength(run, slice) + 1);
    let times = 0n;
    for (let at = slice.indexOf(wanted); at >= 0; at = slice.indexOf(wanted, at + wanted.length)) times++;
    return times;
  },
  endswith: affix('endsWith'),
  expandtabs: (run, self, args, kwargs) => {
    const size = countOf(bind('expandtabs', 'tabsize?', args, kwargs)[0] ?? 8n);
    run.allocate(self.length + (self.split('\t').length - 1) * Math.max(0, size));
    let column = 0;
    let result = '';
    for (const character of self) {
      if (character === '\t') {
        const spaces = size > 0 ? size - (column % size) : 0;
        result += ' '.repeat(spaces);
        column += spaces;
      } else {
        result += character;
        column = character === '\n' || character === '\r' ? 0 : column + 1;
      }
    }
    return result;
  },
  find: finder(false, false),
  index: finder(false, true),
  isalnum: all(/^[\p{L}\p{N}]+$/u),
  isalpha: all(/^\p{L}+$/u),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has control characters
  isascii: all(/^[\x00-\x7f]*$/),
  isdecimal: all(/^\p{Nd}+$/u),
  isdigit: all(/^[\p{Nd}²³¹⁰⁴-⁹₀-₉①-⑨⑴-⑼⒈-⒐⓪⓵-⓽⓿❶-❾➀-➈➊-➒]+$/u),
  isidentifier: all(/^[\p{XID_Start}_]\p{XID_Continue}*$/u),
  islower: plain('islower', (_, self) => isLower(self)),
  isnumeric: all(/^\p{N}+$/u),
  isprintable: plain('isprintable', (_, self) => Array.from(self).every(isPrintable)),
  isspace: all(new RegExp(`^${spaceClass}+$`)),
  istitle: plain('istitle', (_, self) => isTitle(self)),
  isupper: plain('isupper', (_, self) => isUpper(self)),
  join: (run, self, args, kwargs) => {
    const [values] = bind('join', 'iterable/', args, kwargs);
    const texts: string[] = [];
    for (const item of each(run, values!)) {
      if (!isText(item))
        throw typeError(`sequence item ${texts.length}: expected str instance, ${typeName(item)} found`);
      texts.push(textOf(item));
    }
    return joinTexts(run, self, texts);
  },
  ljust: padded('left'),
  lower: plain('lower', (_, self) => self.toLowerCase()),
  lstrip: strip(true, false),
  partition: partition(false),
  removeprefix: (_, self, args, kwargs) => {
    const prefix = text(bind('removeprefix', 'prefix/', args, kwargs)[0]);
    return self.startsWith(prefix) ? self.slice(prefix.length) : self;
  },
  removesuffix: (_, self, args, kwargs) => {
    const suffix = text(bind('removesuffix', 'suffix/', args, kwargs)[0]);
    return suffix !== '' && self.endsWith(suffix) ? self.slice(0, -suffix.length) : self;
  },
  replace: (run, self, args, kwargs) => {
    const [old, replacement, count] = bind('replace', 'old/ new/ count?/', args, kwargs);
    return replaceText(run, self, text(old), text(replacement), count === undefined ? -1 : countOf(count));
  },
  rfind: finder(true, false),
  rindex: finder(true, true),
  rjust: padded('right'),
  rpartition: partition(true),
  rsplit: (run, self, args, kwargs) => {
    const [separator, most] = bind('rsplit', 'sep? maxsplit?', args, kwargs);
    return splitFromEnd(run, self, textOrNone(separator), splitCount(most));
  },
  rstrip: strip(false, true),
  split: (run, self, args, kwargs) => {
    const [separator, most] = bind('split', 'sep? maxsplit?', args, kwargs);
    return split(run, self, textOrNone(separator), splitCount(most));
  },
  splitlines: (run, self, args, kwargs) => {
    const [keep] = bind('splitlines', 'keepends?', args, kwargs);
    return splitLines(run, self, keep !== undefined && keep !== null && keep !== false && keep !== 0n);
  },
  startswith: affix('startsWith'),
  strip: strip(true, true),
  swapcase: plain('swapcase', (_, self) => {
    // Lower-case letters come from the whole text: a final sigma depends on what is before it.
    const lower = self.toLowerCase();
    let unit = 0;
    return Array.from(self, one => {
      const small = lower.slice(unit, unit + one.toLowerCase().length);
      unit += small.length;
      return /\p{Lu}/u.test(one) ? small : /\p{Ll}/u.test(one) ? one.toUpperCase() : one;
    }).join('');
  }),
  title: plain('title', titled),
  upper: plain('upper', (_, self) => self.toUpperCase()),
  zfill: (run, self, args, kwargs) => {
    const missing = countOf(bind('zfill', 'width/', args, kwargs)[0]!) - textLength(run, self);
    if (missing <= 0) return self;
    run.allocate(missing + self.length);
    const sign = /^[+-]/.test(self) ? self[0]! : '';
    return sign + '0'.repeat(missing) + self.slice(sign.length);
  },
};
/** The methods that templates cannot use here: they need bytes or tables. Their names are still attributes. */
export const otherStringMethods = ['encode', 'maketrans', 'translate'];
