// How long the TypeScript compiler takes to check a user's script of 1,000 lines against the declarations of the package, as
// installed: node bench/type-check.ts [--runs 5] [--keep FOLDER]. The script is generated: modules, losses, loops, indexing.
import './help.ts';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bar } from './bars.ts';

const root = join(import.meta.dirname, '..');
const lines = 1000;
const barSeconds = 2;

/** Lines of one block of a script; each block has its own model, data and training loop. */
const block = (i: number): readonly string[] => [
  `class Model${i} extends nn.Module {`,
  `  conv = new nn.Conv2d(${1 + (i % 3)}, 8, 3, { padding: 1 });`,
  '  norm = new nn.BatchNorm2d(8);',
  `  fc = new nn.Linear(8 * 4 * 4, ${10 + i});`,
  `  drop = new nn.Dropout(0.${1 + (i % 8)});`,
  '  forward(x: Tensor): Tensor {',
  '    const h = this.norm.forward(this.conv.forward(x)).relu();',
  '    const pooled = nn.functional.maxPool2d(h, 2).flatten(1);',
  '    return this.fc.forward(this.drop.forward(pooled));',
  '  }',
  '}',
  `const model${i} = new Model${i}();`,
  `const criterion${i} = new nn.CrossEntropyLoss({ labelSmoothing: 0.1 });`,
  `const optimizer${i} = new AdamW(model${i}.parameters(), { lr: ${(i + 1) / 1000}, weightDecay: 0.01 });`,
  `const images${i} = randn([32, ${1 + (i % 3)}, 8, 8]);`,
  `const labels${i} = randint(0, ${10 + i}, [32]);`,
  `for (let epoch = 0; epoch < ${2 + i}; epoch++) {`,
  `  optimizer${i}.zeroGrad();`,
  `  const logits = model${i}.forward(images${i});`,
  `  const loss = criterion${i}.forward(logits, labels${i});`,
  '  loss.backward();',
  `  clipGradNorm_(model${i}.parameters(), 1);`,
  `  optimizer${i}.step();`,
  `  const correct = logits.argmax(1).eq(labels${i}).float().mean();`,
  '  console.log(epoch, loss.item(), correct.item());',
  '}',
  `const weights${i} = zeros([${2 + i}, ${3 + i}]).add(ones([${3 + i}])).mul(0.5);`,
  `const product${i} = weights${i}.matmul(randn([${3 + i}, ${4 + i}])).softmax(-1);`,
  `const first${i} = product${i}.at(0, slice(1, 3)).sum();`,
  `const [values${i}, indices${i}] = product${i}.topk(2, 1);`,
  `const masked${i} = values${i}.where(indices${i}.gt(0), zeros([1])).cumsum(1);`,
  `const joined${i} = cat([weights${i}, weights${i}.mul(2)], 0).transpose(0, 1).reshape([-1]);`,
  `const stacked${i} = stack([first${i}, joined${i}.mean(), masked${i}.max()]).unsqueeze(0).squeeze();`,
  `const scores${i} = noGrad(() => stacked${i}.exp().log().pow(2).clamp(0, 1).toArray());`,
  `const shape${i}: readonly number[] = joined${i}.shape;`,
  `console.log(scores${i}, shape${i}.length, stacked${i}.std().item());`,
];

/** A script of exactly 1,000 lines. */
export function userScript(): string {
  const head =
    "import { AdamW, cat, clipGradNorm_, nn, noGrad, ones, randint, randn, slice, stack, type Tensor, zeros } from 'trenio';";
  const body = Array.from({ length: Math.ceil(lines / block(0).length) }, (_, i) => block(i));
  const whole = body.slice(0, Math.floor((lines - 1) / block(0).length)).flat();
  const rest = Array.from({ length: lines - 1 - whole.length }, (_, i) => `export const note${i} = ${i};`);
  return `${[head, ...whole, ...rest].join('\n')}\n`;
}

/** A project that has the package installed: its declarations and its dependencies. */
function project(folder: string): void {
  const installed = join(folder, 'node_modules', 'trenio');
  mkdirSync(installed, { recursive: true });
  execFileSync(
    process.execPath,
    [tsc, '-p', join(root, 'tsconfig.build.json'), '--emitDeclarationOnly', '--outDir', join(installed, 'dist')],
    { cwd: root, stdio: 'inherit' },
  );
  const manifest = {
    name: 'trenio',
    version: '0.0.0',
    type: 'module',
    exports: { '.': { types: './dist/index.d.ts' } },
  };
  writeFileSync(join(installed, 'package.json'), JSON.stringify(manifest));
  for (const name of ['@types', '@bufbuild', 'zod', 'koffi', 'hyparquet', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const compilerOptions = { target: 'esnext', module: 'nodenext', types: ['node'], strict: true, noEmit: true };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: true }, files: ['script.ts'] }),
  );
  writeFileSync(join(folder, 'script.ts'), userScript());
}

const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

if (import.meta.main) {
  const { values } = parseArgs({
    options: { runs: { type: 'string', default: '5' }, keep: { type: 'string' } },
  });
  const folder = mkdtempSync(join(tmpdir(), 'trenio-type-check-'));
  try {
    project(folder);
    if (values.keep !== undefined) cpSync(folder, values.keep, { recursive: true, verbatimSymlinks: true });
    const seconds: number[] = [];
    let diagnostics = '';
    for (let i = 0; i < Number(values.runs); i++) {
      const start = performance.now();
      diagnostics = execFileSync(process.execPath, [tsc, '-p', folder, '--extendedDiagnostics'], { encoding: 'utf8' });
      seconds.push((performance.now() - start) / 1000);
    }
    seconds.sort((a, b) => a - b);
    const median = seconds[Math.floor(seconds.length / 2)]!;
    const facts = /(?:Types|Instantiations|Memory used|Check time): .*/g;
    console.log(`type-checking ${lines} lines: ${seconds.map(s => s.toFixed(2)).join(', ')} s`);
    for (const line of diagnostics.match(facts) ?? []) console.log(`  ${line}`);
    bar({
      what: `type-checking a script of ${lines} lines`,
      measured: median,
      unit: 's',
      kind: 'at most',
      limit: barSeconds,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
