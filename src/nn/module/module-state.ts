// The state of a tree of modules: parameters, persistent buffers and extra state by name, read and loaded with the hooks of each
// module. Files are written elsewhere (models/, distributed/checkpoints).
import { TrenioError } from '../../base/errors.ts';
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import { convertLiteral } from '../../hlo/ops/convert.ts';
import { formatType, sameShape } from '../../hlo/types.ts';
import { checkOptionNames, isLiteral, isPlainObject, Tensor, tensor, wrongArgument } from '../../tensor/index.ts';
import { namedState, stateAt, type TreeNode, walk } from './module-tree.ts';
import { type Parameter, StateBuffer } from './parameter.ts';
import type { StateHooks } from './state-hooks.ts';
import { isUninitialized, uninitialized } from './uninitialized.ts';

/** The state of a module by name, as tensors that share the elements of its parameters and buffers. */
export type StateDict = Map<string, Tensor>;
/** The argument of `loadStateDict`: a state dict, the tensors of a file, or an object of either. */
export type StateSource = ReadonlyMap<string, Tensor | Literal> | { readonly [name: string]: Tensor | Literal };

/** The mismatches that loadStateDict found with `strict: false`. */
export interface LoadReport {
  /** Names that the module has and the state does not. */
  readonly missing: readonly string[];
  /** Names that the state has and the module does not. */
  readonly unexpected: readonly string[];
}

/** Options of `loadStateDict`. */
export interface LoadOptions {
  /** Names that are missing or unexpected are an error; true by default. */
  readonly strict?: boolean;
  /** Parameters and buffers adopt the data types of the state; false by default: the state is converted. */
  readonly assign?: boolean;
}

export const stateHooksOf: unique symbol = Symbol('state hooks');

/** A module, as far as its state is concerned. */
export interface StateNode extends TreeNode {
  readonly [stateHooksOf]: StateHooks | undefined;
  getExtraState?(): Tensor;
  setExtraState?(state: Tensor): void;
  /** Second names of tensors below this module that have no field of this name, as PyTorch's modules have them. */
  readonly tiedNames?: Readonly<Record<string, string>>;
}

/** The name of the result of `getExtraState`. */
const extraName = '_extra_state';
const prefixOf = (name: string): string => (name === '' ? '' : `${name}.`);
/** Under all of their names: the state has shared tensors under each of them, as in PyTorch. */
const modulesOf = (root: StateNode): (readonly [string, StateNode])[] => [...walk(root)];

/** The state, not copied. @throws {UNINITIALIZED_PARAMETER} */
export function saveState(root: StateNode): StateDict {
  const modules = modulesOf(root);
  for (const [name, module] of modules)
    for (const hook of module[stateHooksOf]?.savePre ?? []) hook(module as never, prefixOf(name));
  const shown = new Map<Tensor, Tensor>();
  const state: StateDict = new Map();
  for (const [name, value] of tensorsOf(root, modules)) {
    if (isUninitialized(value)) throw uninitialized(`${root.constructor.name}.${name}`);
    const tensor = shown.get(value) ?? value.inState();
    shown.set(value, tensor);
    state.set(name, tensor);
  }
  for (const [name, module] of modules.toReversed())
    for (const hook of module[stateHooksOf]?.savePost ?? []) hook(module as never, state, prefixOf(name));
  return state;
}

/** The state for a checkpoint: parameters themselves, each once, unless hooks may change it. @throws {UNINITIALIZED_PARAMETER} */
export function stateTensors(root: StateNode): ReadonlyMap<string, Tensor | Literal> {
  const modules = modulesOf(root);
  const hooks = modules.map(([, module]) => module[stateHooksOf]);
  if (hooks.some(list => (list?.savePre.length ?? 0) + (list?.savePost.length ?? 0) > 0)) return saveState(root);
  const once = new Map(Array.from(tensorsOf(root, modules), ([name, value]) => [value, name] as const).toReversed());
  return new Map(Array.from(once, ([value, name]) => [name, value] as const).toReversed());
}

function* tensorsOf(
  root: StateNode,
  modules: readonly (readonly [string, StateNode])[],
): Generator<readonly [string, Tensor]> {
  yield* savedState(root, modules);
  for (const [name, module] of modules)
    if (module.getExtraState !== undefined) yield [prefixOf(name) + extraName, module.getExtraState()];
}
function* savedState(
  root: StateNode,
  modules: readonly (readonly [string, StateNode])[],
): Generator<readonly [string, Parameter]> {
  for (const [name, state] of namedState(root, { removeDuplicate: false }))
    if (!(state instanceof StateBuffer) || state.persistent) yield [name, state];
  for (const [at, module] of modules)
    for (const [name, path] of Object.entries(module.tiedNames ?? {})) {
      const state = stateAt(module, path);
      if (state !== undefined) yield [prefixOf(at) + name, state];
    }
}

/**
 * On an error nothing was changed, unless hooks run after loading.
 * @throws {WEIGHT_SHAPE}
 * @throws {STATE_KEYS}
 * @throws {UNKNOWN_ARGUMENT}
 */
export function loadState(root: StateNode, source: StateSource, options: LoadOptions): LoadReport {
  const given = isPlainObject(source) ? new Map(Object.entries(source)) : (source as ReadonlyMap<string, Tensor>);
  if (typeof given?.has !== 'function')
    throw wrongArgument({ call: 'loadStateDict', argument: 'the state' }, source, 'a Map, as stateDict() gives it');
  for (const [name, value] of given)
    if (!isState(value))
      throw wrongArgument({ call: 'loadStateDict', argument: `the state of ${name}` }, value, 'a tensor');
  checkOptionNames('loadStateDict', options, ['strict', 'assign']);
  const { strict = true, assign = false } = options;
  const modules = modulesOf(root);
  const hasHooks = modules.some(([, module]) => (module[stateHooksOf]?.loadPre.length ?? 0) > 0);
  const state = hasHooks ? new Map(given) : given;
  if (hasHooks)
    for (const [name, module] of modules)
      for (const hook of module[stateHooksOf]?.loadPre ?? [])
        hook(module as never, state as Map<string, Tensor | Literal>, prefixOf(name), { strict, assign });
  const own = new Map(savedState(root, modules));
  const extras = new Map(
    modules.flatMap(([name, module]) =>
      module.getExtraState === undefined ? [] : [[prefixOf(name) + extraName, module] as const],
    ),
  );
  // One name of a shared tensor is enough.
  const found = new Set(Array.from(own, ([name, target]) => (state.has(name) ? target : undefined)));
  const missing = [
    ...[...own].flatMap(([name, target]) => (found.has(target) ? [] : [name])),
    ...[...extras.keys()].filter(name => !state.has(name)),
  ];
  const unexpected = [...state.keys()].filter(name => !own.has(name) && !extras.has(name));
  const after = modules.toReversed().filter(([, module]) => (module[stateHooksOf]?.loadPost.length ?? 0) > 0);
  const checkNames = (): void => {
    if (strict && missing.length + unexpected.length > 0)
      throw new TrenioError('STATE_KEYS', { what: root.constructor.name, missing, unexpected });
  };
  if (after.length === 0) checkNames();
  const loads: [Parameter, Tensor | Literal][] = [];
  for (const [name, target] of own) {
    const value = state.get(name);
    if (value === undefined) continue;
    if (!isUninitialized(target) && !sameShape(value.type.shape, target.shape)) {
      throw new TrenioError('WEIGHT_SHAPE', { name, expected: formatType(target.type), got: formatType(value.type) });
    }
    loads.push([target, value]);
  }
  for (const [target, value] of loads) {
    if (isUninitialized(target)) target.materialize(value.type.shape);
    if (assign) target.castTo_(value.type.elementType);
    loadInto(target, value);
  }
  for (const [name, module] of extras) {
    const value = state.get(name);
    if (value !== undefined) module.setExtraState?.(value instanceof Tensor ? value : tensor(value));
  }
  for (const [, module] of after)
    for (const hook of module[stateHooksOf]?.loadPost ?? [])
      hook(module as never, { missingKeys: missing, unexpectedKeys: unexpected });
  if (after.length > 0) checkNames();
  return { missing, unexpected };
}

/** The elements of a state tensor on the host. */
export const literalOf = (value: Tensor | Literal): Literal => (value instanceof Tensor ? value.literal() : value);
const isState = (value: unknown): boolean => value instanceof Tensor || isLiteral(value);

/**
 * New elements for a tensor, converted to its data type, and divided over the ranks like its own.
 * @example
 * const layer = new nn.Linear(2, 1);
 * nn.loadInto(layer.bias!, tensor([5]));
 * layer.bias // [5]
 */
export function loadInto(target: Tensor, given: Tensor | Literal): void {
  const { divided } = target;
  if (divided?.isAbsent === true && given instanceof Tensor && given.divided?.isAbsent === true) {
    target.replace(divided.withPart(divided.part));
    return;
  }
  const part = given instanceof Tensor ? partFor(target, given) : undefined;
  if (part !== undefined) {
    target.loadPart(bytesOf(convertLiteral(part, target.type.elementType)));
    return;
  }
  const value = literalOf(given);
  const same = value.type.elementType === target.type.elementType;
  const converted = same ? value : tensor(value, { dtype: target.dtype, device: target.device }).literal();
  target.load(bytesOf(converted));
}
/** This rank's part of a tensor; undefined if it is not divided as the other one. */
function partFor({ divided: expected }: Tensor, { divided: given }: Tensor): Literal | undefined {
  if (expected === undefined || given === undefined || !given.isDividedAs(expected)) return undefined;
  return literalOfBytes(given.part.type, given.part.copyToHost());
}
