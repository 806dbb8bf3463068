// Members of a module that are computed from its parameters at each use, in place of a parameter of that name: the basis of
// parametrizations, weight normalization and pruning. The member is not enumerable, so it is not a parameter of the module.
import { TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import { type Tensor, userLocation, wrongArgument } from '../../tensor/index.ts';
import { Module } from './module.ts';
import { Parameter } from './parameter.ts';

/** The members of a module by name. */
export const membersOf = (module: Module): Record<string, unknown> => module as unknown as Record<string, unknown>;

/** @throws {WRONG_ARGUMENT} */
export function checkOwner(call: string, module: unknown): asserts module is Module {
  if (!(module instanceof Module))
    throw wrongArgument({ call, argument: 'the module' }, module, 'a module such as new Linear(8, 2)');
}

/**
 * The parameter or buffer of a module with this name.
 * @throws {WRONG_ARGUMENT} for anything other than a module
 * @throws {UNKNOWN_MEMBER} if it has none of that name
 */
export function ownState(call: string, module: Module, name: string): Parameter {
  checkOwner(call, module);
  const own = Object.getOwnPropertyDescriptor(module, name)?.value as unknown;
  if (own instanceof Parameter) return own;
  const known = [...module.namedParameters('', false), ...module.namedBuffers('', false)].map(([found]) => found);
  throw new TrenioError(
    'UNKNOWN_MEMBER',
    {
      module: module.constructor.name,
      kind: 'parameter',
      name: String(name),
      nearest: nearestName(String(name), known),
      known,
    },
    { location: userLocation() },
  );
}

/** Sets a parameter, buffer or module, replacing a computed member of that name. */
export function placeMember(module: Module, name: string, value: unknown): void {
  delete membersOf(module)[name];
  Object.defineProperty(module, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Computes `module[name]` at each use, in place of the existing parameter. */
export function placeComputed(module: Module, name: string, compute: () => Tensor): void {
  delete membersOf(module)[name];
  Object.defineProperty(module, name, { get: compute, enumerable: false, configurable: true });
}
