// The package as it is published, in dist/: Node does not strip types under node_modules, so there the sources are
// JavaScript with declarations beside them. `npm run build && npm publish dist`.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isForTests } from './test-files.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
for (const path of ['bin', 'README.md', 'LICENSE', 'CHANGELOG.md', 'src/runtime/native']) {
  cpSync(join(root, path), join(dist, path), { recursive: true });
}
const {
  devDependencies: _,
  scripts: __,
  allowScripts: ___,
  ...manifest
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
const exports = { '.': { types: './src/index.d.ts', default: './src/index.js' }, './package.json': './package.json' };
writeFileSync(join(dist, 'package.json'), `${JSON.stringify({ ...manifest, exports }, null, 2)}\n`);

const stray = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(isForTests);
if (stray.length > 0) throw new Error(`the package would hold what is for tests alone: ${stray.join(', ')}`);
