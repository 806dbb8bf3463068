// `npm pack` and `npm publish` at the root call this before (`prepare`) and after (`restore`). In the repository the package is
// its TypeScript sources, and 'trenio' in examples and tests refers to those; the published manifest points to dist/ instead.
// npm packs the manifest on disk, so it is replaced while packing.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeIncluded } from '../examples/bert-large-pretraining/included.ts';

const root = join(import.meta.dirname, '..');
const manifest = join(root, 'package.json');
const kept = join(root, 'package.repository.json');

/** Restores the repository's manifest, also after an interrupted pack. */
function restore(): void {
  if (existsSync(kept)) renameSync(kept, manifest);
}

async function prepare(): Promise<void> {
  restore();
  await import('./build.ts');
  await import('./write-api.ts');
  await writeIncluded();
  const text = readFileSync(manifest, 'utf8');
  const { devDependencies: _, scripts: __, allowScripts: ___, ...rest } = JSON.parse(text) as Record<string, unknown>;
  // Node 22.10 and newer support `module-sync`, which works for both import and require.
  const exports = {
    '.': { types: './dist/index.d.ts', 'module-sync': './dist/index.js', default: './dist/unsupported.cjs' },
    './contrib': {
      types: './dist/contrib/index.d.ts',
      'module-sync': './dist/contrib/index.js',
      default: './dist/unsupported.cjs',
    },
    './package.json': './package.json',
  };
  writeFileSync(kept, text);
  writeFileSync(manifest, `${JSON.stringify({ ...rest, exports }, null, 2)}\n`);
}

const [step] = process.argv.slice(2);
if (step === 'prepare') await prepare();
else if (step === 'restore') restore();
else throw new Error(`usage: node scripts/pack.ts prepare|restore, called by npm pack`);
