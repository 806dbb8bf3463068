// A layer, or a tree of layers: its public methods. module-tree.ts traverses and names the tree; module-state.ts reads and loads
// its state.
//
//   class Net extends Module {
//     fc = new Linear(8, 2);                       // parameters 'fc.weight' and 'fc.bias'
//     forward(x: Tensor) { return this.fc(x).relu(); }
//   }
//   const model = new Net();
//   const y = model(x);
//
// A module is callable (callable.ts). Both the call and `model.forward(x)` run hooks, keep the result of the outermost call
// readable after the step, and give the recorded ops the line of that call (run-forward.ts).

import { inspect } from 'node:util';
import { type RecomputePolicy, recomputePolicies } from '../../autodiff/index.ts';
import { TrenioError } from '../../base/errors.ts';
import type { Literal } from '../../hlo/literal.ts';
import { elementCount, isFloat } from '../../hlo/types.ts';
import {
  checkFunction,
  checkOptionNames,
  checkPolicy,
  checkpoint,
  type Device,
  type DeviceName,
  type DType,
  dependOn,
  deviceFrom,
  dtypeName,
  elementTypeOf,
  type Tensor,
  targetOf,
} from '../../tensor/index.ts';
import { type Settings, settle } from '../../tensor/settings.ts';
import { addAbsentMembers } from './absent-members.ts';
import type { BackwardHook, BackwardPreHook } from './backward-hooks.ts';
import { Callable, invoke } from './callable.ts';
import { type ForwardHook, type ForwardPreHook, type HookHandle, Hooks } from './hooks.ts';
import { checkBuffer, checkModule, checkParameter, checkSubmodule, setMember } from './module-members.ts';
import {
  type LoadOptions,
  type LoadReport,
  loadState,
  type StateDict,
  type StateSource,
  saveState,
  stateHooksOf,
  stateTensors,
} from './module-state.ts';
import { moduleText } from './module-text.ts';
import {
  fieldsOf,
  type ListingOptions,
  moduleAt,
  namedChildren,
  namedState,
  type StateListing,
  type StateListingOptions,
  stateAt,
  stateListing,
  unknownMember,
  walk,
} from './module-tree.ts';
import { type Parameter, StateBuffer } from './parameter.ts';
import { runForward } from './run-forward.ts';
import {
  type LoadStateDictPostHook,
  type LoadStateDictPreHook,
  type StateDictPostHook,
  type StateDictPreHook,
  StateHooks,
} from './state-hooks.ts';
import { checkArrays } from './unregistered.ts';
import { type ZeroGradArguments, zeroGradients } from './zero-gradients.ts';

type Forward = (...args: never[]) => unknown;

// Types only. As members, they are known within a subclass too, where `this` is generic: so `this(x)` has the types of `forward`.
declare const argumentsOf: unique symbol;
declare const resultOf: unique symbol;
/** A module of unknown class takes any: every module must be assignable to it, both as a call and as this member. */
type ArgumentsOf<F extends Forward> = number extends Parameters<F>['length']
  ? [Parameters<F>] extends [never[]]
    ? // biome-ignore lint/suspicious/noExplicitAny: see above
      any[]
    : Parameters<F>
  : Parameters<F>;

/**
 * A module is called with the arguments of its `forward`, and returns its result. A class whose `forward` has overloads declares
 * the others in an interface of its name: TypeScript takes the last one from `forward`.
 */
export interface Module {
  /** Runs `forward`, with hooks. */
  (...args: this[typeof argumentsOf]): this[typeof resultOf];
  /** The arguments of a call: a type, no value. */
  readonly [argumentsOf]: ArgumentsOf<this['forward']>;
  /** The result of a call: a type, no value. */
  readonly [resultOf]: ReturnType<this['forward']>;
  /** A module that defines it has this tensor saved in its state, as `_extra_state`, and given to `setExtraState`. */
  getExtraState?(): Tensor;
  /** Restores the state that `getExtraState` returned. */
  setExtraState?(state: Tensor): void;
}

/**
 * The base of layers and models: the modules and parameters in its fields are its own. A module is called.
 *
 * @example
 * class Net extends nn.Module {
 *   fc = new nn.Linear(8, 2);
 *   override forward(x: Tensor) {
 *     return this.fc(x).relu();
 *   }
 * }
 * const model = new Net();
 * model(randn(4, 8)).shape // [4, 2]
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: what `Callable` makes has the call signature of the interface
export abstract class Module extends Callable {
  /** False while evaluating: dropout does nothing then. Set by `train()` and `eval()`. */
  training = true;
  /** The part of this module's forward that `backward()` recomputes instead of storing; see `recompute`. */
  #recompute: RecomputePolicy = 'none';
  #hooks: Hooks | undefined;
  #stateHooks: StateHooks | undefined;
  readonly #forward: Forward;

  constructor() {
    super();
    const inner = (this as unknown as { forward: Forward }).forward;
    this.#forward = (...args: never[]) => this.#call(inner, args);
    Object.defineProperty(this, 'forward', {
      value: this.#forward,
      enumerable: false,
      configurable: true,
      writable: true,
    });
  }

  /** The computation of the layer. `module(x)` and `module.forward(x)` are the same. */
  abstract forward(...args: never[]): unknown;

  /** @internal */
  override [invoke](args: never[]): unknown {
    const { forward } = this as unknown as { forward: Forward };
    // A forward that was set after construction, such as an arrow function in a field, is not wrapped yet.
    return forward === this.#forward ? forward(...args) : this.#call(forward, args);
  }
  #call(inner: Forward, args: never[]): unknown {
    dependOn(() => this.#mode);
    const run = (): unknown => runForward(this, inner, args, this.#hooks);
    return this.#recompute === 'none' ? run() : checkpoint(run, { policy: this.#recompute, tensors: args });
  }

  /** All that a recording of its forward depends on, in one number: calls of compiled functions read it for each module. */
  get #mode(): number {
    const policy = recomputePolicies.indexOf(this.#recompute);
    return 2 * (recomputePolicies.length * (this.#hooks?.version ?? 0) + policy) + (this.training ? 1 : 0);
  }

  // the tree
  /** The modules in the fields of this one, each once. */
  *children(): Generator<Module> {
    for (const [, child] of this.namedChildren()) yield child;
  }
  /** The modules in the fields of this one with the names of the fields, each module once. */
  namedChildren(): Generator<readonly [string, Module]> {
    return namedChildren<Module>(this);
  }
  /** This module and all below it, each once. */
  *modules(): Generator<Module> {
    for (const [, module] of walk<Module>(this, '', new Set())) yield module;
  }
  /**
   * This module and all below it, each once, with dotted names; '' for this one. With `removeDuplicate` false, a module that is
   * shared is listed under each of its names.
   *
   *     for (const [name, module] of model.namedModules({ prefix: 'model' })) console.log(name);
   *
   * @throws {UNKNOWN_ARGUMENT}
   */
  namedModules(...rest: Settings<ListingOptions, ['prefix']>): Generator<readonly [string, Module]> {
    const { prefix = '', removeDuplicate = true } = settle<ListingOptions>('namedModules', ['prefix'], rest, [
      'removeDuplicate',
    ]);
    return walk<Module>(this, prefix, removeDuplicate ? new Set() : undefined);
  }
  /**
   * Parameters with their dotted names, each once (a shared one under its first name, or with `removeDuplicate` false under
   * each).
   *
   * @throws {UNKNOWN_ARGUMENT}
   */
  namedParameters(...rest: StateListing): Generator<readonly [string, Parameter]> {
    const options = stateListing('namedParameters', rest);
    if (options.recurse) checkArrays(this, isModule);
    return this.#listed(options, state => !(state instanceof StateBuffer));
  }
  /** Buffers with their dotted names, each once. Arguments and errors as `namedParameters`. */
  namedBuffers(...rest: StateListing): Generator<readonly [string, StateBuffer]> {
    const found = this.#listed(stateListing('namedBuffers', rest), state => state instanceof StateBuffer);
    return found as Generator<readonly [string, StateBuffer]>;
  }
  *#listed(
    options: Required<StateListingOptions>,
    isWanted: (state: Parameter) => boolean,
  ): Generator<readonly [string, Parameter]> {
    for (const entry of namedState(this, options)) if (isWanted(entry[1])) yield entry;
  }
  /** All parameters, each once, to pass to an optimizer. */
  parameters(recurse = true): Parameter[] {
    return Array.from(this.namedParameters('', recurse), ([, parameter]) => parameter);
  }
  /** All buffers, each once. */
  buffers(recurse = true): StateBuffer[] {
    return Array.from(this.namedBuffers('', recurse), ([, buffer]) => buffer);
  }
  /** The fields that may hold modules, parameters and buffers, by name; for containers, their entries. */
  protected ownFields(): Iterable<readonly [string, unknown]> {
    return Object.entries(this);
  }
  /** @internal */
  [fieldsOf](): Iterable<readonly [string, unknown]> {
    return this.ownFields();
  }
  /**
   * The module with this dotted name, '' for this one.
   *
   *     model.getSubmodule('encoder.layer.0')
   *
   * @throws {UNKNOWN_MEMBER} for a name that does not exist
   */
  getSubmodule(path: string): Module {
    return moduleAt<Module>(this, path);
  }
  /**
   * Replaces the module with this dotted name; with `strict`, the name must exist.
   *
   *     model.setSubmodule('encoder.layer.0.dropout', new nn.Identity());
   *
   * @throws {UNKNOWN_MEMBER} if the name does not refer to a module
   * @throws {WRONG_ARGUMENT}
   */
  setSubmodule(path: string, module: Module, strict = false): void {
    checkSubmodule(path, module);
    if (strict) this.getSubmodule(path);
    const dot = path.lastIndexOf('.');
    const owner = dot < 0 ? this : this.getSubmodule(path.slice(0, dot));
    owner.putModule(path.slice(dot + 1), module);
  }
  /** Adds or replaces a module where containers keep their entries. */
  protected putModule(name: string, module: Module): void {
    this.addModule(name, module);
  }
  /** The parameter with this dotted name. @throws {UNKNOWN_MEMBER} for a name that does not exist */
  getParameter(path: string): Parameter {
    const found = stateAt(this, path);
    if (found !== undefined && !(found instanceof StateBuffer)) return found;
    throw unknownMember(this, 'parameter', path, this.namedParameters());
  }
  /** The buffer with this dotted name. @throws {UNKNOWN_MEMBER} for a name that does not exist */
  getBuffer(path: string): StateBuffer {
    const found = stateAt(this, path);
    if (found instanceof StateBuffer) return found;
    throw unknownMember(this, 'buffer', path, this.namedBuffers());
  }

  // registration by name, if a field is not possible
  /** Adds a parameter as the field `name`; undefined or null makes the field empty. @throws {WRONG_ARGUMENT} */
  registerParameter(name: string, parameter: Parameter | null | undefined): void {
    checkParameter(parameter ?? undefined);
    setMember(this, 'registerParameter', name, parameter);
  }
  /** Adds a tensor that is saved and moved with this module, but not trained, as the field `name`. @throws {WRONG_ARGUMENT} */
  registerBuffer(
    name: string,
    value: Tensor | null | undefined,
    options: { readonly persistent?: boolean } = {},
  ): void {
    checkBuffer(value ?? undefined);
    const buffer = value == null || value instanceof StateBuffer ? value : new StateBuffer(value, options);
    setMember(this, 'registerBuffer', name, buffer);
  }
  /** Adds a module as the field `name`. @throws {WRONG_ARGUMENT} */
  addModule(name: string, module: Module | undefined): void {
    checkModule(module);
    setMember(this, 'addModule', name, module);
  }
  /** The same as `addModule`. */
  registerModule(name: string, module: Module | undefined): void {
    this.addModule(name, module);
  }

  // hooks
  /**
   * Runs `hook(module, args)` before each forward; its result replaces the arguments.
   *
   *     const handle = model.fc.registerForwardPreHook((module, [x]) => [x.mul(2)]);
   *     handle.remove();
   *
   * In `compile(fn)`, hooks run while the function is traced.
   */
  registerForwardPreHook(hook: ForwardPreHook<this>, options: { readonly prepend?: boolean } = {}): HookHandle {
    checkHook('registerForwardPreHook', hook, options);
    this.#hooks ??= new Hooks();
    return this.#hooks.addBefore(hook, options.prepend ?? false);
  }
  /**
   * Runs `hook(module, args, output)` after each forward; its result, unless undefined, replaces the output. With
   * `alwaysCall` it also runs if the forward throws, with the output so far, if any.
   */
  registerForwardHook(
    hook: ForwardHook<this>,
    options: { readonly prepend?: boolean; readonly alwaysCall?: boolean } = {},
  ): HookHandle {
    checkHook('registerForwardHook', hook, options, ['prepend', 'alwaysCall']);
    this.#hooks ??= new Hooks();
    return this.#hooks.addAfter(hook, options.prepend ?? false, options.alwaysCall ?? false);
  }

  /**
   * Runs `hook(module, gradInput, gradOutput)` when `backward()` has computed the gradients of this module's arguments: lists
   * with one gradient per argument and per result, undefined where none flows. A result other than undefined replaces gradInput.
   *
   *     model.fc.registerFullBackwardHook((module, [dx]) => [dx?.clamp(-1, 1)]);
   *
   * In `compile(fn)`, hooks run while the function is traced.
   */
  registerFullBackwardHook(hook: BackwardHook<this>, options: { readonly prepend?: boolean } = {}): HookHandle {
    checkHook('registerFullBackwardHook', hook, options);
    this.#hooks ??= new Hooks();
    return this.#hooks.addBackward(hook, options.prepend ?? false);
  }
  /** Runs `hook(module, gradOutput)` before gradients flow into this module; its result, unless undefined, replaces them. */
  registerFullBackwardPreHook(hook: BackwardPreHook<this>, options: { readonly prepend?: boolean } = {}): HookHandle {
    checkHook('registerFullBackwardPreHook', hook, options);
    this.#hooks ??= new Hooks();
    return this.#hooks.addBeforeBackward(hook, options.prepend ?? false);
  }

  // modes, positions and types
  /** Sets this module and all below it to training (or, with false, to evaluation). */
  train(mode = true): this {
    for (const module of this.modules()) module.training = mode;
    return this;
  }
  /** Sets this module and all below it to evaluation: no dropout, running statistics in batch normalization. */
  eval(): this {
    return this.train(false);
  }
  /** Calls `fn` with every module of the tree, children first and this one last. */
  apply(fn: (module: Module) => void): this {
    for (const child of this.children()) child.apply(fn);
    fn(this);
    return this;
  }
  /**
   * Moves all parameters and buffers to a device, or converts those that are floats to a floating-point type, in place:
   * optimizers keep working, and their existing state keeps its type.
   * @throws {INVALID_OPTION} for a type without fractions
   * @throws {UNKNOWN_DTYPE}
   */
  to(target: Device | DeviceName | DType): this {
    const to = targetOf(`${this.constructor.name}.to`, target);
    if (typeof to !== 'string') {
      for (const [, state] of namedState(this)) state.moveTo_(to);
      return this;
    }
    const type = elementTypeOf(to);
    if (!isFloat(type))
      throw new TrenioError('INVALID_OPTION', {
        what: `${this.constructor.name}.to`,
        option: 'the data type',
        got: dtypeName(type),
        expected: 'a floating-point type, such as bfloat16',
      });
    for (const [, state] of namedState(this)) if (isFloat(elementTypeOf(state.dtype))) state.castTo_(type);
    return this;
  }
  /**
   * Moves all parameters and buffers to a device without their elements: they are zeros there, to be initialized or loaded.
   * @throws {WRONG_ARGUMENT} if the argument is not a device
   */
  toEmpty(options: { readonly device: Device | DeviceName }): this {
    const device = deviceFrom(`${this.constructor.name}.toEmpty`, options?.device);
    for (const [, state] of namedState(this)) state.toEmpty_(device);
    return this;
  }
  /** Converts all floating-point parameters and buffers to float32, in place. */
  float(): this {
    return this.to('f32');
  }
  /** Converts all floating-point parameters and buffers to float64, in place. */
  double(): this {
    return this.to('f64');
  }
  /** Converts all floating-point parameters and buffers to bfloat16, in place. */
  bfloat16(): this {
    return this.to('bf16');
  }
  /** Converts all floating-point parameters and buffers to float16, in place. */
  half(): this {
    return this.to('f16');
  }
  /** Returns this module unchanged: elements can be read from any device. */
  cpu(): this {
    return this;
  }
  /** Sets whether the parameters are trained. */
  requiresGrad_(requires = true): this {
    for (const parameter of this.parameters()) parameter.requiresGrad_(requires);
    return this;
  }
  /**
   * Trades time for memory: `backward()` recomputes activations instead of storing them. `full` stores only the inputs of each
   * layer; `selective` also stores the results of linear layers and convolutions, and recomputes attention scores, softmax,
   * dropout, activations and norms. The layers are the elements of the outermost lists of modules (`ModuleList`, `Sequential`)
   * below this module, or the module itself if there is none. The results do not change.
   * @throws {INVALID_OPTION} for an unknown policy
   */
  recompute(policy: RecomputePolicy): this {
    checkPolicy('recompute', policy);
    for (const part of this.#parts() ?? [this]) part.#recompute = policy;
    return this;
  }
  #parts(): Module[] | undefined {
    const children = [...this.children()];
    if (this.isList) return children;
    const found = children.flatMap(child => child.#parts() ?? []);
    return found.length > 0 ? found : undefined;
  }
  /** A list of modules that follow one another. */
  protected get isList(): boolean {
    return false;
  }

  /** Forgets the gradients of all parameters. With `setToNone` false they become zeros. */
  zeroGrad(...rest: ZeroGradArguments): void {
    zeroGradients(`${this.constructor.name}.zeroGrad`, this.parameters(), rest);
  }

  /**
   * All parameters and persistent buffers by name; a shared one is there under each of its names. As in PyTorch, the tensors
   * share their elements with the module: they change with it, and it changes with them. `clone()` them to keep a state. If the
   * module is divided over ranks, every rank must read them.
   *
   *     const best = new Map([...model.stateDict()].map(([name, value]) => [name, value.clone()]));
   *
   * @throws {UNINITIALIZED_PARAMETER}
   */
  stateDict(): StateDict {
    checkArrays(this, isModule);
    return saveState(this);
  }
  /**
   * @internal The result of `stateDict()` with tensors that are not copied yet, for a checkpoint. They are copied if hooks may
   * change it.
   * @throws {UNINITIALIZED_PARAMETER}
   */
  stateTensors(): ReadonlyMap<string, Tensor | Literal> {
    checkArrays(this, isModule);
    return stateTensors(this);
  }
  /**
   * Loads the values of a state: a map or an object of tensors by name. On an error nothing was changed, unless hooks run after
   * loading. Lazy modules take their shapes from it. Of the names of a shared tensor, the last one in the module counts; unlike
   * PyTorch, the state may lack the others.
   * @throws {WEIGHT_SHAPE} for a tensor of another shape, and unless `strict` is false
   * @throws {STATE_KEYS} for names that are missing or unexpected
   * @throws {UNKNOWN_ARGUMENT}
   */
  loadStateDict(given: StateSource, ...rest: Settings<LoadOptions, ['strict', 'assign']>): LoadReport {
    return loadState(this, given, settle<LoadOptions>('loadStateDict', ['strict', 'assign'], rest));
  }
  /** @internal */
  get [stateHooksOf](): StateHooks | undefined {
    return this.#stateHooks;
  }
  /** Runs `hook(module, prefix)` before `stateDict()` reads this module. */
  registerStateDictPreHook(hook: StateDictPreHook<this>): HookHandle {
    return this.#addStateHook('registerStateDictPreHook', 'savePre', hook);
  }
  /**
   * Runs `hook(module, state, prefix)` after `stateDict()` has read this module; it may change the map.
   *
   *     model.registerStateDictPostHook((module, state, prefix) => state.delete(`${prefix}cache`));
   */
  registerStateDictPostHook(hook: StateDictPostHook<this>): HookHandle {
    return this.#addStateHook('registerStateDictPostHook', 'savePost', hook);
  }
  /**
   * Runs `hook(module, state, prefix, options)` before `loadStateDict()` processes this module; it may change the map, which is a
   * copy.
   */
  registerLoadStateDictPreHook(hook: LoadStateDictPreHook<this>): HookHandle {
    return this.#addStateHook('registerLoadStateDictPreHook', 'loadPre', hook);
  }
  /** Runs `hook(module, { missingKeys, unexpectedKeys })` after loading; names that it removes from the lists are not errors. */
  registerLoadStateDictPostHook(hook: LoadStateDictPostHook<this>): HookHandle {
    return this.#addStateHook('registerLoadStateDictPostHook', 'loadPost', hook);
  }
  #addStateHook(call: string, list: 'savePre' | 'savePost' | 'loadPre' | 'loadPost', hook: unknown): HookHandle {
    checkFunction(call, 'the hook', hook);
    this.#stateHooks ??= new StateHooks();
    return StateHooks.add<(...args: never[]) => void>(this.#stateHooks[list], hook as (...args: never[]) => void);
  }

  /** The number of trained elements. */
  parameterCount(): number {
    return this.parameters().reduce((n, p) => n + elementCount(p.shape), 0);
  }
  /** The module as PyTorch prints it. */
  override toString(): string {
    const children: [string, string][] = [];
    for (const [name, field] of this.ownFields()) if (field instanceof Module) children.push([name, String(field)]);
    return moduleText(this.constructor.name, this.extraRepr(), children, this.isList && this.collapses);
  }
  /** The settings of this layer, for printing: `in_features=8, out_features=2`. */
  protected extraRepr(): string {
    return '';
  }
  /** Equal neighbors are printed as one. */
  protected get collapses(): boolean {
    return false;
  }
  /** @internal */
  [inspect.custom](): string {
    return this.toString();
  }
  /** A module is serialized to JSON as its text; its state is in `stateDict()`. */
  toJSON(): string {
    return this.toString();
  }
}

addAbsentMembers(Module.prototype);

/** @throws {WRONG_ARGUMENT} @throws {UNKNOWN_ARGUMENT} */
function checkHook(call: string, hook: unknown, options: object, known: readonly string[] = ['prepend']): void {
  checkFunction(call, 'the hook', hook);
  checkOptionNames(call, options, known);
}

const isModule = (x: unknown): x is Module => x instanceof Module;
