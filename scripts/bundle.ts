// The package's own JavaScript as a few files instead of 1,300: Node takes 0.4 ms a module to find, read and link it, in every
// rank, worker and server (docs/decisions/0016-bundle.md). Packages of others stay imports. A module that names its own place
// finds its neighbors where they were: `import.meta` says what it would if each module were a file of the bundle.
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { type OutputOptions, type Plugin, type RolldownBuild, rolldown } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';
import { builtIdentity, compilerIdentity } from '../src/runtime/toolchain/compiler-identity.ts';
import { isForTests } from './test-files.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src');

/** `src/a/b.ts` is `a/b`. */
const nameOf = (file: string): string => relative(source, file).split(sep).join('/').replace(/\.ts$/, '');
/** The file of an entry. `contrib/` is beside `src/`, and in it once published. */
const fileOf = (entry: string): string => join(entry.startsWith('contrib/') ? root : source, `${entry}.ts`);

/**
 * The modules that keep a file of their own, without extension: the public ones, and every module that another names by its
 * place (starts as a process or a worker), or that names itself (its exports are imported again in workers).
 */
export function entriesOf(): readonly string[] {
  // base/require-node is evaluated before all chunks: they may need a newer Node than the one that loads them.
  const entries = new Set(['base/require-node', 'index', 'cli/main', 'contrib/index']);
  const files = globSync('**/*.ts', { cwd: source }).map(file => file.split(sep).join('/'));
  const sources = new Set(files.filter(file => !isForTests(file)));
  for (const file of sources) {
    const text = readFileSync(join(source, file), 'utf8');
    if (!text.includes('import.meta')) continue;
    if (/^export(?:Shared)?ToWorkers\(import\.meta\.url/m.test(text)) entries.add(file.replace(/\.ts$/, ''));
    for (const [, named] of text.matchAll(/\bneighbor\(import\.meta\.url, '([\w./-]+)\.ts'\)/g)) {
      const neighbor = posix.join(posix.dirname(file), named!);
      if (!sources.has(`${neighbor}.ts`)) throw new Error(`${file} names ${neighbor}.ts, which does not exist`);
      entries.add(neighbor);
    }
  }
  return [...entries].sort();
}

/** Replaces `import.meta.url`, `.filename` and `.dirname` by those of a file at the module's own place in the bundle. */
const ownPlaces: Plugin = {
  name: 'own-places',
  transform(code, id) {
    if (!id.startsWith(source) || !code.includes('import.meta.')) return null;
    const { program } = parseSync(id, code);
    let replaced = code;
    const places: { readonly start: number; readonly end: number; readonly kind: string }[] = [];
    new Visitor({
      MemberExpression({ object, property, start, end }) {
        if (object.type !== 'MetaProperty' || property.type !== 'Identifier') return;
        if (!['url', 'filename', 'dirname'].includes(property.name))
          throw new Error(`${id}: import.meta.${property.name}`);
        places.push({ start, end, kind: property.name });
      },
    }).visit(program);
    for (const { start, end, kind } of places.reverse())
      replaced = `${replaced.slice(0, start)}__place_${kind}('${nameOf(id)}')${replaced.slice(end)}`;
    return { code: replaced };
  },
  renderChunk(code, chunk) {
    if (!code.includes('__place_')) return null;
    return {
      code: code.replaceAll(/__place_(url|filename|dirname)\(["'`]([\w/-]+)["'`]\)/g, (_, kind, name) => {
        const file = posix.relative(posix.dirname(chunk.fileName), `${name}.js`);
        if (kind === 'url') return `new URL(${JSON.stringify(file)}, import.meta.url).href`;
        return `(import.meta.dirname + ${JSON.stringify(`/${kind === 'filename' ? file : posix.dirname(file)}`)})`;
      }),
    };
  },
};

/**
 * Turns names that are imported from Node's own modules into properties. A name that an older Node lacks would be a syntax error
 * of the package, before base/require-node.ts can say which version is needed.
 */
const linkedByOlderNodes: Plugin = {
  name: 'linked-by-older-nodes',
  transform(code, id) {
    if (!id.startsWith(source) || !code.includes("'node:")) return null;
    const { program } = parseSync(id, code);
    let replaced = code;
    for (const [i, statement] of [...program.body.entries()].reverse()) {
      if (statement.type !== 'ImportDeclaration' || !statement.source.value.startsWith('node:')) continue;
      if (statement.importKind === 'type') continue;
      const names = statement.specifiers.flatMap(specifier =>
        specifier.type === 'ImportSpecifier' && specifier.importKind !== 'type' ? [specifier] : [],
      );
      if (names.length === 0) continue;
      const properties = names.map(({ imported, local }) =>
        imported.type === 'Literal' || imported.name === local.name ? local.name : `${imported.name}: ${local.name}`,
      );
      const module = `import builtin${i} from '${statement.source.value}'; const { ${properties.join(', ')} } = builtin${i};`;
      replaced = replaced.slice(0, statement.start) + module + replaced.slice(statement.end);
    }
    return { code: replaced };
  },
};

/** @param accepted the codes of warnings that are no fault */
const open = (entries: readonly string[], accepted: readonly string[] = []): Promise<RolldownBuild> =>
  rolldown({
    input: Object.fromEntries(entries.map(entry => [entry, fileOf(entry)])),
    cwd: root,
    platform: 'node',
    external: id => !/^(?:\.{0,2}\/|@oxc-project\/|\0)/.test(id),
    plugins: [ownPlaces, linkedByOlderNodes],
    // As they were written: modules with effects, names of classes, the exports of an entry.
    treeshake: false,
    preserveEntrySignatures: 'allow-extension',
    // An older Node must get as far as base/node-version.ts.
    transform: { target: 'es2024' },
    onLog: (level, log) => {
      if (level === 'warn' && !accepted.includes(log.code ?? '')) throw new Error(`the bundle: ${log.message}`);
    },
  });

const output = {
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  keepNames: true,
  // Only ASCII: V8 keeps the text of a module, with two bytes a character otherwise. Declarations have the docstrings.
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
} as const satisfies OutputOptions;

/** Writes what the JavaScript reads from its own folder: C sources, and the identity of the compiler, that of the sources. */
function writeCompanions(folder: string): void {
  for (const native of ['runtime/native', 'data/native'])
    cpSync(join(source, native), join(folder, native), { recursive: true });
  writeFileSync(join(folder, builtIdentity), compilerIdentity());
}

/** Writes the bundle and what it reads into `folder`, where each entry keeps its name and place. */
export async function bundle(folder: string): Promise<void> {
  await using build = await open(entriesOf());
  await build.write({ dir: folder, ...output });
  writeCompanions(folder);
}

/**
 * The same chunks, but every module of the sources also has a file with its name and place, which passes its exports on:
 * whatever a test starts or imports by its place comes from the bundle.
 */
export async function bundleForTests(folder: string): Promise<void> {
  await using published = await open(entriesOf());
  const { output: chunks } = await published.generate(output);
  const chunkOf = new Map(
    chunks.flatMap(chunk =>
      chunk.type === 'chunk' ? chunk.moduleIds.map(id => [id, posix.basename(chunk.fileName, '.js')] as const) : [],
    ),
  );
  const modules = globSync('**/*.ts', { cwd: source }).filter(file => !isForTests(file) && !file.endsWith('.d.ts'));
  const names = modules.map(file => nameOf(join(source, file))).sort();
  // Some modules are imported lazily by one entry and at once by another.
  await using build = await open(names, ['INEFFECTIVE_DYNAMIC_IMPORT']);
  await build.write({
    dir: folder,
    ...output,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'as published', name: id => chunkOf.get(id) ?? null }],
    },
  });
  writeCompanions(folder);
}

if (import.meta.main) await bundle(process.argv[2] ?? join(root, 'dist'));
