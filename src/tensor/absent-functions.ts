// Functions and classes that PyTorch has and Trenio does not: calling one throws an error with advice. They are
// exported under their names (generated/absent.ts of `nn` and `optim`), because a namespace cannot report missing names.
import { TrenioError } from '../base/errors.ts';
import { userLocation } from './location.ts';

const known = new WeakSet<object>();

/** Throws when it is called, constructed, or extended by a class. */
export function absentFunction(name: string, instead: string): never {
  const fail = (): never => {
    throw new TrenioError('ABSENT_NAME', { name, instead }, { location: userLocation() });
  };
  const made = new Proxy(function absent() {}, {
    apply: fail,
    construct: fail,
    // `class X extends nn.Missing` reads the prototype; printing reads other members
    get: (target, member, receiver) => (member === 'prototype' ? fail() : Reflect.get(target, member, receiver)),
  });
  known.add(made);
  return made as never;
}
export const isAbsent = (value: unknown): boolean => typeof value === 'function' && known.has(value);
