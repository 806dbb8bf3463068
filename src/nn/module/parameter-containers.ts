// Parameters in lists and dictionaries, each registered.
import { checkIterable, Tensor, wrongArgument } from '../../tensor/index.ts';
import { Dictionary } from '../layers/containers.ts';
import { Module } from './module.ts';
import { Parameter } from './parameter.ts';

/** A tensor becomes a parameter, as in PyTorch. @throws {WRONG_ARGUMENT} */
function parameterOf(call: string, value: unknown): Parameter {
  if (value instanceof Parameter) return value;
  if (value instanceof Tensor) return new Parameter(value);
  throw wrongArgument({ call, argument: 'an entry' }, value, 'a parameter', 'give new Parameter(tensor)');
}
const lineOf = (name: string, p: Parameter): string =>
  `(${name}): Parameter containing: [${p.dtype} of size ${p.shape.join('x')}]`;

/**
 * A list of parameters, registered as '0', '1' …; tensors become parameters.
 *
 *     scales = new ParameterList([ones([8]), ones([8])]);
 *     forward(x: Tensor) { for (const scale of this.scales) x = x.mul(scale); return x; }
 * @example
 * const scales = new nn.ParameterList([new nn.Parameter(ones(4)), new nn.Parameter(ones(2))]);
 * scales.length // 2
 */
export class ParameterList extends Module {
  readonly #list: Parameter[] = [];
  constructor(values: Iterable<Tensor> = []) {
    super();
    checkIterable({ call: 'ParameterList', argument: 'the list' }, values, 'an array of parameters');
    this.extend(values);
  }
  /** The number of parameters. */
  override get length(): number {
    return this.#list.length;
  }
  /** The parameter at a position; -1 is the last one. */
  at(index: number): Parameter | undefined {
    return this.#list.at(index);
  }
  /** Appends a parameter, or a tensor that becomes one. */
  append(value: Tensor): this {
    this.#list.push(parameterOf('ParameterList', value));
    return this;
  }
  /** Appends several parameters. */
  extend(values: Iterable<Tensor>): this {
    for (const value of values) this.append(value);
    return this;
  }
  /** Replaces the parameter at a position. */
  set(index: number, value: Tensor): this {
    if (!Number.isInteger(index) || index < 0 || index >= this.length)
      throw wrongArgument(
        { call: 'ParameterList.set', argument: 'the position' },
        index,
        `a position below ${this.length}`,
      );
    this.#list[index] = parameterOf('ParameterList', value);
    return this;
  }
  /** The parameters, in order. */
  [Symbol.iterator](): Iterator<Parameter> {
    return this.#list[Symbol.iterator]();
  }
  protected override ownFields(): Iterable<readonly [string, unknown]> {
    return this.#list.map((parameter, i) => [String(i), parameter]);
  }
  protected override extraRepr(): string {
    return this.#list.map((p, i) => lineOf(String(i), p)).join('\n');
  }
  /** A list is not called. @throws {WRONG_ARGUMENT} */
  override forward(): never {
    throw wrongArgument(
      { call: 'ParameterList', argument: 'the module' },
      this,
      'a module that computes',
      'use the parameters in it',
    );
  }
}

/**
 * Parameters by name; tensors become parameters.
 *
 *     gains = new ParameterDict({ left: ones([8]), right: ones([8]) });
 *     forward(x: Tensor) { return x.mul(this.gains.get('left')); }
 * @example
 * const scales = new nn.ParameterDict({ query: new nn.Parameter(ones(4)), key: new nn.Parameter(zeros(4)) });
 * scales.get('query')!.shape // [4]
 */
export class ParameterDict extends Dictionary<Parameter> {
  constructor(parameters: Readonly<Record<string, Tensor>> = {}) {
    super();
    for (const [name, value] of Object.entries(parameters)) this.set(name, value as Parameter);
  }
  /** The parameter with this name. @throws {UNKNOWN_MEMBER} if it does not exist */
  get(name: string): Parameter {
    return this.find(name, 'parameter');
  }
  /** The parameter with this name; it is added first if it does not exist. */
  setdefault(name: string, value: Tensor): Parameter {
    if (!this.has(name)) this.set(name, value as Parameter);
    return this.get(name);
  }
  /** Removes and returns the parameter that was added last, with its name. @throws {UNKNOWN_MEMBER} if it does not exist */
  popitem(): readonly [string, Parameter] {
    const name = [...this.keys()].at(-1) ?? '';
    return [name, this.pop(name)];
  }
  /** Another dictionary of the same parameters. */
  copy(): ParameterDict {
    return new ParameterDict(Object.fromEntries(this.entries()));
  }
  /** A dictionary with a parameter for each name, each a copy of the elements of `value`. */
  static fromkeys(names: Iterable<string>, value: Tensor): ParameterDict {
    return new ParameterDict(Object.fromEntries([...names].map(name => [name, new Parameter(value)])));
  }
  protected override accepts(value: unknown): Parameter {
    return parameterOf('ParameterDict', value);
  }
  protected override extraRepr(): string {
    return Array.from(this.entries(), ([name, p]) => lineOf(name, p)).join('\n');
  }
}
