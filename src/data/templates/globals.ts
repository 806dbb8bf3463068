// The functions that every template has: those of Jinja's sandbox, and `raise_exception` and `strftime_now` of transformers.
import { bind } from './arguments.ts';
import { countOf, isInt } from './numbers.ts';
import { PythonError, type Run, typeError, valueError } from './run.ts';
import { str } from './text.ts';
import { formatTime } from './time-format.ts';
import {
  Dict,
  each,
  Func,
  firstOf,
  isText,
  type Kwargs,
  listOf,
  Namespace,
  Range,
  Special,
  textOf,
  typeName,
  Undefined,
  type Value,
} from './values.ts';

/** The longest range of Jinja's sandbox. */
const maxRange = 100_000;

class Cycler extends Special {
  readonly type = 'Cycler';
  readonly #items: readonly Value[];
  #position = 0;
  constructor(items: readonly Value[]) {
    super();
    this.#items = items;
  }
  attribute(_run: Run, name: string): Value | undefined {
    if (name === 'current') return this.#items[this.#position]!;
    if (name === 'pos') return BigInt(this.#position);
    if (name === 'next')
      return new Func('next', () => {
        const current = this.#items[this.#position]!;
        this.#position = (this.#position + 1) % this.#items.length;
        return current;
      });
    if (name === 'reset')
      return new Func('reset', () => {
        this.#position = 0;
        return null;
      });
    return undefined;
  }
}
class Joiner extends Special {
  readonly type = 'Joiner';
  readonly #separator: Value;
  #used = false;
  constructor(separator: Value) {
    super();
    this.#separator = separator;
  }
  attribute(_run: Run, name: string): Value | undefined {
    return name === 'sep' ? this.#separator : name === 'used' ? this.#used : undefined;
  }
  override call(_run: Run, args: readonly Value[], kwargs: Kwargs): Value {
    bind('joiner', '', args, kwargs);
    if (this.#used) return this.#separator;
    this.#used = true;
    return '';
  }
}

/** `dict(...)`. */
function makeDict(run: Run, args: readonly Value[], kwargs: Kwargs): Dict {
  if (args.length > 1) throw typeError(`dict expected at most 1 argument, got ${args.length}`);
  const dict = new Dict();
  const [source = new Dict()] = args;
  if (source instanceof Undefined) throw source.error();
  if (source instanceof Namespace) throw typeError("'Namespace' object is not iterable");
  if (source instanceof Dict) for (const [key, value] of source.entries()) dict.set(key, value);
  else
    for (const pair of each(run, source)) {
      const [key, value, ...more] = listOf(run, pair);
      if (value === undefined || more.length > 0)
        throw valueError('dictionary update sequence element has not length 2');
      dict.set(key!, value);
    }
  for (const [key, value] of kwargs) dict.set(key, value);
  run.allocate(16 * dict.size);
  return dict;
}

const fn = (
  name: string,
  call: (run: Run, args: readonly Value[], kwargs: Kwargs) => Value,
  type?: string,
): [string, Value] => [name, new Func(name, call, type)];
export const globals: ReadonlyMap<string, Value> = new Map([
  fn('range', (_, args, kwargs) => {
    const [first, second, third = 1n] = bind('range', 'start/ stop?/ step?/', args, kwargs);
    const [start, stop] = second === undefined ? [0n, first!] : [first!, second];
    for (const value of [start, stop, third]) if (!isInt(value)) countOf(value);
    if (BigInt(third as bigint) === 0n) throw valueError('range() arg 3 must not be zero');
    const range = new Range(BigInt(start as bigint), BigInt(stop as bigint), BigInt(third as bigint));
    if (range.length > maxRange)
      throw new PythonError(
        'OverflowError',
        `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${maxRange}).`,
      );
    return range;
  }),
  fn('dict', makeDict, 'type'),
  fn('namespace', (run, args, kwargs) => new Namespace(makeDict(run, args, kwargs)), 'type'),
  fn(
    'cycler',
    (_, args, kwargs) => {
      bind('cycler', '', [], kwargs);
      if (args.length === 0) throw new PythonError('TemplateError', 'at least one item has to be provided');
      return new Cycler(args);
    },
    'type',
  ),
  fn('joiner', (_, args, kwargs) => new Joiner(firstOf(bind('joiner', 'sep?', args, kwargs)[0], () => ', ')), 'type'),
  fn('raise_exception', (run, args, kwargs) => {
    throw new PythonError('TemplateError', str(run, bind('raise_exception', 'message', args, kwargs)[0]!));
  }),
  fn('strftime_now', (_, args, kwargs) => {
    const [format] = bind('strftime_now', 'format', args, kwargs);
    if (!isText(format!)) throw typeError(`strftime() argument 1 must be str, not ${typeName(format!)}`);
    return formatTime(new Date(), textOf(format));
  }),
]);
