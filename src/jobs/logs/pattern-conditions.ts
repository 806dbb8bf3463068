// Conditions of filter patterns, joined by && and || with parentheses:
//
//   $.level = "error" && ($.status >= 500 || $.user NOT EXISTS)
//
// A subject is a place in a JSON document or a column; its reader decides which values of a message are there.
import { comparison, type Found, type Operator, PatternError } from './pattern-value.ts';

/** The values of a subject in a message; none if it does not exist. */
export type ValuesOf = (subject: string) => readonly Found[];
export type Condition = (valuesOf: ValuesOf) => boolean;

// Subjects of JSON, operators, texts, regular expressions, words.
const TOKEN =
  /\s*(?:(\$(?:\.[^\s.[\](){}=!<>&|,"']+|\[(?:\d+|\*|'[^']*'|"[^"]*")\])*)|(&&|\|\||!=|<=|>=|[()=<>,])|("(?:[^"\\]|\\.)*")|(%(?:[^%\\]|\\.)+%)|([^\s()=!<>&|,"]+))/y;

export class Tokens {
  readonly #tokens: readonly string[];
  #at = 0;

  /** @throws {PatternError} */
  constructor(text: string) {
    const tokens: string[] = [];
    const pattern = new RegExp(TOKEN);
    const { length } = text.trimEnd();
    while (pattern.lastIndex < length) {
      const from = pattern.lastIndex;
      const match = pattern.exec(text);
      if (match === null) throw new PatternError(`'${text.slice(from).trim()}' is not understood`);
      tokens.push(match[0].trim());
    }
    this.#tokens = tokens;
  }

  peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  /** @throws {PatternError} at the end */
  next(expected: string): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new PatternError(`${expected} is missing at the end`);
    return token;
  }

  skip(token: string): boolean {
    if (this.peek() !== token) return false;
    this.#at++;
    return true;
  }
}

/** @throws {PatternError} */
export function readCondition(tokens: Tokens): Condition {
  const any = [readAll(tokens)];
  while (tokens.skip('||')) any.push(readAll(tokens));
  return any.length === 1 ? any[0]! : values => any.some(one => one(values));
}

function readAll(tokens: Tokens): Condition {
  const all = [readOne(tokens)];
  while (tokens.skip('&&')) all.push(readOne(tokens));
  return all.length === 1 ? all[0]! : values => all.every(one => one(values));
}

function readOne(tokens: Tokens): Condition {
  if (tokens.skip('(')) {
    const inner = readCondition(tokens);
    if (!tokens.skip(')')) throw new PatternError(') is missing');
    return inner;
  }
  const subject = tokens.next('a field');
  const operator = tokens.next(`the operator after ${subject}`);
  switch (operator.toUpperCase()) {
    case '=':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const written = tokens.next(`the value of ${subject}`);
      const isQuoted = written.startsWith('"');
      const text = isQuoted ? unquoted(written) : written;
      const holds = comparison(operator as Operator, text, isQuoted);
      return values => values(subject).some(holds);
    }
    case 'IS': {
      const wanted = { NULL: null, TRUE: true, FALSE: false }[tokens.next('NULL, TRUE or FALSE').toUpperCase()];
      if (wanted === undefined) throw new PatternError('IS is followed by NULL, TRUE or FALSE');
      return values => values(subject).includes(wanted);
    }
    case 'EXISTS':
      return values => values(subject).length > 0;
    case 'NOT':
      if (tokens.next('EXISTS').toUpperCase() !== 'EXISTS') throw new PatternError('NOT is followed by EXISTS');
      return values => values(subject).length === 0;
  }
  throw new PatternError(`'${operator}' after ${subject} is not an operator`);
}

export const unquoted = (text: string): string => text.slice(1, -1).replace(/\\(.)/g, '$1');
