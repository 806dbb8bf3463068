// Parses the words after a command's name into typed values. Every mistake is a typed error with a fix.
import { parseArgs } from 'node:util';
import { assertNever, TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import type { Command, CommandInput, ListOption, Option, OptionalTextOption } from './command.ts';

/** `--nproc_per_node=2` → `--nproc-per-node=2`: like torchrun, Trenio accepts both spellings, for every option. */
function normalize(word: string): string {
  const match = /^(--[A-Za-z][\w-]*)(.*)$/s.exec(word);
  return match ? match[1]!.replaceAll('_', '-') + match[2]! : word;
}

/**
 * Options, positionals and rest of a command. `--help` wins over every mistake.
 * @throws {UNKNOWN_OPTION}
 * @throws {MISSING_ARGUMENT}
 * @throws {BAD_ARGUMENT}
 */
export function parseCommandLine(command: Command, words: readonly string[]): CommandInput | 'help' {
  const declared: Readonly<Record<string, Option>> = {
    ...command.options,
    help: { kind: 'flag', short: 'h', description: 'Show this text.' },
  };
  refuseDashes(command, words);
  const config = Object.fromEntries(
    Object.entries(declared).map(([name, option]) => [
      name,
      {
        type: option.kind === 'flag' ? ('boolean' as const) : ('string' as const),
        ...(option.short === undefined ? {} : { short: option.short }),
      },
    ]),
  );
  const { tokens } = parseArgs({
    args: withValues(words.map(normalize), declared),
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });

  const values = new Map<string, string | boolean>();
  const lists = new Map<string, string[]>();
  const positionals: string[] = [];
  let rest: readonly string[] = [];
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      // Keep the word as typed, not the normalized one.
      positionals.push(words[token.index]!);
      if (command.rest !== undefined && positionals.length === command.positionals.length) {
        rest = words.slice(token.index + 1);
        break;
      }
      continue;
    }
    const option = Object.hasOwn(declared, token.name) ? declared[token.name] : undefined;
    if (option === undefined) throw unknownOption(command, token.rawName, declared);
    const value = readWord(command, token.name, option, token.value, token.inlineValue === true);
    if (option.kind === 'list') lists.set(token.name, [...(lists.get(token.name) ?? []), value as string]);
    else values.set(token.name, value);
  }
  if (values.get('help') === true) return 'help';
  checkPositionals(command, positionals, name => values.get(name) === true);
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, option]) => [
      name,
      option.kind === 'list'
        ? (lists.get(name) ?? [])
        : option.kind === 'optional-text'
          ? values.get(name)
          : optionValue(command, name, option, values.get(name)),
    ]),
  );
  // Every declared option has a value here, which TypeScript cannot infer through Object.fromEntries.
  return { options: options as CommandInput['options'], positionals, rest };
}

/** Web pages print `--nodes` as `–nodes`, with one longer dash. Words for the script itself are left alone. @throws {BAD_ARGUMENT} */
function refuseDashes(command: Command, words: readonly string[]): void {
  for (const word of words) {
    const [, dash, name = ''] = /^([\u2010-\u2015\u2212])[-\u2010-\u2015\u2212]*(.*)$/su.exec(word) ?? [];
    if (dash === undefined) {
      if (word === '--' || (command.rest !== undefined && /\.[cm]?[jt]s$/.test(word))) return;
      continue;
    }
    const code = `U+${dash.codePointAt(0)!.toString(16)}`;
    const kind = { '\u2013': 'an en dash', '\u2014': 'an em dash', '\u2212': 'a minus sign' }[dash] ?? 'a dash';
    throw badArgument(
      command,
      `'${word}'`,
      `${kind} (${code}), as web pages print it`,
      `hyphens: ${/^\w(?:$|[ =])/.test(name) ? '-' : '--'}${name}`,
    );
  }
}

/** Rewrites `--purchase` without a value to `--purchase=`, so that parseArgs does not use the next word as its value. */
function withValues(words: readonly string[], declared: Readonly<Record<string, Option>>): string[] {
  const end = words.indexOf('--');
  return words.map((word, i) => {
    const name = word.slice(2);
    const isOptional =
      word.startsWith('--') && Object.hasOwn(declared, name) && declared[name]?.kind === 'optional-text';
    const next = words[i + 1];
    const hasValue = next !== undefined && !/^-|[./\\]/.test(next);
    return isOptional && !hasValue && (end < 0 || i < end) ? `${word}=` : word;
  });
}

function unknownOption(command: Command, typed: string, declared: Readonly<Record<string, Option>>): TrenioError {
  const names = Object.keys(declared);
  const nearest = nearestName(typed.replace(/^-+/, ''), names);
  return new TrenioError('UNKNOWN_OPTION', {
    command: command.name,
    option: typed,
    nearest: nearest === undefined ? undefined : `--${nearest}`,
    known: names.map(name => `--${name}`),
  });
}

function badArgument(command: Command, argument: string, got: string, expected: string): TrenioError {
  return new TrenioError('BAD_ARGUMENT', { command: command.name, argument, got, expected });
}

function missingArgument(command: Command, argument: string, expected: string): TrenioError {
  return new TrenioError('MISSING_ARGUMENT', { command: command.name, argument, expected });
}

/** A description as a part of a sentence: `A file.` is `a file`. */
const clause = (description: string): string => description.replace(/^A(n?) /, 'a$1 ').replace(/\.$/, '');

function readWord(
  command: Command,
  name: string,
  option: Option,
  value: string | undefined,
  inline: boolean,
): string | boolean {
  if (option.kind === 'flag') {
    if (inline) throw badArgument(command, `--${name}`, `'${value}'`, 'no value');
    return true;
  }
  if (option.kind === 'optional-text') return value === undefined || value === '' ? true : value;
  if (value === '' && option.kind === 'text' && option.mayBeEmpty === true) return '';
  if (value === undefined || value === '')
    throw missingArgument(command, `--${name}`, `a value: --${name} ${option.placeholder}`);
  // `--name --port 80`: the value is missing, and parseArgs took the next option instead.
  if (!inline && /^--?[A-Za-z]/.test(value)) {
    throw badArgument(
      command,
      `--${name}`,
      `'${value}'`,
      `a value: --${name} ${option.placeholder} (write --${name}=${value} to use this value)`,
    );
  }
  return value;
}

function optionValue(
  command: Command,
  name: string,
  option: Exclude<Option, ListOption | OptionalTextOption>,
  value: string | boolean | undefined,
): string | number | boolean | undefined {
  switch (option.kind) {
    case 'flag':
      return value === true;
    case 'text':
      return typeof value === 'string' && value !== '' ? value : option.default;
    case 'integer': {
      if (typeof value !== 'string') return option.default;
      const n = Number(value);
      if (!/^[+-]?\d+$/.test(value) || n < option.min || n > option.max) {
        const bounds =
          option.max === Number.MAX_SAFE_INTEGER ? `${option.min} or more` : `from ${option.min} to ${option.max}`;
        throw badArgument(command, `--${name}`, `'${value}'`, `an integer, ${bounds}`);
      }
      return n;
    }
    default:
      return assertNever(option);
  }
}

function checkPositionals(command: Command, positionals: readonly string[], isGiven: (flag: string) => boolean): void {
  const missing = command.positionals.find(
    (p, i) => p.required && positionals[i] === undefined && !(p.unless !== undefined && isGiven(p.unless)),
  );
  if (missing) throw missingArgument(command, `<${missing.name}>`, clause(missing.description));
  const extra = positionals[command.positionals.length];
  if (command.positionals.at(-1)?.many !== true && extra !== undefined) {
    const takes = command.positionals.map(p => `<${p.name}>`).join(' ');
    throw badArgument(command, `'${extra}'`, 'an extra argument', takes === '' ? 'no arguments' : `only ${takes}`);
  }
}
