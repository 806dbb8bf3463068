// Counts the compiled functions of a program that is similar to one compiled before.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../../base/logger.ts';
import { compileToC, hostTarget, targetOf } from '../../compiler/index.ts';
import { Builder } from '../../hlo/builder.ts';
import { moduleKey } from '../../hlo/func-key.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { bytesOf, literal } from '../../hlo/literal.ts';
import { type Module, moduleOf } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { quiet, temporaryDirectory, testHost } from '../engine.testing.ts';
import { startScript } from '../processes.testing.ts';
import { step, width } from '../steps.testing.ts';
import { findCompiler } from '../toolchain/c-compiler.ts';
import { libraryName, listEntries, verifyEntry } from '../toolchain/cache-entries.ts';
import { CompileCache } from '../toolchain/compile-cache.ts';
import { HostBuffer } from './buffer.ts';
import { compileProgram } from './compile-program.ts';
import { loadLibrary } from './native-program.ts';

const compiler = findCompiler();
const compile = (cache: CompileCache, module: Module) =>
  compileProgram(
    { cache, compiler },
    { module, operators: new Map(), moduleKey: moduleKey(module), target: hostTarget() },
  );
const counts = (cache: CompileCache, module: Module) => compile(cache, module).library.functions;
const keysOf = (module: Module): readonly string[] => compileToC(module, hostTarget()).text!.functions.map(f => f.key);
/** The functions that must be compiled for a program after these others. */
const expected = (module: Module, ...before: readonly Module[]): { compiled: number; kept: number } => {
  const known = new Set(before.flatMap(keysOf));
  const keys = keysOf(module);
  const kept = keys.filter(key => known.has(key)).length;
  return { compiled: keys.length - kept, kept };
};
const objects = (directory: string): string[] => readdirSync(directory).filter(name => name.startsWith('object-'));

describe('functions are compiled once', () => {
  test('another batch size compiles the functions that depend on it; another constant, its kernel; another depth, nothing', () => {
    using directory = temporaryDirectory();
    const cache = new CompileCache(directory.path, quiet);
    const [base, batch] = [step(48), step(96)];
    expect(counts(cache, base)).toEqual(expected(base));
    const another = counts(cache, batch);
    expect(another).toEqual(expected(batch, base));
    // At least the update, and the functions that the multiply calls.
    expect(another.kept).toBeGreaterThanOrEqual(2);
    const constant = counts(cache, step(96, { rate: 0.2 }));
    expect(constant).toEqual({ compiled: 1, kept: another.compiled + another.kept - 1 });
    // As another process would.
    const other = new CompileCache(directory.path, quiet);
    const deep = step(96, { layers: 2 });
    expect(counts(other, deep)).toEqual({ compiled: 0, kept: keysOf(deep).length });
    expect(compile(other, deep).library).toMatchObject({ fromCache: true });
    expect(counts(other, step(48, { rate: 0.2 })).compiled).toBe(0);
    // Each entry has all of its sources, and none of the others.
    const { path } = compile(other, batch).library;
    const texts = readdirSync(join(path, '..')).filter(name => name.endsWith('.c'));
    expect(texts.toSorted()).toEqual(['kept.c', 'kernels0.c', 'step.c'].toSorted());
    expect(listEntries(directory.path).map(entry => verifyEntry(directory.path, entry))).not.toContain('damaged');
  });

  test('a library linked from cached functions computes the correct result', () => {
    using directory = temporaryDirectory();
    using host = testHost(directory.path);
    for (const [batch, options] of [
      [32, {}],
      [48, {}],
      [48, { rate: 0.5, layers: 3 }],
    ] as const) {
      const module = step(batch, options);
      const inputs = [batch, width].map((rows, i) =>
        literal(
          'f32',
          [rows, width],
          Float32Array.from({ length: rows * width }, (_, at) => Math.sin(at + i) / 4),
        ),
      );
      const { library, description } = compile(host.cache, module);
      const { executable } = loadLibrary(host, description, library, 0);
      const results = executable.run(inputs.map(({ type, data }) => HostBuffer.copyOf(type, bytesOf({ type, data }))));
      const wanted = interpret(module, inputs);
      results.forEach((buffer, i) => {
        buffer.wait();
        const got = new Float32Array(buffer.copyToHost().buffer);
        const want = wanted[i]!.data as Float32Array;
        expect(Math.max(...got.map((v, at) => Math.abs(v - want[at]!)))).toBeLessThan(1e-5);
      });
    }
  });

  test('a damaged object is compiled again, and replaced', () => {
    using directory = temporaryDirectory();
    const warnings: string[] = [];
    const log = createLogger('warn', line => warnings.push(line));
    const cache = new CompileCache(directory.path, log);
    const { library } = compile(cache, step(32));
    for (const name of objects(directory.path)) {
      const file = join(directory.path, name);
      const content = readFileSync(file);
      content[content.length >> 1] = content[content.length >> 1]! ^ 1;
      writeFileSync(file, content);
    }
    rmSync(library.path);
    expect(counts(cache, step(32))).toEqual(expected(step(32)));
    expect(warnings.join('\n')).toMatch(/compiled functions in .* are damaged; compiling them again/);
    const states = listEntries(directory.path).map(entry => verifyEntry(directory.path, entry));
    expect(new Set(states)).toEqual(new Set(['whole']));
    expect(counts(cache, step(48))).toEqual(expected(step(48), step(32)));
  });

  test('objects of other versions or of unknown origin are ignored', () => {
    using directory = temporaryDirectory();
    writeFileSync(join(directory.path, `object-${'ab'.repeat(32)}`), 'what is this?\n{"functions": 3}\n');
    writeFileSync(join(directory.path, `object-${'cd'.repeat(32)}`), '');
    expect(counts(new CompileCache(directory.path, quiet), step(32)).kept).toBe(0);
  });

  test('without its library a program is linked again, and only the step is compiled', () => {
    using directory = temporaryDirectory();
    const cache = new CompileCache(directory.path, quiet);
    const { library } = compile(cache, step(32));
    rmSync(library.path);
    expect(counts(cache, step(32))).toEqual({ compiled: 0, kept: library.functions.compiled });
    expect(readdirSync(join(library.path, '..'))).toContain(libraryName);
  });

  test('objects are removed like other entries when the cache exceeds its limit', () => {
    using directory = temporaryDirectory();
    counts(new CompileCache(directory.path, quiet), step(32));
    expect(objects(directory.path)).not.toEqual([]);
    const small = new CompileCache(directory.path, quiet, undefined, 100);
    expect(counts(small, step(48)).kept).toBe(0);
  });

  test('a read-only directory serves its entries', () => {
    using directory = temporaryDirectory();
    using elsewhere = temporaryDirectory();
    const { library } = compile(new CompileCache(directory.path, quiet), step(32));
    chmodSync(directory.path, 0o555);
    try {
      const cache = new CompileCache(directory.path, quiet, elsewhere.path);
      expect(compile(cache, step(32)).library).toMatchObject({ path: library.path, fromCache: true });
      expect(counts(cache, step(48))).toEqual(expected(step(48), step(32)));
    } finally {
      chmodSync(directory.path, 0o755);
    }
  });

  test('processes that compile programs with the same functions at the same time', async () => {
    using directory = temporaryDirectory();
    const script = (batch: number): string => `
      import { createLogger } from '${new URL('../../base/logger.ts', import.meta.url)}';
      import { hostTarget } from '${new URL('../../compiler/index.ts', import.meta.url)}';
      import { findCompiler } from '../toolchain/c-compiler.ts';
      import { CompileCache } from '../toolchain/compile-cache.ts';
      import { compileProgram } from './compile-program.ts';
      import { step } from '../steps.testing.ts';
      const host = { cache: new CompileCache(${JSON.stringify(directory.path)}, createLogger('silent')), compiler: findCompiler() };
      const source = { module: step(${batch}), operators: new Map(), moduleKey: 'batch ${batch}', target: hostTarget() };
      console.log(JSON.stringify(compileProgram(host, source).library.functions));`;
    const children = [48, 96, 48].map(batch => startScript(import.meta.url, script(batch)));
    const outcomes = await Promise.all(children.map(child => child.outcome));
    for (const { status, stderr } of outcomes) expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const states = listEntries(directory.path).map(entry => `${entry.kind} ${verifyEntry(directory.path, entry)}`);
    expect(new Set(states)).toEqual(new Set(['library whole', 'program whole', 'object whole']));
    expect(states.filter(state => state.startsWith('library'))).toHaveLength(2);
    // A third program uses their entries.
    const later = await startScript(import.meta.url, script(144)).outcome;
    expect(JSON.parse(later.stdout).kept).toBeGreaterThan(0);
  });
});

test('functions with equal keys have equal symbols, also if functions with other names have the same code', () => {
  const target = targetOf('amx');
  const symbols = new Map<string, string>();
  const product = (rows: number): Module => {
    const b = new Builder();
    const x = b.argument(tensorType('bf16', [rows, 256]), 0);
    const w = b.argument(tensorType('bf16', [256, 256]), 1);
    const dims = { lhsBatchingDimensions: [], rhsBatchingDimensions: [] };
    const y = b.dotGeneral(x, w, { ...dims, lhsContractingDimensions: [1], rhsContractingDimensions: [0] });
    return moduleOf({ name: 'main', body: { args: [x, w], ops: b.ops, results: [y] }, aliases: [undefined] });
  };
  for (const rows of [8, 24, 32, 48, 256])
    for (const { key, symbol } of compileToC(product(rows), target).text!.functions) {
      expect(symbols.get(key) ?? symbol).toBe(symbol);
      symbols.set(key, symbol);
    }
});
