// `value.name`, `value[key]` and slices, by the rules of Jinja's sandbox: only data and Python's methods that do not change it.
import { bind } from './arguments.ts';
import { braceFormat } from './brace-format.ts';
import { countOf, escapedText, isInt } from './numbers.ts';
import { type Run, typeError, valueError } from './run.ts';
import { otherStringMethods, stringMethods } from './string-methods.ts';
import { quoted } from './text.ts';
import {
  Dict,
  DictView,
  equals,
  Func,
  firstOf,
  isText,
  type Kwargs,
  lengthOf,
  Markup,
  Namespace,
  Range,
  Special,
  Thing,
  Tuple,
  textOf,
  typeName,
  Undefined,
  type Value,
  wideCharacters,
} from './values.ts';

/** Methods that change a list or dict, which the sandbox refuses. */
const mutators: Readonly<Record<string, readonly string[]>> = {
  list: ['append', 'clear', 'pop', 'reverse', 'insert', 'sort', 'extend', 'remove'],
  dict: ['clear', 'pop', 'popitem', 'setdefault', 'update'],
};

function indexIn(run: Run, items: readonly Value[], args: readonly Value[], kwargs: Kwargs, what: string): Value {
  const [wanted, start, end] = bind('index', 'value/ start?/ end?/', args, kwargs);
  const clamp = (value: Value | undefined, otherwise: number): number => {
    const index = value === undefined ? otherwise : countOf(value);
    return index < 0 ? Math.max(0, index + items.length) : index;
  };
  for (let i = clamp(start, 0); i < Math.min(items.length, clamp(end, items.length)); i++)
    if (items[i] === wanted || equals(run, items[i]!, wanted!)) return BigInt(i);
  throw valueError(`${what}.index(x): x not in ${what}`);
}
function countIn(run: Run, items: readonly Value[], args: readonly Value[], kwargs: Kwargs): Value {
  const [wanted] = bind('count', 'value/', args, kwargs);
  return BigInt(items.filter(item => item === wanted || equals(run, item, wanted!)).length);
}

type MethodOf<T> = (run: Run, self: T, args: readonly Value[], kwargs: Kwargs) => Value;
const listMethods: Readonly<Record<string, MethodOf<Value[]>>> = {
  copy: (run, self) => {
    run.allocate(8 * self.length);
    return self.slice();
  },
  count: (run, self, args, kwargs) => countIn(run, self, args, kwargs),
  index: (run, self, args, kwargs) => indexIn(run, self, args, kwargs, 'list'),
};
const tupleMethods: Readonly<Record<string, MethodOf<Tuple>>> = {
  count: (run, self, args, kwargs) => countIn(run, self.items, args, kwargs),
  index: (run, self, args, kwargs) => indexIn(run, self.items, args, kwargs, 'tuple'),
};
const dictMethods: Readonly<Record<string, MethodOf<Dict>>> = {
  copy: (run, self) => {
    run.allocate(16 * self.size);
    return Dict.from(self.entries());
  },
  get: (_, self, args, kwargs) => {
    const [key, otherwise = null] = bind('get', 'key/ default?/', args, kwargs);
    const found = self.get(key!);
    return found === undefined ? otherwise : found;
  },
  items: (_, self, args, kwargs) => {
    bind('items', '', args, kwargs);
    return new DictView('dict_items', self);
  },
  keys: (_, self, args, kwargs) => {
    bind('keys', '', args, kwargs);
    return new DictView('dict_keys', self);
  },
  values: (_, self, args, kwargs) => {
    bind('values', '', args, kwargs);
    return new DictView('dict_values', self);
  },
};
const intMethods: Readonly<Record<string, MethodOf<bigint>>> = {
  bit_count: (_, self) => BigInt((self < 0n ? -self : self).toString(2).replaceAll('0', '').length),
  bit_length: (_, self) => (self === 0n ? 0n : BigInt((self < 0n ? -self : self).toString(2).length)),
  conjugate: (_, self) => self,
};
const floatMethods: Readonly<Record<string, MethodOf<number>>> = {
  conjugate: (_, self) => self,
  is_integer: (_, self) => Number.isInteger(self),
};
const has = (table: Readonly<Record<string, unknown>>, name: string): boolean => Object.hasOwn(table, name);
const method = <T>(table: Readonly<Record<string, MethodOf<T>>>, self: T, name: string): Func | undefined =>
  has(table, name) ? new Func(name, (run, args, kwargs) => table[name]!(run, self, args, kwargs)) : undefined;

type FormatMethod = (
  run: Run,
  self: string,
  args: readonly Value[],
  kwargs: Kwargs,
  escaped?: (text: string | Markup) => string,
) => string;
const formatMethods: Readonly<Record<string, FormatMethod>> = {
  format: (run, self, args, kwargs, escaped) =>
    braceFormat(run, self, { args, kwargs, attribute: getAttribute, item: getItem, escaped }),
  format_map: (run, self, args, kwargs, escaped) => {
    const [values] = bind('format_map', 'mapping/', args, kwargs);
    if (!(values instanceof Dict)) throw typeError('format_map() expects a mapping');
    return braceFormat(run, self, { args: [], kwargs: values, attribute: getAttribute, item: getItem, escaped });
  },
};
const allStringMethods: Readonly<Record<string, MethodOf<string>>> = { ...stringMethods, ...formatMethods };

/** Methods of escaped text: texts that they return are escaped text, and arguments are escaped. */
const unwrapped = new Set(['count', 'endswith', 'find', 'index', 'rfind', 'rindex', 'startswith']);
function markupMethod(self: Markup, name: string): Func | undefined {
  if (!has(stringMethods, name) && !has(formatMethods, name)) return undefined;
  const wrap = (value: Value): Value =>
    typeof value === 'string'
      ? new Markup(value)
      : Array.isArray(value)
        ? value.map(wrap)
        : value instanceof Tuple
          ? new Tuple(value.items.map(wrap))
          : value;
  return new Func(name, (run, args, kwargs) => {
    if (has(formatMethods, name))
      return new Markup(formatMethods[name]!(run, self.text, args, kwargs, one => escapedText(run, one)));
    const escaped = args.map(arg => (isText(arg) && !unwrapped.has(name) ? escapedText(run, arg) : arg));
    return wrap(stringMethods[name]!(run, self.text, escaped, kwargs));
  });
}

/** `getattr(value, name)`: undefined if there is no such attribute. */
function attributeOf(run: Run, value: Value, name: string): Value | undefined {
  if (value instanceof Undefined) {
    if (/^__.*__$/.test(name)) return undefined;
    throw value.error();
  }
  if (value instanceof Namespace) return value.values.get(name);
  if (name.startsWith('__')) return undefined;
  if (mutators[typeName(value)]?.includes(name)) return unsafe(value, name);
  if (typeof value === 'string') {
    if (otherStringMethods.includes(name))
      return new Func(name, () => {
        throw typeError(`the method ${name} of str is not supported in templates`);
      });
    return method(allStringMethods, value, name);
  }
  if (value instanceof Markup) return markupMethod(value, name);
  if (Array.isArray(value)) return method(listMethods, value, name);
  if (value instanceof Tuple)
    return value.fields.includes(name) ? value.items[value.fields.indexOf(name)] : method(tupleMethods, value, name);
  if (value instanceof Dict) return method(dictMethods, value, name);
  if (value instanceof Range) {
    if (name === 'start' || name === 'stop') return value[name];
    return name === 'step' ? value.stride : undefined;
  }
  if (value instanceof Special) return value.attribute(run, name);
  if (value instanceof Func) return value.attributes.get(name);
  if (isInt(value)) {
    const int = BigInt(value);
    if (name === 'real' || name === 'numerator') return int;
    if (name === 'imag') return 0n;
    return name === 'denominator' ? 1n : method(intMethods, int, name);
  }
  if (typeof value === 'number') {
    if (name === 'real') return value;
    return name === 'imag' ? 0 : method(floatMethods, value, name);
  }
  return undefined;
}
const unsafe = (value: Value, name: string): Undefined =>
  new Undefined(`access to attribute '${name}' of '${typeName(value)}' object is unsafe.`, 'SecurityError');

function missing(value: Value, key: Value): Undefined {
  if (typeof key === 'string') return new Undefined(`'${nameOfType(value)}' has no attribute ${quoted(key)}`);
  return new Undefined(`${nameOfType(value)} has no element ${isInt(key) ? key : typeName(key)}`);
}
const nameOfType = (value: Value): string =>
  value === null
    ? 'None'
    : value instanceof Thing && !(value instanceof Tuple || value instanceof Dict)
      ? value.type
      : `${typeName(value)} object`;

/** `value[key]`: undefined if there is no such item, or the value has no items. */
function itemOf(run: Run, value: Value, key: Value): Value | undefined {
  if (value instanceof Undefined) throw value.error();
  if (value instanceof Dict) {
    if (Array.isArray(key) || key instanceof Dict) return undefined;
    return value.get(key);
  }
  if (!isInt(key)) return undefined;
  const index = Number(key);
  if (isText(value)) {
    const text = textOf(value);
    const points = wideCharacters(run, text) ?? text;
    const found = points[index < 0 ? index + points.length : index];
    return found === undefined || typeof value === 'string' ? found : new Markup(found);
  }
  if (Array.isArray(value)) return value[index < 0 ? index + value.length : index];
  if (value instanceof Tuple) return value.items[index < 0 ? index + value.items.length : index];
  if (value instanceof Range) {
    const at = index < 0 ? index + value.length : index;
    return at >= 0 && at < value.length ? value.at(at) : undefined;
  }
  return undefined;
}

/** `value.name` in a template: an attribute, or else an item. */
export function getAttribute(run: Run, value: Value, name: string): Value {
  if (value instanceof Dict) {
    // The usual case. Names of methods win over keys.
    if (!has(dictMethods, name) && !mutators.dict!.includes(name) && !name.startsWith('__'))
      return firstOf(value.get(name), () => missing(value, name));
  }
  const attribute = attributeOf(run, value, name);
  return firstOf(attribute === undefined ? itemOf(run, value, name) : attribute, () => missing(value, name));
}
/** `value[key]` in a template: an item, or else an attribute. */
export function getItem(run: Run, value: Value, key: Value): Value {
  const item = itemOf(run, value, key);
  if (item !== undefined) return item;
  return firstOf(isText(key) ? attributeOf(run, value, textOf(key)) : undefined, () => missing(value, key));
}
/** `value | attr(name)`: an attribute only. */
export function getAttributeOnly(run: Run, value: Value, name: string): Value {
  if (value instanceof Undefined) throw value.error();
  return firstOf(attributeOf(run, value, name), () => missing(value, name));
}

/** `value[start:stop:step]`. */
export function slice(run: Run, value: Value, start: Value, stop: Value, step: Value): Value {
  if (value instanceof Undefined) throw value.error();
  const stride = step === null ? 1 : sliceIndex(step);
  if (stride === 0) throw valueError('slice step cannot be zero');
  const isSliceable = isText(value) || Array.isArray(value) || value instanceof Tuple || value instanceof Range;
  if (!isSliceable) {
    if (value instanceof Dict) throw typeError("unhashable type: 'slice'");
    throw typeError(`'${typeName(value)}' object is not subscriptable`);
  }
  const length = lengthOf(run, value);
  const clamp = (index: Value, otherwise: number): number => {
    if (index === null) return otherwise;
    const at = sliceIndex(index);
    const [lowest, highest] = stride > 0 ? [0, length] : [-1, length - 1];
    return Math.min(Math.max(at < 0 ? at + length : at, lowest), highest);
  };
  const [first, last] =
    stride > 0 ? [clamp(start, 0), clamp(stop, length)] : [clamp(start, length - 1), clamp(stop, -1)];
  if (value instanceof Range) {
    const at = (index: number): bigint => value.start + value.stride * BigInt(index);
    return new Range(at(first), at(last), value.stride * BigInt(stride));
  }
  const count = Math.max(0, Math.ceil((last - first) / stride));
  const pick = <T>(items: ArrayLike<T>): T[] => {
    run.allocate(8 * count);
    return Array.from({ length: count }, (_, i) => items[first + i * stride]!);
  };
  if (isText(value)) {
    const text = textOf(value);
    const points = wideCharacters(run, text);
    let part: string;
    if (points === undefined && stride === 1) {
      run.read(count);
      part = text.slice(first, Math.max(first, last));
    } else part = pick<string>(points ?? text).join('');
    return value instanceof Markup ? new Markup(part) : part;
  }
  return Array.isArray(value) ? pick(value) : new Tuple(pick((value as Tuple).items));
}
function sliceIndex(value: Value): number {
  if (!isInt(value)) {
    if (value instanceof Undefined)
      throw typeError('slice indices must be integers or None or have an __index__ method');
    throw typeError('slice indices must be integers or None or have an __index__ method');
  }
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(value)));
}

/** `callee(*args, **kwargs)`. */
export function callValue(run: Run, callee: Value, args: readonly Value[], kwargs: Kwargs): Value {
  run.step(2);
  if (callee instanceof Func) return callee.call(run, args, kwargs);
  if (callee instanceof Special && callee.call !== undefined) return callee.call(run, args, kwargs);
  if (callee instanceof Undefined) throw callee.error();
  throw typeError(`'${typeName(callee)}' object is not callable`);
}
