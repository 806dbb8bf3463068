// The functions of a program that other programs can share: its kernels, and the functions that several kernels call.
//
// Each is named after a hash of its C and that of all functions that it calls (`k_5f3a9c1e02b4d6f8`), never after its position
// in a program.
// So equal kernels of equal layers share a function, and machine code compiled for one program is reused by another:
//
//   kernel ──calls──▶ separate function (gemm_f32_tile_8x48…_91c2…)       machine code is cached by these names
//      └────uses────▶ inline C (t_exp_f32, gemm_f32_transpose_16)         repeated in each unit that needs it
import { hash } from 'node:crypto';
import type { CpuTarget } from '../target/target.ts';
import { gemmPrelude } from './gemm/index.ts';
import type { KernelText } from './kernel-text.ts';
import { reductionsFor } from './omp-reductions.ts';
import { preludeFor } from './prelude.ts';
import { randomPrelude } from './random-prelude.ts';
import { rtHeader } from './rt-header.ts';
import type { PreludePiece } from './scalar/prelude-piece.ts';

export interface SharedFunction {
  readonly symbol: string;
  /** Hexadecimal SHA-256 of all C that determines its machine code, without comments. */
  readonly key: string;
  /** Its C, with T_SHARED and its symbol. */
  readonly definition: string;
  readonly declaration: string;
  /** C code that must precede it, by name. */
  readonly inline: ReadonlyMap<string, string>;
  /** Functions that it calls. */
  readonly calls: readonly SharedFunction[];
  readonly usesGemm: boolean;
  /** It computes so little that compiling it takes far longer than running it many times: see `littlePasses`. */
  readonly isLittle: boolean;
  /** The estimated time that the C compiler takes for it, in microseconds. */
  readonly weight: number;
}

/**
 * Hidden, so that calls are direct; weak, because two cached units of machine code may both define it, and so that
 * compilers do not specialize it for known callers. The step function is a list of calls: optimizing it would take most of
 * the compile time of a large model.
 */
export const attributes = `#define T_HIDDEN __attribute__((visibility("hidden")))
#define T_SHARED __attribute__((visibility("hidden"), weak))
#ifdef __clang__
#define T_STEP __attribute__((visibility("default"), optnone, noinline))
#else
#define T_STEP __attribute__((visibility("default"), optimize("O0")))
#endif`;

/** Comments are whole lines. */
export const withoutComments = (source: string): string => source.replace(/^[ \t]*\/\/.*\n/gm, '');

/** The start of a function that is never inlined. */
const ownFunction = /\b(GEMM_CONTRACTED )?static (?=__attribute__\(\(noinline\)\) )/;
/** The start of the text of a function to be inlined. */
const inlineFunction = /^((?:\/\/.*\n)*)static inline __attribute__\(\(always_inline\)\) (?=void )/;
/** Longer functions are called: the call is negligible compared with their work, and compiling each copy takes long. */
const longestInline = 4000;

/** The text of a helper; its function is not inlined if it is long. */
function outlined(name: string, text: string): string {
  if (text.length <= longestInline || !text.replace(inlineFunction, '').startsWith(`void ${name}(`)) return text;
  return text.replace(inlineFunction, '$1static __attribute__((noinline)) ');
}

/** Helpers of the prelude that become separate functions, and the prelude with declarations in their place. */
const preludeFunctions = new Map<string, string>();
const inlinePrelude: readonly PreludePiece[] = randomPrelude.map(piece => {
  const at = piece.text.search(new RegExp(`^static __attribute__\\(\\(noinline\\)\\) .*\\b${piece.name}\\(`, 'm'));
  if (at < 0) return piece;
  preludeFunctions.set(piece.name, piece.text.slice(at));
  const text = piece.text.slice(0, at);
  const also = [...(piece.also ?? []), ...text.matchAll(/\b(t_\w+)\(/g)].map(name =>
    typeof name === 'string' ? name : name[1]!,
  );
  return { name: also[0]!, also, text };
});

/** The functions of one program. */
export class FunctionTable {
  /** Each after those that it calls. */
  readonly list: SharedFunction[] = [];
  readonly #target: CpuTarget;
  readonly #byCode = new Map<string, SharedFunction>();
  readonly #kernels = new Map<string, SharedFunction>();
  readonly #helpers = new Map<string, SharedFunction>();

  constructor(target: CpuTarget) {
    this.#target = target;
  }

  /** The function of a kernel; equal kernels have one. `isLittle`: it computes little. */
  kernel(code: KernelText, isLittle = false): SharedFunction {
    let known = this.#kernels.get(code.code);
    if (known !== undefined) return known;
    const { helpers = new Map<string, string>(), usesGemm = false } = code;
    const called = new Map<string, SharedFunction>();
    const inline = new Map<string, string>();
    for (const [name, text] of preludeFunctions)
      if (code.code.includes(`${name}(`)) called.set(name, this.#helper(name, text, new Map(), new Map(), false));
    for (const [name, helper] of helpers) {
      const text = outlined(name, helper);
      const isOwn = new RegExp(`${ownFunction.source}.*\\b${name}\\(`).test(text);
      if (isOwn) called.set(name, this.#helper(name, text, inline, called, usesGemm));
      else inline.set(name, renamed(text, called));
    }
    const definition = renamed(code.code, called).replaceAll('static void @(', 'T_SHARED void @(');
    // The bits of multiplies depend on their passes.
    const options = { usesGemm, isLittle: isLittle && !usesGemm };
    known = this.#function('k', definition, inline, callsOf(definition, inline, called), options);
    this.#kernels.set(code.code, known);
    return known;
  }

  /** A function that kernels share, after the helpers that precede it. */
  #helper(
    name: string,
    text: string,
    helpers: ReadonlyMap<string, string>,
    called: ReadonlyMap<string, SharedFunction>,
    usesGemm: boolean,
  ): SharedFunction {
    let known = this.#helpers.get(name);
    if (known !== undefined) return known;
    const definition = renamed(text, called)
      .replace(ownFunction, '$1T_SHARED ')
      .replaceAll(new RegExp(`\\b${name}\\b`, 'g'), '@');
    const inline = inlineOf(definition, helpers);
    const options = { usesGemm, isLittle: false };
    known = this.#function(name, definition, inline, callsOf(definition, inline, called), options);
    this.#helpers.set(name, known);
    return known;
  }

  /** `definition` with `@` for its symbol. */
  #function(
    name: string,
    definition: string,
    inline: ReadonlyMap<string, string>,
    calls: readonly SharedFunction[],
    options: Pick<SharedFunction, 'usesGemm' | 'isLittle'>,
  ): SharedFunction {
    const nameless = { definition, inline, calls, ...options };
    const code = hash('sha256', withoutComments(functionsText([nameless], this.#target)), 'hex');
    const known = this.#byCode.get(code);
    if (known !== undefined) return known;
    const symbol = `${name}_${code.slice(0, 16)}`;
    const made: SharedFunction = {
      ...nameless,
      symbol,
      // Two names can have the same code, such as kernels of 24 and of 32 rows of tiles: machine code has only one of them.
      key: `${name} ${code}`,
      definition: definition.replaceAll('@', symbol),
      declaration: `T_HIDDEN ${/T_SHARED ([^{]*?)\s*\{/.exec(definition)![1]!.replaceAll('@', symbol)};`,
      weight: weightOf(nameless),
    };
    this.#byCode.set(code, made);
    this.list.push(made);
    return made;
  }
}

/** How gcc optimizes a function. clang has no such option for a function. */
type Passes = 'all' | 'fewer' | 'little';
/**
 * Options placed around functions that do not need all passes.
 * - fewer: explicitly vectorized functions. With -O1, gcc compiles them in a quarter less time, with the same inner loops. The
 *   second option enables the multiply-adds of GEMM_CONTRACTED: the bits depend on it. Loops that gcc has to vectorize would be
 *   up to 10 % slower.
 * - little: functions that compute little. With -Og, gcc compiles them in 40 % of the time; the code is not vectorized.
 */
const optionsOf: Readonly<Record<Exclude<Passes, 'all'>, string>> = {
  fewer: '"O1", "expensive-optimizations", "align-loops", "tree-loop-distribute-patterns"',
  little: '"Og"',
};
const startOf = (passes: Exclude<Passes, 'all'>): string => `#ifndef __clang__
#pragma GCC push_options
#pragma GCC optimize(${optionsOf[passes]})
#endif`;
const endOfPasses = `#ifndef __clang__
#pragma GCC pop_options
#endif`;

function passesOf(made: Pick<SharedFunction, 'definition' | 'inline' | 'usesGemm' | 'isLittle'>): Passes {
  if (made.isLittle) return 'little';
  const isExplicit =
    made.usesGemm && ![made.definition, ...made.inline.values()].some(text => text.includes('#pragma omp simd'));
  return isExplicit ? 'fewer' : 'all';
}

/** C of a unit that defines these functions, each once, without its leading comment. */
export function functionsText(
  functions: readonly Pick<SharedFunction, 'definition' | 'inline' | 'calls' | 'usesGemm' | 'isLittle'>[],
  target: CpuTarget,
  header = rtHeader,
): string {
  const inline = new Map(functions.flatMap(f => [...f.inline]));
  const declarations = new Set(functions.flatMap(f => f.calls.map(callee => callee.declaration)));
  const passes = functions.map(passesOf);
  const definitions = functions.flatMap((f, i) => {
    const own = passes[i]!;
    if (own === 'all') return [f.definition];
    return [
      ...(own === passes[i - 1] ? [] : [startOf(own)]),
      f.definition,
      ...(own === passes[i + 1] ? [] : [endOfPasses]),
    ];
  });
  const text = [...inline.values(), ...definitions].join('\n\n');
  return [
    header,
    attributes,
    'typedef struct { const trenio_rt *rt; char *const *p; } t_call;',
    preludeFor(text, inlinePrelude),
    reductionsFor(text),
    functions.some(f => f.usesGemm) ? gemmPrelude(target) : '',
    [...declarations].join('\n'),
    text,
  ]
    .filter(part => part !== '')
    .join('\n\n');
}

function renamed(text: string, called: ReadonlyMap<string, SharedFunction>): string {
  if (called.size === 0) return text;
  return text.replaceAll(
    new RegExp(`\\b(?:${[...called.keys()].join('|')})\\b`, 'g'),
    name => called.get(name)!.symbol,
  );
}

/** The helpers that a text uses, with those that they use, in the given order. */
function inlineOf(text: string, helpers: ReadonlyMap<string, string>): Map<string, string> {
  const wanted: [string, string][] = [];
  let all = text;
  for (const [name, helper] of [...helpers].reverse()) {
    if (!new RegExp(`\\b${name}\\b`).test(all)) continue;
    wanted.unshift([name, helper]);
    all += helper;
  }
  return new Map(wanted);
}

function callsOf(
  definition: string,
  inline: ReadonlyMap<string, string>,
  called: ReadonlyMap<string, SharedFunction>,
): readonly SharedFunction[] {
  const text = [definition, ...inline.values()].join('\n');
  return [...called.values()].filter(({ symbol }) => text.includes(symbol));
}

/**
 * Fitted to the compile times of gcc 12 for the functions of BERT-base: by lines, counting inlined functions once per use, and
 * math functions, which become long.
 */
function weightOf(made: Pick<SharedFunction, 'definition' | 'inline' | 'usesGemm' | 'isLittle'>): number {
  const { definition, inline } = made;
  const count = (text: string): number => definition.split(text).length - 1;
  let inlined = 0;
  for (const [name, text] of inline) inlined += count(`${name}(`) * text.length;
  const passes = passesOf(made);
  const line = passes === 'fewer' ? 250 : 400;
  const full = line * Math.min(150, count('\n')) + 3 * inlined + 10 * preludeFor(definition, inlinePrelude).length;
  return passes === 'little' ? 0.4 * full : full;
}
