// The TypeScript generated from the table: the abstract class of methods, the free functions, the options.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { absentNames } from '../../src/tensor/surface/absent.ts';
import { groups } from '../../src/tensor/surface/index.ts';
import { type Form, type Namespace, nameIn, namespaces, type Row } from '../../src/tensor/surface/row.ts';
import { optionInterfaces, type Place, signatures } from './signatures.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The text as formatted by biome, repeated until it is stable; some signatures take two passes. */
export function formatted(path: string, text: string): string {
  const once = formattedOnce(path, text);
  return once === text ? text : formatted(path, once);
}
function formattedOnce(path: string, text: string): string {
  const biome = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));
  // The files themselves are not in git, and biome leaves those as they are.
  const asIfInGit = path.replace('/generated/', '/');
  const run = spawnSync(process.execPath, [biome, 'check', '--write', `--stdin-file-path=${asIfInGit}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  });
  if (run.status !== 0 || run.stdout === '') throw new Error(`biome could not format ${path}:\n${run.stderr}`);
  return run.stdout;
}

export const made = 'Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.';
export const importsOf = (body: string, from = '../surface'): string =>
  groups
    .filter(({ constant }) => new RegExp(`\\b${constant}\\.`).test(body))
    .map(({ file, constant }) => `import { ${constant} } from '${from}/rows/${file}.ts';`)
    .join('\n');
const reserved = new Set(['var', 'delete', 'in', 'new', 'void', 'switch', 'default']);

interface Callable {
  readonly name: string;
  readonly row: Row;
  /** The row in the generated code: `arithmetic.add`. */
  readonly path: string;
}
function callables(form: Form): readonly Callable[] {
  return groups.flatMap(({ constant, rows }) =>
    Object.values(rows)
      .filter(row => row.forms.includes(form))
      .flatMap(row => namesOf(row, form).map(name => ({ name, row, path: `${constant}.${row.name}` }))),
  );
}
const namesOf = (row: Row, form: Form): readonly string[] =>
  (namespaces as readonly Form[]).includes(form) ? [nameIn(form as Namespace, row)] : [row.name, ...row.aliases];
const namesIn = (text: string, names: readonly string[]): string[] =>
  names.filter(name => new RegExp(`\\b${name}\\b`).test(text));
const optionNames = (): string[] =>
  groups.flatMap(({ rows }) =>
    Object.values(rows).flatMap(row =>
      [...optionInterfaces(row).matchAll(/export interface (\w+)/g)].map(match => match[1]!),
    ),
  );

export function optionsText(): string {
  const body = groups
    .flatMap(({ rows }) => Object.values(rows))
    .map(optionInterfaces)
    .filter(text => text !== '')
    .join('\n');
  const types = namesIn(body, ['Device', 'DType', 'Scalar']);
  const from = { Device: '../device.ts', DType: '../types/dtype.ts', Scalar: '../lower/elementwise.ts' } as Readonly<
    Record<string, string>
  >;
  const heads = types.map(name => `import type { ${name} } from '${from[name]}';`);
  return formatted(
    'src/tensor/generated/options.ts',
    `// The named arguments of methods and functions. ${made}\n${heads.join('\n')}\n\n${body}`,
  );
}

const overloads = (c: Callable, place: Place, name: string): string =>
  signatures(c.row, place, place === 'function' ? 'Tensor' : 'T')
    .map(
      s =>
        `${s.documentation}\n${place === 'function' ? 'export function ' : ''}${name}(${s.parameters}): ${s.result};`,
    )
    .join('\n');

export function methodsText(): string {
  const methods = callables('method').map(
    c =>
      `${overloads(c, 'method', c.name)}\n${c.name}(...args: readonly unknown[]): unknown { return call(${c.path}, this, args); }`,
  );
  const inPlace = callables('inPlace').map(
    c =>
      `${overloads(c, 'inPlace', `${c.name}_`)}\n${c.name}_(...args: readonly unknown[]): this { return callInPlace(${c.path}, this, args); }`,
  );
  const body = [...methods, ...inPlace, absentMembers()].join('\n\n');
  return formatted(
    'src/tensor/generated/methods.ts',
    `// The methods of tensors that are rows of the table. ${made}
import { call, callInPlace } from '../surface/call.ts';
${importsOf(body)}
${typeImports(body)}
import { Traced } from '../traced.ts';

/** Methods generated from the table; \`T\` is the tensor class. */
export abstract class TensorMethods<T extends Traced> extends Traced {
${body}
}
`,
  );
}

/** Missing members, marked as deprecated with their replacements, so that editors show them. */
function absentMembers(): string {
  const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return absentNames
    .filter(({ name }) => name.startsWith('Tensor.'))
    .map(({ name, instead }) => {
      const member = camelCase(name.slice('Tensor.'.length));
      return `/** @deprecated There is no \`${name}\` here: ${instead}. */\ndeclare readonly ${member}: never;`;
    })
    .join('\n');
}

/** The nn.functional name of a row, if it has one. */
export const functionalText = (): string => freeFunctions('functional', 'The functions of nn.functional');
export const functionsText = (): string => freeFunctions('function', 'The free functions');
export const namespaceText = (namespace: Namespace): string =>
  freeFunctions(namespace, `The functions of the namespace ${namespace}`);
/** For rows that create tensors without a tensor argument. */
const makerOf = (row: Row): string =>
  row.variants.some(({ computation }) => computation.kind === 'run') ? ', Tensor.prototype' : '';
function freeFunctions(form: 'function' | 'functional' | Namespace, what: string): string {
  const functions = callables(form).map(c => {
    const name = reserved.has(c.name) ? `${c.name}_` : c.name;
    const text = `${overloads(c, 'function', name)}\nexport function ${name}(...args: readonly unknown[]): unknown { return call(${c.path}, undefined, args${makerOf(c.row)}); }`;
    return reserved.has(c.name)
      ? `${text.replaceAll(/^export function/gm, 'function')}\nexport { ${name} as ${c.name} };`
      : text;
  });
  const body = functions.join('\n\n');
  return formatted(
    `src/tensor/generated/${form === 'function' ? 'functions' : form}.ts`,
    `// ${what} that are rows of the table. ${made}
import { call } from '../surface/call.ts';
${importsOf(body)}
${typeImports(body)}
import ${/, Tensor\.prototype\)/.test(body) ? '' : 'type '}{ Tensor } from '../tensor.ts';

${body}
`,
  );
}
function typeImports(body: string): string {
  const options = namesIn(body, optionNames());
  return [
    options.length === 0 ? '' : `import type { ${options.join(', ')} } from './options.ts';`,
    /\bDevice\b/.test(body) ? "import type { Device } from '../device.ts';" : '',
    /\bDType\b/.test(body) ? "import type { DType } from '../types/dtype.ts';" : '',
    /\bScalar\b/.test(body) ? "import type { Scalar } from '../lower/elementwise.ts';" : '',
  ].join('\n');
}
