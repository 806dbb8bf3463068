// Modules as a tree: the modules below a module, and their parameters and buffers, under dotted names. The public methods are in
// module.ts.
import { TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import { userLocation } from '../../tensor/index.ts';
import { type Settings, settle } from '../../tensor/settings.ts';
import { Callable } from './callable.ts';
import { Parameter } from './parameter.ts';

/** The fields of a module that may hold modules, parameters and buffers, by name. */
export const fieldsOf: unique symbol = Symbol('fields');

/** A module, as far as the tree is concerned. */
export interface TreeNode {
  [fieldsOf](): Iterable<readonly [string, unknown]>;
}
export const isModuleNode = (x: unknown): x is TreeNode => x instanceof Callable && fieldsOf in x;

/** Options of `namedModules`. */
export interface ListingOptions {
  /** The prefix of names; empty by default. */
  readonly prefix?: string;
  /** Lists each module once, under its first name; true by default. */
  readonly removeDuplicate?: boolean;
}
/** Options of `namedParameters` and `namedBuffers`. */
export interface StateListingOptions extends ListingOptions {
  /** Includes those of the modules below; true by default. */
  readonly recurse?: boolean;
}
const listingOrder = ['prefix', 'recurse', 'removeDuplicate'] as const;
/** The arguments of `namedParameters` and `namedBuffers`: in PyTorch's order, or by name. */
export type StateListing = Settings<StateListingOptions, ['prefix', 'recurse', 'removeDuplicate']>;

/** @throws {UNKNOWN_ARGUMENT} */
export const stateListing = (call: string, rest: readonly unknown[]): Required<StateListingOptions> => ({
  prefix: '',
  recurse: true,
  removeDuplicate: true,
  ...settle<StateListingOptions>(call, listingOrder, rest),
});

export const dotted = (prefix: string, name: string): string => (prefix === '' ? name : `${prefix}.${name}`);

/** The modules in the fields of this one; a module in several fields is listed under each. */
function* childrenOf<M extends TreeNode>(module: M): Generator<readonly [string, M]> {
  for (const [name, field] of module[fieldsOf]()) if (isModuleNode(field)) yield [name, field as M];
}

/** The modules in the fields of this one, each once. */
export function* namedChildren<M extends TreeNode>(module: M): Generator<readonly [string, M]> {
  const seen = new Set<M>();
  for (const [name, child] of childrenOf(module)) {
    if (seen.has(child)) continue;
    seen.add(child);
    yield [name, child];
  }
}

/**
 * This module and all below it; with `seen`, those that are not in it, each once. Otherwise under each of their names, except
 * those that lead through a module twice.
 */
export function* walk<M extends TreeNode>(
  module: M,
  prefix = '',
  seen?: Set<TreeNode>,
  above: readonly TreeNode[] = [],
): Generator<readonly [string, M]> {
  if (seen?.has(module) || above.includes(module)) return;
  seen?.add(module);
  yield [prefix, module];
  for (const [name, child] of childrenOf(module)) yield* walk(child, dotted(prefix, name), seen, [...above, module]);
}

/** Parameters and buffers. */
export function* namedState(
  module: TreeNode,
  { prefix = '', recurse = true, removeDuplicate = true }: StateListingOptions = {},
): Generator<readonly [string, Parameter]> {
  const seen = new Set<Parameter>();
  const modules = recurse
    ? walk(module, prefix, removeDuplicate ? new Set() : undefined)
    : ([[prefix, module]] as const);
  for (const [at, owner] of modules) {
    for (const [name, field] of owner[fieldsOf]()) {
      if (!(field instanceof Parameter) || (removeDuplicate && seen.has(field))) continue;
      seen.add(field);
      yield [dotted(at, name), field];
    }
  }
}

/** The module with this dotted name, which may be the second name of a shared module. @throws {UNKNOWN_MEMBER} */
export function moduleAt<M extends TreeNode>(module: M, path: string): M {
  const found = new Map(walk(module)).get(path);
  if (found !== undefined) return found;
  throw unknownMember(module, 'module', path, walk(module));
}

/** The parameter or buffer with this dotted name. */
export function stateAt(module: TreeNode, path: string): Parameter | undefined {
  const dot = path.lastIndexOf('.');
  const owner = dot < 0 ? module : new Map(walk(module)).get(path.slice(0, dot));
  const field = owner === undefined ? undefined : new Map(owner[fieldsOf]()).get(path.slice(dot + 1));
  return field instanceof Parameter ? field : undefined;
}

export function unknownMember(
  module: TreeNode,
  kind: string,
  path: string,
  all: Iterable<readonly [string, unknown]>,
): TrenioError<'UNKNOWN_MEMBER'> {
  const known = Array.from(all, ([name]) => name).filter(name => name !== '');
  return new TrenioError(
    'UNKNOWN_MEMBER',
    { module: module.constructor.name, kind, name: String(path), nearest: nearestName(String(path), known), known },
    { location: userLocation() },
  );
}
