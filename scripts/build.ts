// The JavaScript and declarations of the package, in dist/: Node does not strip types under node_modules.
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole } from './build-console.ts';
import { bundle } from './bundle.ts';
import { isForTests } from './test-files.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
await bundle(dist);
await buildConsole(join(dist, 'console'));
// The entry point for Node before 22 and for bundlers, which cannot run the package.
writeFileSync(
  join(dist, 'unsupported.cjs'),
  `'use strict';
const message = 'Trenio needs Node.js 24 or newer and cannot be bundled, because it compiles and loads native code. ' +
  'This is ' + (typeof process === 'object' && process.versions && process.versions.node ? 'Node.js ' + process.versions.node : 'not Node.js') +
  '. With a bundler, mark trenio as external (esbuild: --external:trenio; Vite: ssr.external; webpack: externals).';
throw Object.assign(new Error(message), { stack: message });
`,
);

const stray = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(isForTests);
if (stray.length > 0) throw new Error(`the package would contain files that only tests need: ${stray.join(', ')}`);
