// The variable `loop` of a template's loop.
import { bind } from './arguments.ts';
import { type Run, typeError } from './run.ts';
import { equals, Func, type Kwargs, lengthIfKnown, Special, Tuple, Undefined, type Value } from './values.ts';

export class Loop extends Special {
  readonly type = 'LoopContext';
  /** The number of the iteration, from 0. */
  index = -1;
  readonly #run: Run;
  readonly #values: Value;
  #iterator: Iterator<Value>;
  #length: number | undefined;
  #after: IteratorResult<Value> | undefined;
  #before: Value = null;
  #current: Value = null;
  #lastChanged: Tuple | undefined;
  readonly #recurse: ((values: Value, depth: number) => Value) | undefined;
  readonly #depth: number;
  constructor(
    run: Run,
    values: Value,
    iterator: Iterator<Value>,
    recurse?: (values: Value, depth: number) => Value,
    depth = 0,
  ) {
    super();
    this.#run = run;
    this.#values = values;
    this.#iterator = iterator;
    this.#recurse = recurse;
    this.#depth = depth;
  }
  next(): IteratorResult<Value> {
    const next = this.#after ?? this.#iterator.next();
    this.#after = undefined;
    if (next.done) return next;
    this.#run.step();
    this.index++;
    this.#before = this.#current;
    this.#current = next.value;
    return next;
  }
  #peek(): IteratorResult<Value> {
    this.#after ??= this.#iterator.next();
    return this.#after;
  }
  override size(): number {
    this.#length ??= lengthIfKnown(this.#run, this.#values);
    if (this.#length === undefined) {
      const rest: Value[] = [];
      for (let next = this.#iterator.next(); !next.done; next = this.#iterator.next()) {
        this.#run.allocate(8);
        rest.push(next.value);
      }
      this.#iterator = rest[Symbol.iterator]();
      this.#length = rest.length + this.index + 1 + (this.#after?.done === false ? 1 : 0);
    }
    return this.#length;
  }
  override shown(): string {
    return `<LoopContext ${this.index + 1}/${this.size()}>`;
  }
  override attribute(_run: Run, name: string): Value | undefined {
    switch (name) {
      case 'index':
        return BigInt(this.index + 1);
      case 'index0':
        return BigInt(this.index);
      case 'revindex':
        return BigInt(this.size() - this.index);
      case 'revindex0':
        return BigInt(this.size() - this.index - 1);
      case 'first':
        return this.index === 0;
      case 'last':
        return this.#peek().done === true;
      case 'length':
        return BigInt(this.size());
      case 'depth':
        return BigInt(this.#depth + 1);
      case 'depth0':
        return BigInt(this.#depth);
      case 'previtem':
        return this.index === 0 ? new Undefined('there is no previous item') : this.#before;
      case 'nextitem': {
        const next = this.#peek();
        return next.done ? new Undefined('there is no next item') : next.value;
      }
      case 'cycle':
        return new Func('cycle', (_, args) => {
          if (args.length === 0) throw typeError('no items for cycling given');
          return args[this.index % args.length]!;
        });
      case 'changed':
        return new Func('changed', (run, args) => {
          const values = new Tuple(args);
          if (this.#lastChanged !== undefined && equals(run, this.#lastChanged, values)) return false;
          this.#lastChanged = values;
          return true;
        });
    }
    return undefined;
  }
  override call(_run: Run, args: readonly Value[], kwargs: Kwargs): Value {
    const [values] = bind('loop', 'iterable', args, kwargs);
    if (this.#recurse === undefined)
      throw typeError("The loop must have the 'recursive' marker to be called recursively.");
    return this.#recurse(values!, this.#depth + 1);
  }
}
