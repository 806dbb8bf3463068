// Functions and classes that PyTorch has and Trenio does not: calling one throws an error with advice. They are
// exported under their names (generated/absent.ts of `nn` and `optim`), because a namespace cannot report missing names.
import { TrenioError } from '../../base/errors.ts';
import { userLocation } from '../location.ts';

const known = new WeakSet<object>();

/** Throws when it is called, constructed, or extended by a class that is constructed. */
export function absentFunction(name: string, instead: string): never {
  const fail = (): never => {
    throw new TrenioError('ABSENT_NAME', { name, instead }, { location: userLocation() });
  };
  const made = new Proxy(function absent() {}, {
    apply: fail,
    construct: fail,
    // none, so that `value.prototype instanceof Module` is false; a class that extends it throws when it is constructed
    get: (target, member, receiver) => (member === 'prototype' ? null : Reflect.get(target, member, receiver)),
  });
  known.add(made);
  return made as never;
}
/** A namespace that is elsewhere: reading one of its names throws. */
export function absentNamespace(name: string, instead: string): never {
  const get = (_: object, member: string | symbol): undefined => {
    if (typeof member !== 'string' || member === 'then' || member === 'toJSON') return undefined;
    throw new TrenioError('ABSENT_NAME', { name: `${name}.${member}`, instead }, { location: userLocation() });
  };
  return new Proxy({}, { get }) as never;
}
export const isAbsent = (value: unknown): boolean => typeof value === 'function' && known.has(value);
