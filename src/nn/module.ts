// A layer, and a tree of layers: finds its parameters in its fields, names them with dots, moves and saves them.
//
//   class Net extends Module {
//     fc = new Linear(8, 2)                       parameters 'fc.weight' and 'fc.bias'
//     forward(x: Tensor) { return this.fc.forward(x).relu() }
//   }
//
// Fields named with a leading _ or # are private and not searched. `forward` is wrapped when a module is made, so that
// the result of the outermost call stays readable after the step, and recorded ops know the line of that call.

import type { RecomputePolicy } from '../autodiff/index.ts';
import { TrenioError } from '../base/errors.ts';
import type { Literal } from '../hlo/literal.ts';
import { bytesOf } from '../hlo/literal.ts';
import { elementCount, formatType, isFloat, sameShape } from '../hlo/types.ts';
import {
  checkPolicy,
  checkpoint,
  checkTarget,
  type Device,
  type DType,
  dependOn,
  elementTypeOf,
  type Tensor,
  tensor,
  tensorsIn,
  withinCall,
  wrongArgument,
} from '../tensor/index.ts';
import { Parameter, StateBuffer } from './parameter.ts';

/** The state of a module or an optimizer by name, as plain data on the host. */
export type StateDict = Map<string, Literal>;

/** What loadStateDict found that did not fit, where it was asked not to be strict. */
export interface LoadReport {
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
}

let depth = 0;

type Forward = (...args: never[]) => unknown;

export abstract class Module {
  /** False while evaluating: dropout does nothing then. Set by `train()` and `eval()`. */
  training = true;
  /** What `backward()` computes again of this module's forward instead of keeping it; see `recompute`. */
  #recompute: RecomputePolicy = 'none';

  constructor() {
    const inner = (this as unknown as { forward: Forward }).forward;
    Object.defineProperty(this, 'forward', {
      value: (...args: never[]) => this.#call(inner, args),
      enumerable: false,
      configurable: true,
      writable: true,
    });
  }

  /** What the layer computes. */
  abstract forward(...args: never[]): unknown;

  #call(inner: Forward, args: never[]): unknown {
    dependOn(() => this.training);
    dependOn(() => this.#recompute);
    if (this.#recompute === 'none') return this.#forward(inner, args);
    return checkpoint(() => this.#forward(inner, args), { policy: this.#recompute, tensors: args });
  }
  #forward(inner: Forward, args: never[]): unknown {
    if (depth > 0) {
      depth++;
      try {
        return inner.apply(this, args);
      } finally {
        depth--;
      }
    }
    depth++;
    try {
      const inputs = tensorsIn(args);
      inputs.forEach((input, i) => {
        input.label ??= `input ${i} of ${this.constructor.name}.forward`;
      });
      const result = withinCall(() => inner.apply(this, args));
      for (const output of tensorsIn(result)) {
        if (output.value !== undefined && output.buffer === undefined) output.device.trace.forwarded(output);
      }
      return result;
    } finally {
      depth--;
    }
  }

  /** The modules in the fields of this one, by name. */
  *children(): Generator<readonly [string, Module]> {
    for (const [name, field] of this.#fields()) if (field instanceof Module) yield [name, field];
  }
  /** This module and all below it, with dotted names; '' for this one. */
  *namedModules(prefix = ''): Generator<readonly [string, Module]> {
    yield [prefix, this];
    for (const [name, child] of this.children()) yield* child.namedModules(prefix === '' ? name : `${prefix}.${name}`);
  }
  /** Parameters with their dotted names, each once (a shared one under its first name). */
  *namedParameters(): Generator<readonly [string, Parameter]> {
    for (const [name, state] of this.#namedState()) if (!(state instanceof StateBuffer)) yield [name, state];
  }
  *namedBuffers(): Generator<readonly [string, StateBuffer]> {
    for (const [name, state] of this.#namedState()) if (state instanceof StateBuffer) yield [name, state];
  }
  parameters(): Parameter[] {
    return Array.from(this.namedParameters(), ([, parameter]) => parameter);
  }
  *#namedState(): Generator<readonly [string, Parameter]> {
    const seen = new Set<Parameter>();
    for (const [prefix, module] of this.namedModules()) {
      for (const [name, field] of module.#fields()) {
        if (!(field instanceof Parameter) || seen.has(field)) continue;
        seen.add(field);
        yield [prefix === '' ? name : `${prefix}.${name}`, field];
      }
    }
  }
  #fields(): [string, unknown][] {
    return Object.entries(this).filter(([name]) => !name.startsWith('_'));
  }

  train(mode = true): this {
    for (const [, module] of this.namedModules()) module.training = mode;
    return this;
  }
  eval(): this {
    return this.train(false);
  }
  /**
   * Moves all parameters and buffers to a device, or converts those that are floats to a floating-point type, in place:
   * optimizers keep them, and state they have already made keeps its type.
   * @throws {INVALID_OPTION} for a type without fractions
   * @throws {UNKNOWN_DTYPE}
   */
  to(target: Device | DType): this {
    checkTarget(`${this.constructor.name}.to`, target);
    if (typeof target !== 'string') {
      for (const [, state] of this.#namedState()) state.moveTo_(target);
      return this;
    }
    const type = elementTypeOf(target);
    if (!isFloat(type))
      throw new TrenioError('INVALID_OPTION', {
        what: `${this.constructor.name}.to`,
        option: 'the data type',
        got: type,
        expected: 'a floating-point type, such as bf16',
      });
    for (const [, state] of this.#namedState()) if (isFloat(state.dtype)) state.castTo_(type);
    return this;
  }
  float(): this {
    return this.to('f32');
  }
  bfloat16(): this {
    return this.to('bf16');
  }
  half(): this {
    return this.to('f16');
  }
  /** Sets whether the parameters are trained. */
  requiresGrad_(requires = true): this {
    for (const parameter of this.parameters()) parameter.requiresGrad_(requires);
    return this;
  }
  /**
   * Trades time for memory: `backward()` computes activations again instead of keeping them. `full` keeps only what goes
   * into each layer; `selective` also the results of linear layers and convolutions, and computes attention scores, softmax,
   * dropout, activations and norms again. The parts are the elements of the outermost lists of modules (`ModuleList`,
   * `Sequential`) below this module, or the module itself where there is none. The numbers do not change.
   * @throws {INVALID_OPTION} for a policy that there is not
   */
  recompute(policy: RecomputePolicy): this {
    checkPolicy('recompute', policy);
    for (const part of this.#parts() ?? [this]) part.#recompute = policy;
    return this;
  }
  #parts(): Module[] | undefined {
    const children = Array.from(this.children(), ([, child]) => child);
    if (this.isList) return children;
    const found = children.flatMap(child => child.#parts() ?? []);
    return found.length > 0 ? found : undefined;
  }
  /** A list of modules that follow one another. */
  protected get isList(): boolean {
    return false;
  }

  zeroGrad(): void {
    for (const parameter of this.parameters()) parameter.zeroGrad();
  }

  /** All parameters and buffers by name, copied to the host. */
  stateDict(): StateDict {
    const state: StateDict = new Map();
    for (const [name, value] of this.#namedState()) {
      state.set(name, value.literal());
    }
    return state;
  }
  /**
   * Takes on the values of a state. On an error nothing was changed.
   * @throws {WEIGHT_SHAPE} for a tensor of another shape, and unless `strict` is false
   * @throws {STATE_KEYS} for names that are missing or unexpected
   */
  loadStateDict(state: ReadonlyMap<string, Literal>, options: { readonly strict?: boolean } = {}): LoadReport {
    if (typeof state?.has !== 'function')
      throw wrongArgument({ call: 'loadStateDict', argument: 'the state' }, state, 'a Map, as stateDict() gives it');
    const own = new Map(this.#namedState());
    const missing = [...own.keys()].filter(name => !state.has(name));
    const unexpected = [...state.keys()].filter(name => !own.has(name));
    if (options.strict !== false && missing.length + unexpected.length > 0) {
      throw new TrenioError('STATE_KEYS', { what: this.constructor.name, missing, unexpected });
    }
    const loads: [Parameter, Literal][] = [];
    for (const [name, target] of own) {
      const value = state.get(name);
      if (value === undefined) continue;
      if (!sameShape(value.type.shape, target.shape)) {
        throw new TrenioError('WEIGHT_SHAPE', { name, expected: formatType(target.type), got: formatType(value.type) });
      }
      loads.push([target, value]);
    }
    for (const [target, value] of loads) loadInto(target, value);
    return { missing, unexpected };
  }

  /** The number of trained numbers. */
  parameterCount(): number {
    return this.parameters().reduce((n, p) => n + elementCount(p.shape), 0);
  }
  toString(): string {
    const lines = Array.from(
      this.children(),
      ([name, child]) => `  (${name}): ${child.toString().replaceAll('\n', '\n  ')}`,
    );
    const own = `${this.constructor.name}(${this.describe()})`;
    return lines.length === 0 ? own : `${own} {\n${lines.join('\n')}\n}`;
  }
  /** What distinguishes this layer from others of its kind, for printing. */
  protected describe(): string {
    return '';
  }
}

/** New elements for a tensor, converted to its data type. */
export function loadInto(target: Tensor, value: Literal): void {
  const same = value.type.elementType === target.dtype;
  target.load(same ? bytesOf(value) : bytesOf(tensor(value, { dtype: target.dtype, device: target.device }).literal()));
}
