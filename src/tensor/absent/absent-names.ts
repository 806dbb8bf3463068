// Members of PyTorch's tensors that Trenio does not have: reading one throws an error with advice. Getters on the
// prototype cost nothing unless they are read.
import { TrenioError } from '../../base/errors.ts';
import { userLocation } from '../location.ts';
import { absentNames } from '../surface/absent.ts';
import { rows } from '../surface/index.ts';
import { snakeCase } from '../surface/params.ts';

const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function addGetter(prototype: object, name: string, instead: string): void {
  if (name in prototype) return;
  Object.defineProperty(prototype, name, {
    configurable: true,
    get(): never {
      throw new TrenioError('ABSENT_NAME', { name: `Tensor.${name}`, instead }, { location: userLocation() });
    },
    // users may assign properties to a tensor, as to any object
    set(value: unknown) {
      Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true });
    },
  });
}

/** Adds the getters to the prototype of tensors: for missing names, and for PyTorch's spelling of those that are here. */
export function addAbsentNames(prototype: object): void {
  for (const { name, instead } of absentNames) {
    const [owner, member] = name.split('.') as [string, string];
    if (owner !== 'Tensor') continue;
    addGetter(prototype, member, instead);
    addGetter(prototype, camelCase(member), instead);
  }
  const written = new Set(rows.flatMap(row => [row.name, ...row.aliases, `${row.name}_`]));
  for (let level: object = prototype; level !== Object.prototype; level = Object.getPrototypeOf(level) as object)
    for (const name of Object.getOwnPropertyNames(level)) written.add(name);
  for (const name of written)
    if (snakeCase(name) !== name && name in prototype) addGetter(prototype, snakeCase(name), `use ${name}`);
}
