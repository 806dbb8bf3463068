// Mutation check: small faults are planted in random lines, one after another, and the tests nearest to each must find it. Prints
// which kind of test did, and the faults that none found: read those, they are either a gap or make no difference.
//
//   node bench/mutations.ts                                ten faults each in src/hlo, compiler, tensor and jobs
//   node bench/mutations.ts --folders nn,optim --count 5 --seed 7
//   node bench/mutations.ts --files 100                    how many test files are tried for a fault, at most (default 60)
import './help.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { parseSync, Visitor } from 'rolldown/utils';
import { importsOf } from '../scripts/check-imports.ts';
import { isForTests } from '../scripts/test-files.ts';

const { values } = parseArgs({
  options: {
    folders: { type: 'string', default: 'hlo,compiler,tensor,jobs' },
    count: { type: 'string', default: '10' },
    seed: { type: 'string', default: `${Date.now() % 100_000}` },
    files: { type: 'string', default: '60' },
  },
});

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
const others: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

/** The faults that could be planted in a module. */
function editsOf(file: string, code: string): readonly Edit[] {
  const edits: Edit[] = [];
  const operator = (node: { readonly operator: string; readonly left: Edges; readonly right: Edges }): void => {
    const other = others[node.operator];
    const at = code.indexOf(node.operator, node.left.end);
    if (other !== undefined && at >= 0 && at < node.right.start)
      edits.push({ start: at, end: at + node.operator.length, text: other });
  };
  new Visitor({
    BinaryExpression: operator,
    LogicalExpression: operator,
    UnaryExpression(node) {
      if (node.operator === '!') edits.push({ start: node.start, end: node.argument.start, text: '' });
    },
    ConditionalExpression({ test }) {
      edits.push({ start: test.start, end: test.end, text: `!(${code.slice(test.start, test.end)})` });
    },
    ExpressionStatement({ expression, start, end }) {
      if (expression.type === 'CallExpression') edits.push({ start, end, text: ';' });
    },
    Literal({ value, start, end }) {
      if (typeof value === 'boolean') edits.push({ start, end, text: `${!value}` });
      else if (typeof value === 'number') edits.push({ start, end, text: `${value + 1}` });
    },
  }).visit(parseSync(file, code).program);
  return edits;
}
interface Edges {
  readonly start: number;
  readonly end: number;
}

/** Numbers below a limit, the same for the same seed. */
function drawer(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const root = join(import.meta.dirname, '..');
const copy = mkdtempSync(join(tmpdir(), 'trenio-mutations-'));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
// Where CI is set, failed tests are repeated.
const { CI: _, ...env } = process.env;
const kinds = [
  {
    kind: 'unit',
    project: 'unit*',
    isKind: (file: string) => !/^test\/|\.(?:native|system|campaign)\.test\.ts$/.test(file),
  },
  { kind: 'native', project: 'native*', isKind: (file: string) => file.endsWith('.native.test.ts') },
] as const;

/** The files that import each file. */
function importersOf(texts: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const pairs = [...texts].flatMap(([file, text]) => importsOf(text).map(path => [join(dirname(file), path), file]));
  return new Map([...Map.groupBy(pairs, ([to]) => to!)].map(([to, found]) => [to, found.map(([, from]) => from!)]));
}

/** The tests that import a file, directly or not, those over the fewest imports first. */
function testsNear(file: string, importers: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const reached = new Set([file]);
  for (const to of reached) for (const from of importers.get(to) ?? []) reached.add(from);
  return [...reached].filter(found => found.endsWith('.test.ts'));
}

/** The kind and the name of a test that finds the fault which is in the copy now. */
function finder(near: readonly string[]): { readonly kind: string; readonly test: string } | undefined {
  for (const { kind, project, isKind } of kinds) {
    const tests = near.filter(isKind);
    // The nearest few first: they find most.
    for (const some of [tests.slice(0, 8), tests.slice(8, Number(values.files))]) {
      if (some.length === 0) continue;
      const run = ['run', '--bail', '1', '--retry', '0', '--project', project, ...some];
      const { status, stdout, stderr } = spawnSync('vitest', run, { cwd: copy, encoding: 'utf8', env });
      if (status === 0) continue;
      const failed = /^ FAIL +(.*)$/m.exec(stripVTControlCharacters(stderr))?.[1];
      if (failed === undefined) throw new Error(`vitest does not run: ${stdout}${stderr}`);
      return { kind, test: failed };
    }
  }
  return undefined;
}

try {
  execFileSync('git', ['clone', '-q', '--shared', root, copy]);
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  execFileSync(process.execPath, ['scripts/write-surface.ts'], { cwd: copy, stdio: 'ignore' });
  const files = globSync('{src,scripts}/**/*.ts', { cwd: copy });
  const texts = new Map(files.map(file => [file, readFileSync(join(copy, file), 'utf8')]));
  const importers = importersOf(texts);
  const draw = drawer(Number(values.seed));
  const found = new Map<string, number>();
  console.log(`seed ${values.seed}`);
  for (const folder of values.folders.split(',')) {
    const modules = files.filter(
      file => file.startsWith(`src/${folder}/`) && !isForTests(file) && !dirname(file).endsWith('generated'),
    );
    const faults = modules.flatMap(file => editsOf(file, texts.get(file)!).map(edit => ({ file, edit })));
    if (faults.length === 0) throw new Error(`src/${folder} has no code; --folders are names of folders in src`);
    for (let n = 0; n < Number(values.count); n++) {
      const { file, edit } = faults[draw(faults.length)]!;
      const code = texts.get(file)!;
      writeFileSync(join(copy, file), code.slice(0, edit.start) + edit.text + code.slice(edit.end));
      const { kind, test } = finder(testsNear(file, importers)) ?? { kind: 'none', test: '' };
      writeFileSync(join(copy, file), code);
      found.set(kind, (found.get(kind) ?? 0) + 1);
      const line = code.slice(0, edit.start).split('\n').length;
      const what = `${code.slice(edit.start, edit.end).split('\n')[0]} → ${edit.text.split('\n')[0]}`;
      console.log(`${kind.padEnd(6)} ${file}:${line}: ${what}${test === '' ? '' : `\n       ${test}`}`);
    }
  }
  console.log([...found].map(([kind, count]) => `${kind} ${count}`).join(', '));
} finally {
  rmSync(copy, { recursive: true, force: true });
}
