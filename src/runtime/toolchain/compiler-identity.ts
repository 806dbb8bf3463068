// A key of this package's own compiler: a hash of every source file that affects the output of compilation. A program's
// description from another version, or from one that is being edited, is never used.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

/** The file of the published package that has the identity, because its sources are not published. */
export const builtIdentity = 'compiler-identity.txt';

/** Folders of src/ whose code takes part in compiling a module to machine code. */
export const identityFolders: readonly string[] = [
  'base',
  'observe',
  'numerics',
  'hlo',
  'transforms',
  'compiler',
  'runtime',
];
const extensions = new Set(['.ts', '.js', '.c', '.h']);

let identity: string | undefined; // the sources are loaded: they do not change while a process runs
/** Hexadecimal SHA-256 of the names and contents. */
export function compilerIdentity(): string {
  if (identity !== undefined) return identity;
  const built = new URL(`../../${builtIdentity}`, import.meta.url);
  if (existsSync(built)) {
    identity = readFileSync(built, 'utf8');
    return identity;
  }
  const hash = createHash('sha256');
  const visit = (folder: URL): void => {
    const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (entry.isDirectory()) visit(new URL(`${entry.name}/`, folder));
      else if (extensions.has(extname(entry.name)) && !/\.(test|d)\.ts$/.test(entry.name))
        hash.update(`${entry.name}\0`).update(readFileSync(new URL(entry.name, folder)));
    }
  };
  for (const folder of identityFolders) visit(new URL(`../../${folder}/`, import.meta.url));
  identity = hash.digest('hex');
  return identity;
}
