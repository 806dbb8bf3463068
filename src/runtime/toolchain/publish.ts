// Turns a finished compilation into an entry of the cache, with the objects of its shared functions.
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { Interrupted } from '../../base/interrupted.ts';
import { type CCompiler, type CompileOutcome, objectOf } from './c-compiler.ts';
import { hashName, libraryName, putEntry, titleOf } from './cache-entries.ts';
import { isUnusable } from './cache-errors.ts';
import { type Sharing, settleRights } from './cache-trust.ts';
import type { CacheWork } from './cache-work.ts';
import type { CompileRequest, SharedUnit } from './compile-request.ts';
import { probeCompiler, unusable } from './compiler-version.ts';
import { objectName, writeObject } from './kept-objects.ts';

/** In an entry: C of the functions that were taken from the cache. */
const keptSourceName = 'kept.c';

const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

export interface Publication {
  /** The cache directory. */
  readonly directory: string;
  readonly key: string;
  readonly request: CompileRequest;
  readonly compiler: CCompiler;
  readonly sharing: Sharing;
  /** Whether an existing entry with this path can be used. */
  readonly isUsable: (entry: string) => boolean;
}

/**
 * Creates an entry from a finished compilation, whose directory is removed. Returns the path of the shared object.
 * @throws {C_COMPILER_FAILED}
 * @throws {C_COMPILER_UNUSABLE}
 * @throws {Interrupted}
 */
export function publish(
  { directory, key, request, compiler, sharing, isUsable }: Publication,
  { directory: work, fresh, keys, objects }: CacheWork,
  outcome: CompileOutcome,
): string {
  try {
    if (outcome.kind === 'interrupted') throw new Interrupted('SIGINT');
    if (outcome.kind === 'failed') {
      const isFull = (text: string): boolean => /no space left|disk quota/i.test(text);
      // No output may also mean that there was no space to write it.
      if (outcome.output === '' || !isFull(outcome.output)) probeCompiler(compiler, work);
      if (outcome.output === '' || isFull(outcome.output))
        throw Object.assign(new Error(outcome.output), { code: 'ENOSPC' });
      const kept = join(directory, `failed-${key}`);
      putEntry(work, directory, basename(kept));
      const output = outcome.output.split('\n').slice(0, 12).join('\n').trimEnd();
      throw new TrenioError('C_COMPILER_FAILED', { compiler: compiler.path, source: kept, output });
    }
    if (!fs.existsSync(join(work, libraryName))) throw unusable(compiler, 'it succeeds but writes no output');
    keepObjects(directory, sharing, work, fresh, keys);
    const files = [...request.headers, ...request.units, ...fresh];
    // Source of functions that were compiled for another program, for reading only.
    const compiledNow = new Set(fresh.flatMap(({ members }) => members));
    const others = keys.flatMap((_, i) => (compiledNow.has(i) ? [] : [i]));
    if (objects.length > 0 && others.length > 0) {
      const [{ source }] = request.shared!.unitsOf(others, 1) as readonly [SharedUnit];
      fs.writeFileSync(join(work, keptSourceName), source);
    }
    const lasting = new Set([libraryName, keptSourceName, ...files.map(file => file.name)]);
    for (const name of fs.readdirSync(work)) if (!lasting.has(name)) fs.rmSync(join(work, name), { recursive: true });
    fs.writeFileSync(join(work, hashName), sha256(fs.readFileSync(join(work, libraryName))));
    settleRights(work, directory, sharing);
    const entry = join(directory, key);
    // Another process may have been first. Its entry is used, unless it is damaged.
    putEntry(work, directory, key, () => !isUsable(entry));
    return join(entry, libraryName);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

/** Stores the machine code of shared functions for other programs. */
function keepObjects(
  directory: string,
  sharing: Sharing,
  work: string,
  fresh: readonly SharedUnit[],
  keys: readonly string[],
): void {
  for (const { name, source, members } of fresh) {
    const functions = members.map(i => keys[i]!);
    const file = join(work, 'object');
    try {
      const bytes = fs.readFileSync(join(work, objectOf(name)));
      writeObject(file, { what: titleOf(source) ?? name, functions, bytes });
      settleRights(file, directory, sharing);
      putEntry(file, directory, objectName(functions));
    } catch (error) {
      // Without the object they are compiled again.
      if (!isUnusable(error)) throw error;
    }
  }
}
