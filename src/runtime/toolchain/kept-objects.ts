// Machine code of functions that programs share, stored by a hash of its source: a program that shares kernels with another one,
// for another batch size or with other layers, is linked with the existing code, and only the rest is compiled.
//
//   <directory>/object-<key>   a compiled C file: the SHA-256 of the rest, a line that names its functions, the object
//
// An object has several functions, since a compiler process for each would take longer than compiling most of them. Two
// objects may have the same function: it is weak, and the linker takes either. The linker removes functions that are not called.
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { expectFileError } from '../../base/file-error.ts';
import { openPlainFile, readPlainFile } from './plain-file.ts';

export const objectPrefix = 'object-';
const hashLength = 64;
const newline = 10;

export interface ObjectHead {
  /** The first program that it was compiled for, for display. */
  readonly what: string;
  /** Keys of its functions. */
  readonly functions: readonly string[];
}
export interface KeptObject extends ObjectHead {
  /** The content for the linker. */
  readonly bytes: Uint8Array;
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** The name under which an object with these functions is stored. */
export const objectName = (functions: readonly string[]): string => `${objectPrefix}${sha256(functions.join(' '))}`;

export function writeObject(file: string, { what, functions, bytes }: KeptObject): void {
  const rest = Buffer.concat([Buffer.from(`${JSON.stringify({ what, functions })}\n`), bytes]);
  fs.writeFileSync(file, Buffer.concat([Buffer.from(`${sha256(rest)}\n`, 'latin1'), rest]));
}

/** Undefined if it is damaged. Throws file system errors. */
export function readObject(file: string): KeptObject | undefined {
  const content = readPlainFile(file);
  const rest = content.subarray(hashLength + 1);
  if (content.subarray(0, hashLength).toString('latin1') !== sha256(rest)) return undefined;
  const end = rest.indexOf(newline);
  const head = parseHead(rest.subarray(0, end));
  return head && { ...head, bytes: rest.subarray(end + 1) };
}

/** The metadata of an object, not verified yet; undefined if it is invalid. Throws file system errors. */
export function readHead(file: string): ObjectHead | undefined {
  const descriptor = openPlainFile(file);
  try {
    for (let size = 1 << 14; ; size *= 4) {
      const start = Buffer.alloc(size);
      const count = fs.readSync(descriptor, start, 0, size, 0);
      const end = start.subarray(0, count).indexOf(newline, hashLength + 1);
      if (end >= 0) return parseHead(start.subarray(hashLength + 1, end));
      if (count < size) return undefined;
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

function parseHead(line: Uint8Array): ObjectHead | undefined {
  try {
    const head = JSON.parse(Buffer.from(line).toString('utf8')) as Partial<ObjectHead> | null;
    const { what, functions } = head ?? {};
    const isWhole = typeof what === 'string' && Array.isArray(functions) && functions.every(f => typeof f === 'string');
    return isWhole ? { what, functions } : undefined;
  } catch (error) {
    // Damaged: the object is compiled again.
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

export interface FoundObjects {
  readonly objects: readonly { readonly file: string; readonly bytes: Uint8Array }[];
  /** The keys that no object contains. */
  readonly missing: ReadonlySet<string>;
}

/** Undamaged objects that together have as many of these functions as possible. `onDamage` is called for damaged ones. */
export function findObjects(
  directories: readonly string[],
  functions: readonly string[],
  onDamage: (file: string) => void,
  isTrusted: (file: string) => boolean,
): FoundObjects {
  const missing = new Set(functions);
  const objects: { file: string; bytes: Uint8Array }[] = [];
  const wanted = directories
    .flatMap(headsIn)
    .map(({ file, functions: has }) => ({ file, has: has.filter(f => missing.has(f)) }));
  // Objects with most of the functions come first, so that fewer objects are linked.
  for (const { file, has } of wanted.sort((a, b) => b.has.length - a.has.length || (a.file < b.file ? -1 : 1))) {
    if (!has.some(f => missing.has(f)) || !isTrusted(file)) continue;
    const object = wholeObject(file, onDamage);
    if (object === undefined) continue;
    objects.push({ file, bytes: object.bytes });
    for (const f of object.functions) missing.delete(f);
  }
  return { objects, missing };
}

function headsIn(directory: string): { file: string; functions: readonly string[] }[] {
  let names: readonly string[];
  try {
    names = fs.readdirSync(directory);
  } catch (error) {
    expectFileError(error);
    return [];
  }
  return names.flatMap(name => {
    if (!name.startsWith(objectPrefix)) return [];
    const file = join(directory, name);
    try {
      return [{ file, functions: readHead(file)?.functions ?? [] }];
    } catch (error) {
      expectFileError(error);
      return []; // another process removed it
    }
  });
}

function wholeObject(file: string, onDamage: (file: string) => void): KeptObject | undefined {
  try {
    const object = readObject(file);
    if (object === undefined) onDamage(file);
    return object;
  } catch (error) {
    expectFileError(error);
    return undefined;
  }
}
