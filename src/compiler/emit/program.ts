// Prints the whole program: each kernel once, the step function that calls them in order, split into units.
import { assertNever, formatLocation, invariant } from '../../base/errors.ts';
import type { Func, Op, Value } from '../../hlo/program.ts';
import { gemmPrelude } from '../gemm/index.ts';
import type { KernelCode } from '../kernels/kernel.ts';
import { randomPrelude } from '../kernels/random.ts';
import { Writer } from '../kernels/writer.ts';
import type { Copy, Location, MemoryPlan } from '../memory/plan.ts';
import type { KernelInfo, Unit } from '../program.ts';
import { type Block, homeOf, type Step } from '../schedule/plan.ts';
import type { Target } from '../target.ts';
import { constantText } from './constants.ts';
import { describeStep, opsOf } from './describe.ts';
import { preludeFor } from './prelude.ts';
import { rtHeader } from './rt-header.ts';

/** Characters of C above which another unit is begun, so that the C compiler can work on several at once. */
const unitCharacters = 40_000;
const maxUnits = 4;
/** Its calls by table take the C compiler so many times less than as much text of a kernel. */
const stepWeight = 8;

interface Kernel {
  readonly name: string;
  readonly number: number;
  readonly code: KernelCode;
  readonly first: Step;
  calls: number;
}

export interface PrintedProgram {
  readonly units: readonly Unit[];
  readonly kernels: readonly KernelInfo[];
  readonly calls: readonly number[];
  /** The step of each of these calls. */
  readonly steps: readonly Step[];
}

export function printProgram(
  title: string,
  main: Block,
  codeOf: (step: Step) => KernelCode | undefined,
  memory: MemoryPlan,
  target: Target,
  aliases: Func['aliases'],
): PrintedProgram {
  return new ProgramPrinter(title, main, codeOf, memory, target, aliases).print();
}

class ProgramPrinter {
  readonly #title: string;
  readonly #aliases: Func['aliases'];
  readonly #main: Block;
  readonly #codeOf: (step: Step) => KernelCode | undefined;
  readonly #memory: MemoryPlan;
  readonly #target: Target;
  readonly #kernels = new Map<string, Kernel>();
  readonly #constants = new Map<Value, string>();
  /** Steps that are statements of the step function. */
  readonly #inlined: { readonly step: Step; readonly code: KernelCode }[] = [];
  /** For each call in the step function, the kernel's number, or ~ the number of what is inlined. */
  readonly #calls: number[] = [];
  readonly #steps: Step[] = [];
  readonly #out = new Writer();

  constructor(
    title: string,
    main: Block,
    codeOf: (step: Step) => KernelCode | undefined,
    memory: MemoryPlan,
    target: Target,
    aliases: Func['aliases'],
  ) {
    this.#title = title;
    this.#aliases = aliases;
    this.#main = main;
    this.#codeOf = codeOf;
    this.#memory = memory;
    this.#target = target;
  }

  print(): PrintedProgram {
    const out = this.#out;
    out.open('int trenio_step(const trenio_rt *rt, void *const *args, char *arena)');
    out.line('if (rt->abi != TRENIO_RT_ABI) return -1;');
    this.#block(this.#main);
    for (const c of this.#memory.finalCopies) this.#copy(c);
    out.line('return 0;');
    out.close();
    const kernels = [...this.#kernels.values()];
    return {
      units: this.#units(kernels, out.toString()),
      kernels: [
        ...kernels.map(k => ({ name: k.name, calls: k.calls, ...this.#describe(k.first, k.code) })),
        ...this.#inlined.map(({ step, code }, i) => ({ name: `step${i}`, calls: 1, ...this.#describe(step, code) })),
      ],
      steps: this.#steps,
      calls: this.#calls.map(k => (k >= 0 ? k : kernels.length + ~k)),
    };
  }

  // the step function

  #block(block: Block): void {
    for (const step of block.steps) {
      if (step.kind === 'control') this.#control(step);
      else this.#call(step);
    }
  }

  #call(step: Step): void {
    const code = this.#codeOf(step);
    if (code === undefined) return;
    const workspace = this.#memory.workspaceOf(step);
    const places = [...code.operands.map(o => this.#memory.locationOf(o.value)), ...(workspace ? [workspace] : [])];
    this.#steps.push(step);
    if (code.inline) {
      const call = this.#calls.push(~(this.#inlined.push({ step, code }) - 1)) - 1;
      this.#out.open('do');
      this.#out.line('const int64_t from = t_now(rt);');
      for (const line of code.inline(places.map(p => this.#pointer(p)))) this.#out.line(line);
      this.#out.line(`t_spent(rt, ${call}, from);`);
      this.#out.close(' while (0);');
      return;
    }
    const { name, number } = this.#kernel(code, step);
    const call = this.#calls.push(number) - 1;
    this.#out.line(`CALL(${call}, ${name}, ${places.map(p => this.#reference(p)).join(', ')});`);
  }

  #kernel(code: KernelCode, step: Step): Kernel {
    let kernel = this.#kernels.get(code.code);
    if (kernel === undefined) {
      const number = this.#kernels.size;
      kernel = { name: `k${number}`, number, code, first: step, calls: 0 };
      this.#kernels.set(code.code, kernel);
    }
    kernel.calls++;
    return kernel;
  }

  #describe(step: Step, code: KernelCode): ReturnType<typeof describeStep> {
    return describeStep(step, { code, placeOf: v => this.#place(v) });
  }
  /** A name of the memory that a value lies in: a donated argument's and its result's are the same. */
  #place(value: Value): string {
    const location = this.#memory.locationOf(value);
    if (location.kind !== 'result') return this.#pointer(location);
    const argument = this.#aliases.indexOf(location.index);
    return this.#pointer(argument < 0 ? location : { kind: 'argument', index: argument });
  }

  #control(step: Extract<Step, { kind: 'control' }>): void {
    const out = this.#out;
    const { name } = step.op;
    const location = step.op.location ? ` (${formatLocation(step.op.location)})` : '';
    const scalar = (v: Value, c: string): string => `*(const ${c} *)(${this.#pointer(this.#memory.locationOf(v))})`;
    out.line(`// ${name}${location}`);
    switch (name) {
      case 'while': {
        for (const c of this.#memory.entryCopies(step)) this.#copy(c);
        const [cond, body] = step.blocks as readonly [Block, Block];
        out.open('for (int64_t steps = 1;; steps++)');
        this.#block(cond);
        out.line(`if (!${this.#predicate(cond.results[0]!)}) break;`);
        out.line('if (steps > rt->max_loop_steps && rt->max_loop_steps > 0) return TRENIO_LOOP_LIMIT;');
        this.#block(body);
        for (const c of this.#memory.blockCopies(body)) this.#copy(c);
        out.close();
        return;
      }
      case 'if': {
        const [onTrue, onFalse] = step.blocks as readonly [Block, Block];
        out.open(`if (${scalar(step.op.operands[0]!, 'uint8_t')})`);
        this.#branch(onTrue);
        out.close();
        out.open('else');
        this.#branch(onFalse);
        out.close();
        return;
      }
      case 'case': {
        out.open(`switch (${scalar(step.op.operands[0]!, 'int32_t')})`);
        step.blocks.forEach((block, i) => {
          // an index out of range takes the last branch
          out.open(i === step.blocks.length - 1 ? 'default:' : `case ${i}:`);
          this.#branch(block);
          out.line('break;');
          out.close();
        });
        out.close();
        return;
      }
      default:
        assertNever(name);
    }
  }
  #branch(block: Block): void {
    this.#block(block);
    for (const c of this.#memory.blockCopies(block)) this.#copy(c);
  }
  #predicate(value: Value): string {
    return `*(const uint8_t *)(${this.#pointer(this.#memory.locationOf(value))})`;
  }

  #copy({ from, to, bytes }: Copy): void {
    const [source, target] = [this.#pointer(from), this.#pointer(to)];
    if (source !== target && bytes > 0) this.#out.line(`__builtin_memcpy(${target}, ${source}, ${bytes});`);
  }

  #pointer(location: Location): string {
    switch (location.kind) {
      case 'argument':
        return `(char *)args[${location.index}]`;
      case 'result':
        return `(char *)args[${this.#main.args.length + location.index}]`;
      case 'arena':
        return location.offset === 0 ? 'arena' : `arena + ${location.offset}`;
      case 'constant':
        return `(char *)${this.#constant(location.value)}`;
      default:
        return assertNever(location);
    }
  }
  /** The same as a number of a call's table: see `callMacro`. */
  #reference(location: Location): string {
    switch (location.kind) {
      case 'argument':
        return `A(${location.index})`;
      case 'result':
        return `A(${this.#main.args.length + location.index})`;
      case 'arena':
        return String(location.offset);
      case 'constant':
        return `C(${this.#constant(location.value).slice(1)})`;
      default:
        return assertNever(location);
    }
  }
  #constant(value: Value): string {
    const home = homeOf(value);
    let name = this.#constants.get(home);
    if (name === undefined) {
      name = `c${this.#constants.size}`;
      this.#constants.set(home, name);
    }
    return name;
  }

  // units

  #units(kernels: readonly Kernel[], step: string): Unit[] {
    const texts = kernels.map(
      k => `${commentOf(k)}\n${k.code.code.replaceAll(`static void @(`, 'T_HIDDEN void @(').replaceAll('@', k.name)}`,
    );
    const members = unitsOf(
      kernels.map(({ code }, i) => ({ text: texts[i]!, helpers: code.helpers ?? new Map() })),
      step.length,
    );
    const count = members.length;
    return members.map((list, u) => {
      const bodies = list.map(i => texts[i]!);
      const isFirst = u === 0;
      const constants = isFirst
        ? [...this.#constants].map(([v, name]) => {
            invariant(v.op?.name === 'constant', 'a constant that is none');
            return constantText(name, (v.op as Op<'constant'>).attributes.value);
          })
        : [];
      const declarations = isFirst
        ? kernels.map(k => `T_HIDDEN void ${k.name}(const trenio_rt *rt, char *const *p);`)
        : [];
      const helpers = new Map(list.flatMap(i => [...(kernels[i]!.code.helpers ?? [])]));
      const text = [...helpers.values(), ...bodies].join('\n\n');
      const usesGemm = list.some(i => kernels[i]!.code.usesGemm);
      const parts = [
        `// ${this.#title}, part ${u + 1} of ${count}. Generated by Trenio.`,
        rtHeader,
        attributes,
        'typedef struct { const trenio_rt *rt; char *const *p; } t_call;',
        preludeFor(text, randomPrelude),
        reductionsFor(text),
        usesGemm ? gemmPrelude(this.#target) : '',
        ...constants,
        ...declarations,
        text,
        isFirst ? callMacro([...this.#constants.values()]) : '',
        isFirst ? `T_STEP ${step}` : '',
      ];
      return { name: `part${u}`, source: `${parts.filter(p => p !== '').join('\n\n')}\n` };
    });
  }
}

/** What a kernel adds to a unit: its text, and the functions that it shares with other kernels of the unit. */
interface KernelText {
  readonly text: string;
  readonly helpers: ReadonlyMap<string, string>;
}

/**
 * Which kernels make up each unit, beside a step function of this length in the first one. Kernels that share functions
 * are drawn to each other: a unit has its own copy of what they call, and the C compiler takes as long over each.
 */
export function unitsOf(kernels: readonly KernelText[], stepLength: number): number[][] {
  const shared = new Map(kernels.flatMap(k => [...k.helpers]));
  const lengths = (texts: Iterable<string>): number => [...texts].reduce((n, t) => n + t.length, 0);
  const size = lengths(kernels.map(k => k.text)) + lengths(shared.values());
  const count = Math.min(maxUnits, Math.max(1, Math.ceil(size / unitCharacters)));
  const units = Array.from({ length: count }, (_, u) => ({
    members: [] as number[],
    helpers: new Set<string>(),
    size: u === 0 ? stepLength / stepWeight : 0,
  }));
  // Largest first, each to the unit that is smallest with it: units of even size, in an order that only depends on the texts.
  const whole = kernels.map(k => k.text.length + lengths(k.helpers.values()));
  const order = kernels.map((_, i) => i).sort((a, b) => whole[b]! - whole[a]! || a - b);
  for (const i of order) {
    const { text, helpers } = kernels[i]!;
    const sizes = units.map(unit => {
      const added = [...helpers].filter(([name]) => !unit.helpers.has(name)).map(([, helper]) => helper);
      return unit.size + text.length + lengths(added);
    });
    const least = Math.min(...sizes);
    const unit = units[sizes.indexOf(least)]!;
    unit.members.push(i);
    unit.size = least;
    for (const name of helpers.keys()) unit.helpers.add(name);
  }
  return units.map(({ members }) => members.sort((a, b) => a - b));
}

/** The step function is a list of calls: optimising it would take most of the compile time of a large model. */
export const attributes = `#define T_HIDDEN __attribute__((visibility("hidden")))
#ifdef __clang__
#define T_STEP __attribute__((visibility("default"), optnone, noinline))
#else
#define T_STEP __attribute__((visibility("default"), optimize("O0")))
#endif`;

/**
 * Calls of kernels by table: an offset into the arena, A(i) for an argument or result, C(i) for a constant. Constant
 * tables compile many times faster than as many stores of pointers. A profiled step times each call.
 */
function callMacro(constants: readonly string[]): string {
  return `static const char *const t_constants[] = {${[...constants, '0'].join(', ')}};
typedef void (*t_kernel)(const trenio_rt *rt, char *const *p);
static inline int64_t t_now(const trenio_rt *rt) { return rt->profile ? rt->now() : 0; }
static inline void t_spent(const trenio_rt *rt, int call, int64_t from) {
  if (rt->profile) rt->profile[2 * call]++, rt->profile[2 * call + 1] += rt->now() - from;
}
static __attribute__((noinline)) void t_run(t_kernel kernel, int call, const trenio_rt *rt, void *const *args, char *arena, const int64_t *table, int count) {
  char *p[count];
  for (int i = 0; i < count; i++) {
    const int64_t at = table[i];
    p[i] = at >= 0 ? arena + at : at > INT64_MIN / 2 ? (char *)args[-1 - at] : (char *)t_constants[at - INT64_MIN];
  }
  const int64_t from = t_now(rt);
  kernel(rt, p);
  t_spent(rt, call, from);
}
#define A(i) (-1 - (int64_t)(i))
#define C(i) (INT64_MIN + (i))
#define CALL(call, kernel, ...) do { static const int64_t table[] = {__VA_ARGS__}; t_run(kernel, call, rt, args, arena, table, sizeof table / sizeof *table); } while (0)`;
}

/** The user-defined reductions that `omp simd` clauses of a text name. */
export function reductionsFor(text: string): string {
  const lines: string[] = [];
  for (const [type, c, inf] of [
    ['f32', 'float', '__builtin_inff()'],
    ['f64', 'double', '__builtin_inf()'],
  ] as const) {
    for (const [name, start] of [
      ['max', `-${inf}`],
      ['min', inf],
    ] as const) {
      const f = `t_${name}_${type}`;
      if (text.includes(`reduction(${f}:`))
        lines.push(
          `#pragma omp declare reduction(${f}:${c}:omp_out = ${f}(omp_out, omp_in)) initializer(omp_priv = ${start})`,
        );
    }
  }
  return lines.join('\n');
}

function commentOf(kernel: Kernel): string {
  const ops = opsOf(kernel.first);
  const names = ops.map(o => o.name);
  const shown = names.length > 12 ? `${names.slice(0, 12).join(', ')} and ${names.length - 12} more` : names.join(', ');
  const location = ops.find(o => o.location)?.location;
  const times = kernel.calls > 1 ? ` (called ${kernel.calls} times)` : '';
  return `// ${shown}${location ? ` at ${formatLocation(location)}` : ''}${times}`;
}
