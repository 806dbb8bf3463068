// A program is data: the C of a program with malicious names, locations and strings equals that of the same program with ordinary
// ones, except for comments.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { goldenPath } from '../../test/golden.testing.ts';
import { isTrenioError } from '../base/errors.ts';
import { readBytecode } from '../hlo/bytecode/read.ts';
import { opSamples } from '../hlo/op-samples.testing.ts';
import { type Func, type Module, moduleOf } from '../hlo/program.ts';
import { hostileTexts, planted, withHostileStrings, withOtherStrings } from '../hlo/text/hostile-strings.testing.ts';
import { parseModule } from '../hlo/text/parser.ts';
import { printModule } from '../hlo/text/printer.ts';
import { verify } from '../hlo/verifier.ts';
import { type CompiledProgram, compileToC, hostTarget, type Operators } from './index.ts';
import { testCompiler } from './testing/c-compiler.testing.ts';
import { codeOf } from './testing/c-text.testing.ts';
import { loosened } from './testing/loosen.testing.ts';

const target = hostTarget();
const folder = mkdtempSync(join(tmpdir(), 'trenio-hostile-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The compiled program; undefined if only the interpreter can run it. */
function compiled(module: Module, operators?: Operators): CompiledProgram | undefined {
  try {
    verify(module);
    return compileToC(module, target, operators);
  } catch (error) {
    if (isTrenioError(error)) return undefined;
    throw error;
  }
}
/** The function with arguments of unknown sizes, if that is possible. */
function looseOf(func: Func): readonly Func[] {
  try {
    return [loosened(func)];
  } catch (error) {
    if (isTrenioError(error)) return [];
    throw error;
  }
}
const textOf = (program: CompiledProgram): string => program.units.map(unit => unit.source).join('\n');
const codeOfProgram = (program: CompiledProgram): string => codeOf(textOf(program)).replace(/\s+/g, ' ');

/** Writes the C to the folder, and expects nothing in it that the strings of the program may have put there. */
function expectInert(program: CompiledProgram): void {
  for (const { name, source } of program.units) {
    expect(codeOf(source)).not.toContain('trenio_planted');
    expect(codeOf(source)).not.toContain('constructor');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these characters may be in the code
    expect(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.exec(source)).toBeNull();
    writeFileSync(join(folder, `${name}.c`), source);
  }
}

/** Expects the same code. Long comments may split it into more units. */
function expectSame(program: CompiledProgram, ordinary: CompiledProgram, hostile: string): void {
  if (hostile.length < 1000 || program.units.length === ordinary.units.length)
    expect(codeOfProgram(program)).toBe(codeOfProgram(ordinary));
}

const everywhere = [
  `module @m {
    func.func @main(%x: tensor<8x4xf32>, %p: tensor<i1>, %n: tensor<i32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
      %0 = stablehlo.exponential %x : tensor<8x4xf32>
      %1 = func.call @other(%0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
      %2 = "stablehlo.if"(%p) ({
        %4 = stablehlo.sine %1 : tensor<8x4xf32>
        stablehlo.return %4 : tensor<8x4xf32>
      }, {
        stablehlo.return %1 : tensor<8x4xf32>
      }) : (tensor<i1>) -> tensor<8x4xf32>
      %3 = stablehlo.custom_call @op(%2) {backend_config = "1 2.5", mhlo.sharding = "{replicated}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
      return %3, %3 : tensor<8x4xf32>, tensor<8x4xf32>
    }
    func.func private @other(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
      %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
      %1 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
      return %1 : tensor<8x4xf32>
    }
  }`,
  `module @m {
    func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
      %c = stablehlo.constant dense<4> : tensor<i32>
      %ok = stablehlo.compare GE, %n, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.custom_call @shape_assertion(%ok, %n) {error_message = "no {0}", api_version = 2 : i32, has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
      %0 = stablehlo.add %x, %y : tensor<?xf32>
      %1 = stablehlo.tanh %0 : tensor<?xf32>
      return %1 : tensor<?xf32>
    }
  }`,
];
const operators: Operators = new Map([['op', 'trenio_call_op']]);
/** The properties that the compiler depends on. */
const meant = /^@(?:op|shape_assertion)$|^"1 2\.5"$/;

describe('text', () => {
  const texts = [
    ...everywhere,
    ...opSamples()
      .filter((_sample, i) => i % 7 === 0)
      .flatMap(({ func }) => [func, ...looseOf(func)])
      .map(func => printModule(moduleOf(func))),
  ];
  const programs = texts.map(text => ({ text, ordinary: compiled(parseModule(text), operators) }));

  test.each(hostileTexts.map(text => [JSON.stringify(text.slice(0, 40)), text] as const))('%s', (_, hostile) => {
    let checked = 0;
    for (const { text, ordinary } of programs) {
      let changed: Module;
      try {
        changed = parseModule(withHostileStrings(text, place => (meant.test(place) ? undefined : hostile)));
      } catch (error) {
        if (!isTrenioError(error)) throw error;
        continue;
      }
      const program = compiled(changed, operators);
      if (program === undefined) continue;
      checked++;
      expectInert(program);
      if (ordinary !== undefined) expectSame(program, ordinary, hostile);
    }
    expect(checked).toBeGreaterThan(5);
  });

  test('the target of a custom operator', () => {
    for (const hostile of hostileTexts) {
      const text = `func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.custom_call @op(%x) {backend_config = "1 1e20 -0.5"} : (tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }`;
      const ordinary = compileToC(parseModule(text), target, new Map([['op', 'trenio_call_op']]));
      const module = parseModule(text);
      const op = module.functions[0]!.body.ops[0] as { attributes: object };
      op.attributes = { ...op.attributes, callTargetName: hostile };
      const program = compileToC(module, target, new Map([[hostile, 'trenio_call_op']]));
      expectInert(program);
      expect(codeOfProgram(program)).toBe(codeOfProgram(ordinary));
    }
  });
});

test('bytecode: strings of every kind, locations too', () => {
  for (const name of ['mlp_step', 'scan_and_while', 'dynamic_attention_2_5']) {
    const bytes = readFileSync(goldenPath(`jax/${name}/program.mlir.bc`));
    const ordinary = compiled(readBytecode(bytes));
    for (const hostile of hostileTexts) {
      // Strings that come from a file or are free names, not names with a meaning.
      const changed = withOtherStrings(bytes, text =>
        /\.py$|[/<>:() ]|^jit_|_fn$/.test(text) ? `${text}${hostile}` : text,
      );
      const program = compiled(readBytecode(changed));
      if (program === undefined || ordinary === undefined) continue;
      expectInert(program);
      expectSame(program, ordinary, hostile);
    }
  }
});

test('the C compiler sees the same code', () => {
  const directory = join(folder, 'compiled');
  for (const [i, text] of everywhere.entries()) {
    let next = 0;
    const module = parseModule(
      withHostileStrings(text, place => (meant.test(place) ? undefined : hostileTexts[next++ % hostileTexts.length]!)),
    );
    verify(module);
    const program = compileToC(module, target, operators);
    expect(textOf(program)).toContain('planted');
    program.units.forEach((unit, u) => {
      const file = `${directory}-${i}-${u}.c`;
      writeFileSync(file, unit.source);
      // Trigraphs are enabled, and a comment that continues on the next line is an error.
      execFileSync(testCompiler, [
        '-std=c11',
        '-D_GNU_SOURCE',
        '-trigraphs',
        '-Wcomment',
        '-Werror=comment',
        '-S',
        '-O0',
        '-w',
        '-Werror=comment',
        ...target.cflags,
        file,
        '-o',
        `${file}.s`,
      ]);
      expect(readFileSync(`${file}.s`, 'latin1')).not.toMatch(/init_array|trenio_planted/);
    });
  }
  expect(planted).toContain('constructor');
});

test('only one file writes comments with untrusted text', () => {
  // Comments written in the sources are complete; text inserted into a comment goes through `comment`.
  const filled = /\/[/*].*\$\{|['"`]\s*\/[/*]+\s*['"`]|\/[/*][^'"`]*['"`]\s*\+/;
  const found = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !/\.test\.ts$|testing|outside-text\.ts$/.test(file))
    .flatMap(file =>
      readFileSync(join(import.meta.dirname, file), 'utf8')
        .split('\n')
        .flatMap((line, i) => (filled.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
    );
  expect(found).toEqual([]);
});
