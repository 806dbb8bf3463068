// The JavaScript and declarations of the package, in dist/: Node does not strip types under node_modules.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { oldestNode, tooOldText } from '../src/base/node-version.ts';
import { buildConsole } from './build-console.ts';
import { bundle } from './bundle.ts';
import { isForTests } from './test-files.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
// The declarations of contrib/, which are in dist/ beside those of src/.
const declarations = join(dist, 'with-contrib');
execFileSync('tsc', ['-p', 'tsconfig.contrib.json', '--outDir', declarations], { cwd: root, stdio: 'inherit' });
for (const name of readdirSync(join(declarations, 'contrib'), { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue;
  const text = readFileSync(join(declarations, 'contrib', name), 'utf8').replaceAll('../src/', '../');
  mkdirSync(dirname(join(dist, 'contrib', name)), { recursive: true });
  writeFileSync(join(dist, 'contrib', name), text);
}
rmSync(declarations, { recursive: true });
await bundle(dist);
await buildConsole(join(dist, 'console'));
// The entry point for bundlers, which cannot run the package, and for versions of Node that do not know `module-sync`. Those find
// the names of a CommonJS module by reading it: without them, an import would fail before the message.
const entries = await Promise.all(
  ['index.js', 'contrib/index.js'].map(entry => import(join(dist, entry)) as Promise<object>),
);
const names = [...new Set(entries.flatMap(Object.keys))].filter(name => name !== 'default');
writeFileSync(
  join(dist, 'unsupported.cjs'),
  `'use strict';
const node = typeof process === 'object' && process.versions && process.versions.node;
const tooOld = ${JSON.stringify(tooOldText('VERSION'))}.replace('VERSION', node);
const bundled = 'Trenio cannot be bundled, because it compiles and loads native code. Mark trenio as external ' +
  '(esbuild: --external:trenio; Vite: ssr.external; webpack: externals).';
const message = node && parseInt(node, 10) < ${oldestNode} ? tooOld : bundled;
throw Object.assign(new Error(message), { stack: message });
${names.map(name => `exports.${name} = 0;`).join('\n')}
`,
);

const stray = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(isForTests);
if (stray.length > 0) throw new Error(`the package would contain files that only tests need: ${stray.join(', ')}`);
