// Tensors nested in arrays, maps and plain objects: batches, arguments and results of functions.
import { hash } from 'node:crypto';
import { Tensor } from './tensor.ts';

const isPlain = (x: unknown): x is Record<string, unknown> =>
  typeof x === 'object' &&
  x !== null &&
  (Object.getPrototypeOf(x) === Object.prototype || Object.getPrototypeOf(x) === null);

/** The same structure with each tensor replaced; everything else is unchanged. */
export function mapTensors(structure: unknown, map: (tensor: Tensor) => unknown): unknown {
  if (structure instanceof Tensor) return map(structure);
  if (Array.isArray(structure)) return structure.map(entry => mapTensors(entry, map));
  if (isPlain(structure))
    return Object.fromEntries(Object.entries(structure).map(([key, value]) => [key, mapTensors(value, map)]));
  return structure;
}
export function tensorsIn(structure: unknown): Tensor[] {
  const found: Tensor[] = [];
  mapTensors(structure, tensor => found.push(tensor));
  return found;
}

const identities = new WeakMap<object, number>();
let nextIdentity = 0;

/**
 * A string that is equal for structures that differ only in the elements of their tensors. Binary data is compared by its
 * bytes, instances of other classes and functions by identity.
 */
export function signatureOf(structure: unknown): string {
  if (structure instanceof Tensor) return `${structure.dtype}[${structure.shape}]`;
  if (Array.isArray(structure)) return `(${structure.map(signatureOf).join(';')})`;
  if (isPlain(structure))
    return `{${Object.entries(structure)
      .map(([key, value]) => `${JSON.stringify(key)}:${signatureOf(value)}`)
      .join(';')}}`;
  if (ArrayBuffer.isView(structure)) {
    const { buffer, byteOffset, byteLength } = structure;
    const digest = hash('sha256', new Uint8Array(buffer, byteOffset, byteLength), 'base64');
    return `${structure.constructor.name} ${digest}`;
  }
  if ((typeof structure === 'object' && structure !== null) || typeof structure === 'function') {
    let identity = identities.get(structure);
    identity ??= nextIdentity++;
    identities.set(structure, identity);
    return `#${identity}`;
  }
  if (typeof structure === 'string') return JSON.stringify(structure);
  if (typeof structure === 'bigint') return `${structure}n`;
  return Object.is(structure, -0) ? '-0' : String(structure);
}
