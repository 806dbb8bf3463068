// The package as users install it: packed at the root, installed from the tarball, used from ES modules, CommonJS and strict
// TypeScript. Packed from a copy, because packing replaces the manifest that other tests read.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isForTests } from '../scripts/test-files.ts';
import { root, workFolder } from './system.ts';

const folder = workFolder();
const project = join(folder.path, 'project');
const tsc = join(root, 'node_modules', '.bin', 'tsc');
const environment = { PATH: process.env.PATH, HOME: folder.path, npm_config_update_notifier: 'false' };

const run = (command: string, args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, env: environment, encoding: 'utf8' });
  return { status, stdout, stderr };
};
const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', args, {
    cwd,
    env: { ...process.env, npm_config_update_notifier: 'false' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const write = (name: string, text: string): void => writeFileSync(join(project, name), text);

beforeAll(() => {
  const repository = join(folder.path, 'repository');
  mkdirSync(repository);
  const names = [
    'src',
    'contrib',
    'console',
    'scripts',
    'bin',
    'docs',
    'examples',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsconfig.contrib.json',
  ];
  for (const name of [...names, 'README.md', 'LICENSE', 'CHANGELOG.md'])
    cpSync(join(root, name), join(repository, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(repository, 'node_modules'));
  const before = readFileSync(join(repository, 'package.json'), 'utf8');
  const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder.path], repository)) as [
    { readonly filename: string },
  ];
  expect(readFileSync(join(repository, 'package.json'), 'utf8'), 'packing restores the manifest').toBe(before);
  mkdirSync(project);
  write('package.json', JSON.stringify({ name: 'user', private: true, type: 'module' }));
  npm(['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder.path, packed.filename)], project);
  for (const types of ['@types/node', 'undici-types']) {
    const link = join(project, 'node_modules', types);
    mkdirSync(join(link, '..'), { recursive: true });
    symlinkSync(join(root, 'node_modules', types), link);
  }
}, 600_000);
afterAll(() => folder[Symbol.dispose]());

const loop = `
const { device, nn, SGD, randn } = trenio;
device();
const layer = new nn.Linear(4, 1);
const optimizer = new SGD(layer.parameters(), { lr: 0.1 });
const x = randn([8, 4]);
let first, last;
for (let step = 0; step < 5; step++) {
  const loss = layer.forward(x).square().mean();
  loss.backward();
  trenio.optimizerStep(optimizer);
  last = loss.item();
  first ??= last;
}
console.log(last < first ? 'trained' : 'not trained');
`;

test('the package has all it needs and no test files', () => {
  const installed = join(project, 'node_modules', 'trenio');
  expect(readdirSync(installed).sort()).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'docs', 'examples', 'package.json'].sort(),
  );
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  expect(files.filter(name => isForTests(name) || (name.startsWith('dist') && /(?<!\.d)\.ts$/.test(name)))).toEqual([]);
});

test('an ES module trains', () => {
  write('loop.mjs', `import * as trenio from 'trenio';${loop}`);
  expect(run(process.execPath, ['loop.mjs'])).toEqual({ status: 0, stdout: 'trained\n', stderr: '' });
});

test('a TypeScript file trains, run by Node', () => {
  write(
    'loop.ts',
    `import * as trenio from 'trenio';${loop.replace('let first, last', 'let first = NaN, last = NaN').replace('first ??= last', 'if (step === 0) first = last')}`,
  );
  expect(run(process.execPath, ['loop.ts'])).toEqual({ status: 0, stdout: 'trained\n', stderr: '' });
});

test('CommonJS trains', () => {
  write('loop.cjs', `const trenio = require('trenio');${loop}`);
  expect(run(process.execPath, ['loop.cjs'])).toEqual({ status: 0, stdout: 'trained\n', stderr: '' });
});

test('the breadth of trenio/contrib is there, with types', () => {
  write(
    'contrib.ts',
    `import { Tensor, tensor } from 'trenio';
     import { distributions } from 'trenio/contrib';
     const gamma: distributions.Gamma = new distributions.Gamma(2, 4);
     const mean: Tensor = gamma.mean;
     console.log(mean.item(), distributions.klDivergence(gamma, gamma) instanceof Tensor, tensor([1]).shape);`,
  );
  expect(run(process.execPath, ['contrib.ts'])).toEqual({ status: 0, stdout: '0.5 true [ 1 ]\n', stderr: '' });
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--types', 'node'];
  expect(run(tsc, [...flags, 'contrib.ts'])).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('the command runs', () => {
  const { status, stdout } = run(join(project, 'node_modules', '.bin', 'trenio'), ['ls', '--json']);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toBeTypeOf('object');
});

describe('an older Node', () => {
  const message = 'Trenio needs Node.js 24 or newer, and this is Node.js ';
  // 18 does not know `module-sync`; 20 does, and lacks names that Node 24's modules have.
  describe.each(['18', '20'])('%s', version => {
    let node = '';
    beforeAll(() => {
      const old = join(folder.path, `node-${version}`);
      mkdirSync(old);
      npm(['install', '--prefer-offline', '--no-audit', '--no-fund', `node@${version}`], old);
      node = join(old, 'node_modules', 'node', 'bin', 'node');
      write('import.mjs', `import { tensor } from 'trenio'; tensor([1]);`);
      write('require.cjs', `const { tensor } = require('trenio'); tensor([1]);`);
    });
    test.each(['import.mjs', 'require.cjs'])('gets the required version from %s', script => {
      const { status, stderr } = run(node, [script]);
      expect(status).toBe(1);
      expect(stderr).toContain(`${message}${version}.`);
      expect(stderr).not.toContain('SyntaxError');
    });
    test('gets a one-line error from the command', () => {
      const { status, stderr } = run(node, [join('node_modules', 'trenio', 'dist', 'cli', 'main.js'), 'ls']);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^trenio: Trenio needs Node\.js 24[^\n]*\n$/);
    });
  });
});

test('a bundler without `module-sync` gets an error with a fix, and not about versions', () => {
  const { stderr } = run(process.execPath, [join('node_modules', 'trenio', 'dist', 'unsupported.cjs')]);
  expect(stderr).toContain('Mark trenio as external');
  expect(stderr).not.toContain('needs Node');
});

describe('strict TypeScript with declarations', () => {
  /** Every export, as a value, a result and an instance, which user declarations must be able to name. */
  function everyExport(): string {
    write(
      'exports.mjs',
      `import * as trenio from 'trenio';
       const lines = ["import * as T from 'trenio';", 'declare function result<F extends (...a: never[]) => unknown>(f: F): ReturnType<F>;'];
       const visit = (names, path, id) => {
         for (const [name, value] of Object.entries(names)) {
           if (value?.[Symbol.toStringTag] === 'Module') visit(value, path + '.' + name, id + name + '_');
           else {
             lines.push('export const v_' + id + name + ' = ' + path + '.' + name + ';');
             if (typeof value === 'function' && !Function.prototype.toString.call(value).startsWith('class'))
               lines.push('export const r_' + id + name + ' = result(' + path + '.' + name + ');');
           }
         }
       };
       visit(trenio, 'T', '');
       console.log(lines.join('\\n'));`,
    );
    return run(process.execPath, ['exports.mjs']).stdout;
  }
  test.each(['nodenext', 'bundler'])(
    'module resolution %s',
    resolution => {
      write('all.ts', everyExport());
      const options = {
        strict: true,
        target: 'esnext',
        module: resolution === 'bundler' ? 'esnext' : 'nodenext',
        moduleResolution: resolution,
        declaration: true,
        outDir: `out-${resolution}`,
        skipLibCheck: false,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        types: ['node'],
        lib: ['esnext'],
      };
      write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['all.ts'] }));
      const { status, stdout } = run(tsc, ['-p', '.']);
      expect(stdout).toBe('');
      expect(status).toBe(0);
      rmSync(join(project, `out-${resolution}`), { recursive: true });
    },
    // As long as a slow machine with other tests beside it takes.
    300_000,
  );
});
