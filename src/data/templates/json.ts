// `tojson` as transformers defines it: Python's json.dumps without escaping for HTML.
import { floatText, intText } from './numbers.ts';
import { type Run, typeError, valueError } from './run.ts';
import { Dict, isText, sorted, Tuple, textOf, typeName, type Value } from './values.ts';

export interface JsonOptions {
  readonly ensureAscii: boolean;
  readonly indent: string | undefined;
  readonly itemSeparator: string;
  readonly keySeparator: string;
  readonly sortKeys: boolean;
}

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\f': '\\f',
  '\b': '\\b',
};
const escaped = (character: string): string =>
  short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
function jsonText(text: string, ensureAscii: boolean): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes control characters
  return `"${text.replace(ensureAscii ? /["\\]|[^\x20-\x7e]/g : /["\\\x00-\x1f]/g, escaped)}"`;
}
function floatJson(x: number): string {
  return Number.isFinite(x) ? floatText(x) : Number.isNaN(x) ? 'NaN' : x > 0 ? 'Infinity' : '-Infinity';
}
function keyText(key: Value): string {
  if (isText(key)) return textOf(key);
  if (typeof key === 'number') return floatJson(key);
  if (key === null) return 'null';
  if (typeof key === 'boolean') return String(key);
  if (typeof key === 'bigint') return intText(key);
  throw typeError(`keys must be str, int, float, bool or None, not ${typeName(key)}`);
}

export function toJson(run: Run, value: Value, options: JsonOptions): string {
  const parts: string[] = [];
  const add = (text: string): void => {
    run.allocate(text.length);
    parts.push(text);
  };
  const { indent, itemSeparator } = options;
  const items = (open: string, close: string, all: Iterable<() => void>, depth: number): void => {
    add(open);
    const inner = indent === undefined ? '' : `\n${indent.repeat(depth + 1)}`;
    let first = true;
    for (const item of all) {
      add(first ? inner : itemSeparator + inner);
      first = false;
      item();
    }
    add(indent === undefined || first ? close : `\n${indent.repeat(depth)}${close}`);
  };
  const write = (one: Value, depth: number): void => {
    if (depth > 900) throw valueError('the value is nested too deeply for JSON');
    if (isText(one)) {
      run.read(textOf(one).length);
      add(jsonText(textOf(one), options.ensureAscii));
    } else if (one === null) add('null');
    else if (typeof one === 'boolean') add(String(one));
    else if (typeof one === 'bigint') add(intText(one));
    else if (typeof one === 'number') add(floatJson(one));
    else if (Array.isArray(one) || one instanceof Tuple) {
      const values = Array.isArray(one) ? one : one.items;
      if (values.length === 0) add('[]');
      else
        items(
          '[',
          ']',
          values.map(item => () => write(item, depth + 1)),
          depth,
        );
    } else if (one instanceof Dict) {
      if (one.size === 0) {
        add('{}');
        return;
      }
      let entries = [...one.entries()];
      if (options.sortKeys)
        entries = sorted(
          run,
          entries.map(entry => new Tuple(entry)),
          pair => (pair as Tuple).items[0]!,
        ).map(pair => (pair as Tuple).items as unknown as readonly [Value, Value]);
      const fields = entries.map(([key, field]) => () => {
        add(jsonText(keyText(key), options.ensureAscii) + options.keySeparator);
        write(field, depth + 1);
      });
      items('{', '}', fields, depth);
    } else throw typeError(`Object of type ${typeName(one)} is not JSON serializable`);
  };
  write(value, 0);
  return parts.join('');
}
