// The value of a scalar as PyYAML's SafeLoader reads it: a subset of YAML 1.1 with its own rules. `1e3`, `08`, `01:03` and `y`
// are text; `1_000`, `017` (octal), `1:30` (sexagesimal) and `off` are not.
// https://github.com/yaml/pyyaml/blob/main/lib/yaml/resolver.py
import { Scalar } from 'yaml';

const INTEGER =
  /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
const FLOAT =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const BOOLEAN = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;
const NULL = /^(?:~|null|Null|NULL|)$/;
const TIME =
  /^(?:\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)$/;

/** `1:30` is 90. */
const sexagesimal = (text: string): number => text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);

function numberOf(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = text.replace(/^[-+]/, '').replaceAll('_', '');
  if (/^\.inf$/i.test(digits)) return sign * Number.POSITIVE_INFINITY;
  if (/^\.nan$/i.test(digits)) return Number.NaN;
  if (digits.includes(':')) return sign * sexagesimal(digits);
  if (/^0[0-7]+$/.test(digits)) return sign * Number.parseInt(digits, 8);
  return sign * Number(digits) || 0;
}

/** The value of text without quotes. */
export function plainValue(text: string): unknown {
  if (NULL.test(text)) return null;
  if (BOOLEAN.test(text)) return /^(?:yes|true|on)$/i.test(text);
  if (INTEGER.test(text) || FLOAT.test(text)) return numberOf(text);
  return TIME.test(text)
    ? new Date(text.replace(/[ \t]+/, 'T').replace(/(?:Z|[-+]\d.*)?$/, zone => zone || 'Z'))
    : text;
}

/** The value of a scalar: one with quotes, or with the tag `!!str`, is text. */
export function scalarOf({ value, type, tag, source }: Scalar): unknown {
  if (typeof value === 'symbol') return value;
  const text = String(value ?? '');
  const isPlain = type === undefined || type === Scalar.PLAIN;
  switch (tag) {
    case 'tag:yaml.org,2002:str':
      return text;
    case 'tag:yaml.org,2002:int':
    case 'tag:yaml.org,2002:float':
      return numberOf(text);
    case 'tag:yaml.org,2002:bool':
      return /^(?:yes|true|on)$/i.test(text);
    case 'tag:yaml.org,2002:null':
      return null;
    default:
      return isPlain ? plainValue(source ?? text) : text;
  }
}
