// Prints the whole program: each kernel once, and the step function that calls them in order.

import { assertNever, formatLocation } from '../../../base/errors.ts';
import type { Value } from '../../../hlo/program.ts';
import type { Block, Step } from '../../ir/schedule.ts';
import { literalOf } from '../../lowering/constants.ts';
import { storageRootOf } from '../../lowering/storage-root.ts';
import type { Copy, Location, MemoryPlan } from '../../memory/memory-plan.ts';
import type { KernelInfo } from '../counting/kernel-info.ts';
import { isLittle } from '../counting/little-work.ts';
import { describeStep, opsOf } from '../counting/step-description.ts';
import type { CpuProgram, PlannedKernel } from '../ir/kernel.ts';
import type { CpuTarget } from '../target/target.ts';
import { constantText } from './constants.ts';
import { FunctionTable, type SharedFunction } from './functions.ts';
import { KernelPrinter } from './kernel-printer.ts';
import type { KernelText } from './kernel-text.ts';
import { comment } from './outside-text.ts';
import { ProgramText } from './units.ts';
import { Writer } from './writer.ts';

interface Kernel {
  /** Its number in the program, for readers. */
  readonly name: string;
  readonly number: number;
  readonly function: SharedFunction;
  readonly planned: PlannedKernel;
  readonly first: Step;
  calls: number;
}

export interface PrintedProgram {
  readonly text: ProgramText;
  readonly kernels: readonly KernelInfo[];
  readonly calls: readonly number[];
  /** The step that each call belongs to. */
  readonly steps: readonly Step[];
}

export function printProgram(plan: CpuProgram, target: CpuTarget): PrintedProgram {
  return new ProgramPrinter(plan, target).print();
}

class ProgramPrinter {
  readonly #plan: CpuProgram;
  readonly #memory: MemoryPlan;
  readonly #target: CpuTarget;
  readonly #printer = new KernelPrinter();
  readonly #functions: FunctionTable;
  readonly #kernels = new Map<SharedFunction, Kernel>();
  readonly #constants = new Map<Value, string>();
  /** Steps that are statements of the step function. */
  readonly #inlined: { readonly step: Step; readonly kernel: PlannedKernel }[] = [];
  /** For each call in the step function, the number of the kernel, or ~ the number of an inlined step. */
  readonly #calls: number[] = [];
  /** Kernel calls, and the line that runs the last of them. */
  readonly #rows: { readonly kernel: SharedFunction; readonly call: number; readonly operands: readonly string[] }[] =
    [];
  #lastRun = -1;
  readonly #steps: Step[] = [];
  readonly #out = new Writer();

  constructor(plan: CpuProgram, target: CpuTarget) {
    this.#plan = plan;
    this.#memory = plan.memory;
    this.#target = target;
    this.#functions = new FunctionTable(target);
  }

  print(): PrintedProgram {
    const out = this.#out;
    out.open('int trenio_step(const trenio_rt *rt, void *const *args, char *arena)');
    out.line('if (rt->abi != TRENIO_RT_ABI) return -1;');
    this.#block(this.#plan.schedule.main);
    for (const c of this.#memory.finalCopies) this.#copy(c);
    out.line('return 0;');
    out.close();
    const kernels = [...this.#kernels.values()];
    return {
      text: this.#text(kernels, out.toString()),
      kernels: [
        ...kernels.map(k => ({
          name: k.name,
          calls: k.calls,
          ...this.#describe(k.first, k.planned),
        })),
        ...this.#inlined.map(({ step, kernel }, i) => ({
          name: `step${i}`,
          calls: 1,
          ...this.#describe(step, kernel),
        })),
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
    const planned = this.#plan.kernelOf(step);
    if (planned === undefined) return;
    const text = this.#printer.print(planned);
    const workspace = this.#memory.workspaceOf(step);
    const pointers = [
      ...planned.operands.map(o => this.#memory.locationOf(o.value)),
      ...(workspace ? [workspace] : []),
    ];
    this.#steps.push(step);
    if (text.inline) {
      const call = this.#calls.push(~(this.#inlined.push({ step, kernel: planned }) - 1)) - 1;
      this.#out.open('do');
      this.#out.line('const int64_t from = t_now(rt);');
      for (const line of text.inline(pointers.map(p => this.#pointer(p)))) this.#out.line(line);
      this.#out.line(`t_record_time(rt, ${call}, from);`);
      this.#out.close(' while (0);');
      return;
    }
    const { function: kernel, number } = this.#kernel(planned, text, step);
    const call = this.#calls.push(number) - 1;
    const row = this.#rows.push({ kernel, call, operands: pointers.map(p => this.#reference(p)) });
    const { lines } = this.#out;
    // Consecutive calls share a statement.
    if (this.#lastRun === lines.length - 1) lines[this.#lastRun] = lines[this.#lastRun]!.replace(/\d+\);$/, `${row});`);
    else {
      this.#out.line(`RUN(${row - 1}, ${row});`);
      this.#lastRun = lines.length - 1;
    }
  }

  #kernel(planned: PlannedKernel, text: KernelText, step: Step): Kernel {
    const shared = this.#functions.kernel(text, isLittle(step, planned));
    let kernel = this.#kernels.get(shared);
    if (kernel === undefined) {
      const number = this.#kernels.size;
      kernel = { name: `k${number}`, number, function: shared, planned, first: step, calls: 0 };
      this.#kernels.set(shared, kernel);
    }
    kernel.calls++;
    return kernel;
  }

  #describe(step: Step, kernel: PlannedKernel): ReturnType<typeof describeStep> {
    return describeStep(step, { kernel, module: this.#plan.module, placeOf: v => this.#place(v) });
  }
  /** A name for the memory of a value: a donated argument and its result have the same name. */
  #place(value: Value): string {
    const location = this.#memory.locationOf(value);
    if (location.kind !== 'result') return this.#pointer(location);
    const argument = this.#plan.main.aliases.indexOf(location.index);
    return this.#pointer(argument < 0 ? location : { kind: 'argument', index: argument });
  }

  #control(step: Extract<Step, { kind: 'control' }>): void {
    const out = this.#out;
    const { name } = step.op;
    const location = step.op.location ? ` (${formatLocation(step.op.location)})` : '';
    const scalar = (v: Value, c: string): string => `*(const ${c} *)(${this.#pointer(this.#memory.locationOf(v))})`;
    out.line(comment(`${name}${location}`));
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
        out.open(`if (${scalar(step.op.operands[0], 'uint8_t')})`);
        this.#branch(onTrue);
        out.close();
        out.open('else');
        this.#branch(onFalse);
        out.close();
        return;
      }
      case 'case': {
        out.open(`switch (${scalar(step.op.operands[0], 'int32_t')})`);
        step.blocks.forEach((block, i) => {
          // an index out of range selects the last branch
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
        return `(char *)args[${this.#plan.schedule.main.args.length + location.index}]`;
      case 'arena':
        return location.offset === 0 ? 'arena' : `arena + ${location.offset}`;
      case 'constant':
        return `(char *)${this.#constant(location.value)}`;
      default:
        return assertNever(location);
    }
  }
  /** The same as an entry of the call table: see `callTable`. */
  #reference(location: Location): string {
    switch (location.kind) {
      case 'argument':
        return `A(${location.index})`;
      case 'result':
        return `A(${this.#plan.schedule.main.args.length + location.index})`;
      case 'arena':
        return String(location.offset);
      case 'constant':
        return `C(${this.#constant(location.value).slice(1)})`;
      default:
        return assertNever(location);
    }
  }
  #constant(value: Value): string {
    const root = storageRootOf(value);
    let name = this.#constants.get(root);
    if (name === undefined) {
      name = `c${this.#constants.size}`;
      this.#constants.set(root, name);
    }
    return name;
  }

  // its text

  #text(kernels: readonly Kernel[], step: string): ProgramText {
    const constants = [...this.#constants].map(([v, name]) => {
      return constantText(name, literalOf(v));
    });
    const declarations = kernels.map(k => `${commentOf(k)}\n${k.function.declaration}`);
    const calls = callTable(this.#rows, [...this.#constants.values()]);
    const parts = [...constants, ...declarations, calls, `T_STEP ${step}`];
    // Kernel definitions start with comments that list their ops; comments are not part of any cache key.
    const comments = new Map(kernels.map(k => [k.function, `${commentOf(k)}\n`]));
    const functions = this.#functions.list.map(f => ({ ...f, definition: `${comments.get(f) ?? ''}${f.definition}` }));
    return new ProgramText(this.#plan.module.name, functions, parts.join('\n\n'), this.#target);
  }
}

/**
 * Kernel calls by table, which compiles many times faster than individual statements. An entry is an offset into the arena,
 * A(i) an argument or result, C(i) a constant. A profiled step times each call.
 */
function callTable(
  rows: readonly { readonly kernel: SharedFunction; readonly call: number; readonly operands: readonly string[] }[],
  constants: readonly string[],
): string {
  let first = 0;
  const calls = rows.map(({ kernel, call, operands }) => {
    const row = `  {${kernel.symbol}, ${call}, ${first}, ${operands.length}},`;
    first += operands.length;
    return row;
  });
  return `static const char *const t_constants[] = {${[...constants, '0'].join(', ')}};
typedef void (*t_kernel)(const trenio_rt *rt, char *const *p);
static inline int64_t t_now(const trenio_rt *rt) { return rt->profile ? rt->now() : 0; }
static inline void t_record_time(const trenio_rt *rt, int call, int64_t from) {
  if (!rt->profile) return;
  int64_t to = rt->now();
  rt->profile[2 * call]++, rt->profile[2 * call + 1] += to - from;
  if (rt->span) rt->span(rt, call, from, to);
}
#define A(i) (-1 - (int64_t)(i))
#define C(i) (INT64_MIN + (i))
// The operands of one call per line.
static const int64_t t_operands[] = {
${[...rows.map(({ operands }) => `  ${[...operands, ''].join(', ').trimEnd()}`), '  0'].join('\n')}
};
// Kernel, call, index of the first operand, number of operands.
static const struct { t_kernel kernel; int32_t call, first, count; } t_calls[] = {
${[...calls, '  {0, 0, 0, 0}'].join('\n')}
};
static __attribute__((noinline)) void t_run(const trenio_rt *rt, void *const *args, char *arena, int row, int end) {
  for (; row < end; row++) {
    const int64_t *const operands = t_operands + t_calls[row].first;
    const int32_t count = t_calls[row].count;
    char *p[count + 1];
    for (int32_t i = 0; i < count; i++) {
      const int64_t at = operands[i];
      p[i] = at >= 0 ? arena + at : at > INT64_MIN / 2 ? (char *)args[-1 - at] : (char *)t_constants[at - INT64_MIN];
    }
    const int64_t from = t_now(rt);
    t_calls[row].kernel(rt, p);
    t_record_time(rt, t_calls[row].call, from);
  }
}
#define RUN(row, end) t_run(rt, args, arena, row, end)`;
}

function commentOf(kernel: Kernel): string {
  const ops = opsOf(kernel.first);
  const names = ops.map(o => o.name);
  const shown = names.length > 12 ? `${names.slice(0, 12).join(', ')} and ${names.length - 12} more` : names.join(', ');
  const location = ops.find(o => o.location)?.location;
  const times = kernel.calls > 1 ? ` (called ${kernel.calls} times)` : '';
  return comment(`${kernel.name}: ${shown}${location ? ` at ${formatLocation(location)}` : ''}${times}`);
}
