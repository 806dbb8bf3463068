// For tests and measurements: takes malicious programs, as text and as portable artifacts, through all
// stages of opening a program: read, verified, printed, interpreted, rendered as a graph, compiled to C. Only a TrenioError may
// be thrown, and no text of the program may become code. The long version: bench/hlo-fuzz.ts.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTrenioError } from '../../base/errors.ts';
import { readBytecode } from '../../hlo/bytecode/read.ts';
import { costOfModule } from '../../hlo/cost.ts';
import { requireInlinable } from '../../hlo/inlined-size.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { opSamples } from '../../hlo/op-samples.testing.ts';
import { type Func, type Module, mainOf, moduleOf } from '../../hlo/program.ts';
import { sampleLiteral } from '../../hlo/sample-literal.testing.ts';
import { hostileText, withHostileStrings, withOtherStrings } from '../../hlo/text/hostile-strings.testing.ts';
import { mutated, type Random } from '../../hlo/text/mutations.testing.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { printModule } from '../../hlo/text/printer.ts';
import { dynamicDim, elementCount, type Type } from '../../hlo/types.ts';
import { verify } from '../../hlo/verifier.ts';
import { forEachOp } from '../../hlo/walk.ts';
import { type CompiledProgram, compilerFlags, compileToC, explainProgram, hostTarget } from '../index.ts';
import { testCompiler } from './c-compiler.testing.ts';
import { codeOf } from './c-text.testing.ts';
import { loosened } from './loosen.testing.ts';

type Source = string | Uint8Array;

export interface Corpus {
  readonly texts: readonly string[];
  readonly artifacts: readonly Uint8Array[];
}

/** Longer programs take longer and find no additional errors. */
const longest = 50_000;

/** The samples of all ops in both forms of text, with known and unknown sizes, and the programs of a folder of artifacts. */
export function corpusOf(artifacts: string, more: readonly string[] = []): Corpus {
  const funcs = opSamples().flatMap(({ func }) => {
    try {
      return [func, loosened(func)];
    } catch (error) {
      if (isTrenioError(error)) return [func];
      throw error;
    }
  });
  const called = (func: Func): Module => moduleOf(func, { name: 'step', functions: [{ ...func, name: 'other' }] });
  const texts = funcs.flatMap((func, i) => [
    printModule(i % 4 === 0 ? called(func) : moduleOf(func)),
    printModule(moduleOf(func), { form: 'generic' }),
  ]);
  const files = readdirSync(artifacts)
    .map(name => join(artifacts, name, 'program.mlir.bc'))
    .filter(file => existsSync(file))
    .map(file => readFileSync(file));
  const short = [...texts, ...more].filter(text => text.length <= longest);
  return { texts: short, artifacts: files.filter(bytes => bytes.length <= longest / 5) };
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** A program from the corpus with hostile strings, random edits, or both. */
export function hostileProgram(random: Random, corpus: Corpus): Source {
  const edits = random() < 0.5;
  const share = pick(random, [0, 0.05, 0.3, 1]);
  const next = (): string | undefined => (random() < share ? hostileText(random) : undefined);
  if (random() < 0.75) {
    const text = pick(random, corpus.texts);
    const hostile = share === 0 ? text : withHostileStrings(text, next);
    return edits || share === 0 ? mutated(random, hostile) : hostile;
  }
  const artifact = pick(random, corpus.artifacts);
  // Most strings of an artifact are op names, so few are changed; otherwise no program could be read.
  const isFree = (text: string): boolean => /\.py$|[/<>:() ]/.test(text);
  const bytes =
    share === 0
      ? Uint8Array.from(artifact)
      : withOtherStrings(artifact, text => (isFree(text) || random() < 0.01 ? (next() ?? text) : text));
  if (edits)
    for (let n = 1 + Math.floor(random() * 4); n > 0; n--)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  return bytes;
}

const isSmall = (type: Type): boolean => type.kind !== 'tensor' || elementCount(type.shape.map(Math.abs)) <= 2000;

/** Programs that would be slow to interpret are not interpreted, because their results do not matter here. */
function isQuick(module: Module): boolean {
  let quick = module.numReplicas * module.numPartitions <= 4;
  for (const func of module.functions) {
    quick &&= func.body.args.every(v => isSmall(v.type));
    forEachOp(func.body, op => {
      quick &&= op.results.every(v => isSmall(v.type));
      quick &&= !JSON.stringify(op.attributes, (_, value) => (ArrayBuffer.isView(value) ? 0 : value)).match(/\d{5,}/);
    });
  }
  try {
    return quick && costOfModule(module).total.count < 2000;
  } catch (error) {
    if (isTrenioError(error)) return false;
    throw error;
  }
}

function interpreted(module: Module): void {
  const main = mainOf(module);
  requireInlinable(main.name, main.body, module.functions);
  const inputs = main.body.args.map(({ type }, i) => {
    if (type.kind !== 'tensor') return undefined;
    return sampleLiteral(
      type.elementType,
      type.shape.map(d => (d === dynamicDim ? 3 : d)),
      i,
    );
  });
  if (inputs.includes(undefined)) return;
  interpret(module, inputs as never, { maxLoopSteps: 50, onPrint: () => {} });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be in C or in a message
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Throws if text of the program occurs in the code, or could be mistaken for code. */
function requireInert(program: CompiledProgram): void {
  for (const { source } of program.units) {
    // Only words that occur in the text at all can be in the code.
    const words = ['trenio_planted', 'constructor', 'passwd', 'alert('].filter(word => source.includes(word));
    const code = words.length === 0 ? '' : codeOf(source);
    for (const word of words) if (code.includes(word)) throw new Error(`'${word}' is in the code of the C:\n${source}`);
    const [found] = obeyed.exec(source) ?? [];
    if (found !== undefined) throw new Error(`U+${found.codePointAt(0)!.toString(16)} is in the C`);
  }
}

export interface Opened {
  readonly stage: 'refused' | 'valid' | 'compiled';
  readonly program?: CompiledProgram;
}

/** Performs all operations on an untrusted program. Throws if an invariant is violated. */
export function open(source: Source): Opened {
  let module: Module;
  try {
    module = typeof source === 'string' ? parseModule(source, { file: 'hostile.mlir' }) : readBytecode(source);
    verify(module);
  } catch (error) {
    return refused(error);
  }
  // A valid module can be printed and read again.
  const printed = printModule(module);
  verify(parseModule(printed));
  let program: CompiledProgram | undefined;
  for (const use of [
    () => isQuick(module) && interpreted(module),
    () => {
      program = compileToC(module, hostTarget());
      requireInert(program);
    },
    () => printed.length % 8 === 0 && JSON.stringify(explainProgram(module, hostTarget())),
  ]) {
    try {
      use();
    } catch (error) {
      refused(error);
    }
  }
  return program === undefined ? { stage: 'valid' } : { stage: 'compiled', program };
}

function refused(error: unknown): Opened {
  if (!isTrenioError(error)) throw error;
  const [found] = obeyed.exec(error.message.replaceAll('\r\n', '\n')) ?? [];
  if (found !== undefined)
    throw new Error(`U+${found.codePointAt(0)!.toString(16)} is in the message of ${error.code}`);
  return { stage: 'refused' };
}

/** Compiles a program with the C compiler. Throws if that fails, or if the result contains code that would run on loading. */
export function compileWithC({ units }: CompiledProgram): void {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-fuzz-'));
  try {
    for (const { name, source } of units) {
      const file = join(folder, `${name}.c`);
      writeFileSync(file, source);
      execFileSync(testCompiler, [
        ...compilerFlags(hostTarget()),
        '-O0',
        '-w',
        '-Werror=comment',
        '-S',
        file,
        '-o',
        `${file}.s`,
      ]);
      const found = /\.init_array|\.ctors|trenio_planted/.exec(readFileSync(`${file}.s`, 'latin1'));
      if (found !== null) throw new Error(`'${found[0]}' is in the machine code of:\n${source}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
