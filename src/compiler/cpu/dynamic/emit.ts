// The step function of a program with unknown sizes: every op in order, then the results for the caller.
import { isRandomBits } from '../../../hlo/ops/random-bits-call.ts';
import { assertionMessage } from '../../../hlo/ops/shape-assertion.ts';
import { dispatch, isIn, type PerOp } from '../../../hlo/per-op.ts';
import type { Func, Module, Op, Region, Value } from '../../../hlo/program.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import { dynamicDim, elementBytes, formatType } from '../../../hlo/types.ts';
import { memoryType } from '../c/scalar/c-types.ts';
import { Writer } from '../c/writer.ts';
import { failures, inputWords, reportLayout } from '../target/size-report.ts';
import { atomsOf } from './atoms.ts';
import { caseOf, ifElse, whileLoop } from './control.ts';
import { elementsOf } from './elements.ts';
import { isReduce } from './fusion.ts';
import { formOf, type NameWith } from './op-forms.ts';
import { allReduce } from './ops/collective.ts';
import { convolution, dynamicConvolution } from './ops/convolution.ts';
import { dotGeneral } from './ops/dot.ts';
import { concatenate, dynamicPad, dynamicUpdateSlice, pad, reshape, storeElements } from './ops/movement.ts';
import { randomBits, rngBitGenerator } from './ops/random.ts';
import { reduce } from './ops/reduce.ts';
import { scatter } from './ops/scatter.ts';
import { sort } from './ops/sort.ts';
import { reduceWindow, selectAndScatter } from './ops/window.ts';
import type { Size } from './sizes.ts';
import { Step } from './step.ts';
import { isFusible, storageOf } from './value-storage.ts';

export interface Emitted {
  readonly step: Step;
  /** Constants stored in memory, by name. */
  readonly constants: ReadonlyMap<string, Op<'constant'>>;
  /** For each result of unknown size: which it is, and the word of the report where its address is. */
  readonly results: readonly { readonly output: number; readonly word: number }[];
  readonly reportWords: number;
}

export function emitStep(func: Func, module: Module): Emitted {
  const emitter = new Emitter(module);
  return emitter.run(func);
}

class Emitter {
  readonly #step = new Step(new Writer());
  readonly #constants = new Map<string, Op<'constant'>>();
  readonly #module: Module;
  readonly #context: Context;

  constructor(module: Module) {
    this.#module = module;
    this.#context = {
      step: this.#step,
      module,
      region: inner => this.#region(inner),
      table: op => this.#table(op),
    };
  }

  run(func: Func): Emitted {
    const step = this.#step;
    const { out } = step;
    const { args, results } = func.body;
    for (const { type } of [...args, ...results])
      if (type.kind !== 'tensor')
        throw step.unsupported(`the argument or result ${formatType(type)}`, 'pass and return tensors');
    const { starts, end } = inputWords(args.map(tensorTypeOf));
    const report = args.length + results.length;
    out.open('int trenio_step(const trenio_rt *rt, void *const *args, char *arena)');
    out.line('if (rt->abi != TRENIO_RT_ABI) return -1;');
    out.line(`int64_t *const report = args[${report}];`);
    out.line(`t_heap heap = {rt, arena, 0, 0, report[${reportLayout.limit}], report + ${reportLayout.grown}};`);
    const dynamic: { output: number; word: number }[] = [];
    let words = end;
    step.scope(storageOf(func.body, undefined), () => {
      args.forEach((v, i) => {
        const { elementType, shape } = tensorTypeOf(v);
        const sizes = shape.map(
          (d, k): Size => (d === dynamicDim ? step.bind('int64_t', `report[${starts[i]! + k}]`) : d),
        );
        const pointer = step.bind(`${memoryType(elementType)} *`, `(${memoryType(elementType)} *)args[${i}]`);
        step.hold(v, { type: elementType, sizes, memory: { pointer, block: undefined } });
      });
      this.#region(func.body);
      // copied first, because another result may reuse the memory of an argument that is also a result
      const donates = func.aliases.some(alias => alias !== undefined);
      const sources = results.map(v => this.#source(v, donates));
      results.forEach((v, i) => {
        const { elementType, shape } = tensorTypeOf(v);
        const { atoms } = step.held(v);
        if (!shape.includes(dynamicDim)) {
          const target = `((${memoryType(elementType)} *)args[${args.length + i}])`;
          if (atoms !== undefined) step.store(target, elementType, atoms);
          else step.copy(target, sources[i]!, elementType, step.sizes(v));
          return;
        }
        dynamic.push({ output: i, word: words });
        const sizes = step.known(step.sizes(v));
        // Its memory exists already if the caller knows its sizes.
        out.open(`if (args[${args.length + i}])`);
        sizes.forEach((size, d) => {
          const expected = `report[${words + 1 + d}]`;
          out.line(`T_CHECK(${expected} == ${size}, ${failures.sizes}, 0, ${d}, ${expected}, ${size});`);
        });
        step.copy(`args[${args.length + i}]`, sources[i]!, elementType, sizes);
        out.close();
        out.line(`report[${words++}] = (int64_t)${sources[i]};`);
        for (const size of sizes) out.line(`report[${words++}] = ${size};`);
      });
    });
    out.line('return 0;');
    out.close();
    this.#collect(dynamic, results);
    return { step, constants: this.#constants, results: dynamic, reportWords: words };
  }

  #source(value: Value, donates: boolean): string {
    const step = this.#step;
    const { atoms, memory, sizes, type } = step.held(value);
    if (atoms !== undefined && memory === undefined) return '';
    if (!donates || memory!.block !== undefined) return memory!.pointer;
    step.op ??= { name: 'copy' } as never;
    const copy = step.allocate(type, sizes);
    step.copy(copy.pointer, memory!.pointer, type, sizes);
    return copy.pointer;
  }

  /** The function that fetches the results of unknown size once memory for them is allocated. */
  #collect(dynamic: readonly { output: number; word: number }[], results: readonly Value[]): void {
    const { out } = this.#step;
    out.line('');
    out.open('int trenio_collect(const trenio_rt *rt, void *const *args, char *arena)');
    out.line('const int64_t *const report = args[0];');
    dynamic.forEach(({ output, word }, i) => {
      const { elementType, shape } = tensorTypeOf(results[output]!);
      const count = shape.map((_, d) => `report[${word + 1 + d}]`).join(' * ');
      out.line(`t_copy(rt, args[${i + 1}], (const void *)report[${word}], ${count} * ${elementBytes(elementType)});`);
    });
    out.line('return 0;');
    out.close();
  }

  readonly #region = (region: Region): void => {
    const step = this.#step;
    const { storage } = step;
    const [outerOp, outerDying] = [step.op, step.dying];
    for (const v of storage.unused) step.drop(v);
    step.freeingForced(() =>
      region.ops.forEach((op, i) => {
        step.op = op;
        step.dying = new Set(storage.dying[i]);
        this.#op(op);
        for (const v of storage.dying[i]!) step.drop(v);
      }),
    );
    step.op = outerOp ?? step.op;
    step.dying = outerDying;
  };

  #op(op: Op): void {
    const step = this.#step;
    // tokens carry no data, so ops that only produce tokens are not run
    if (op.results.length > 0 && op.results.every(v => v.type.kind === 'token')) return;
    if (op.results.some(v => v.type.kind !== 'tensor')) throw step.unsupported('results that are not tensors');
    const { storage } = step;
    const [result] = op.results;
    const kind = result === undefined ? 'memory' : storage.of(result);
    if (kind === 'atoms' && hasAtoms(op)) {
      const { elementType, shape } = tensorTypeOf(result!);
      const atoms = atomsOf(step, op, this.#module.numPartitions);
      const held = { type: elementType, sizes: shape, atoms };
      if (!storage.inMemoryToo(result!)) {
        step.hold(result!, held);
        return;
      }
      const memory = step.allocate(elementType, shape);
      step.store(memory.pointer, elementType, atoms);
      step.hold(result!, { ...held, memory });
      return;
    }
    if (isFusible(op) || (isReduce(op) && kind === 'lazy')) {
      const elements = elementsOf(step, op);
      if (kind !== 'lazy') storeElements(step, result!, elements);
      else {
        const { elementType } = tensorTypeOf(result!);
        step.hold(result!, { type: elementType, sizes: step.asStated(result!, elements.sizes), lazy: elements.lazy });
      }
      return;
    }
    this.#stored(op);
  }

  #stored(op: Op): void {
    if (!isIn(kernels, op)) throw this.#step.unsupported('tensors of unknown size');
    dispatch(kernels, op, this.#context);
  }

  #table(op: Op<'constant'>): void {
    const { type } = op.attributes.value;
    const name = `c${this.#constants.size}`;
    this.#constants.set(name, op);
    const pointer = `((const ${memoryType(type.elementType)} *)${name})`;
    this.#step.hold(op.results[0], {
      type: type.elementType,
      sizes: type.shape,
      memory: { pointer, block: undefined },
    });
  }
}

/** The helpers for ops that write memory. */
interface Context {
  readonly step: Step;
  readonly module: Module;
  /** Writes the ops of a region. */
  readonly region: (region: Region) => void;
  /** Puts a constant into the program's memory. */
  readonly table: (op: Op<'constant'>) => void;
}

/** The results share the memory of the operands. */
const shared = (op: Op, { step }: Context): void =>
  op.operands.forEach((v, i) => {
    step.share(op.results[i]!, v, step.sizes(v));
  });

const kernels: PerOp<NameWith<'stored'>, void, [Context]> = {
  constant: (op, { table }) => table(op),
  reshape: (op, { step }) => reshape(step, op),
  dynamic_reshape: (op, { step }) => reshape(step, op),
  'tensor.cast': shared,
  optimization_barrier: shared,
  concatenate: (op, { step }) => concatenate(step, op),
  pad: (op, { step }) => pad(step, op),
  dynamic_pad: (op, { step }) => dynamicPad(step, op),
  dynamic_update_slice: (op, { step }) => dynamicUpdateSlice(step, op),
  scatter: (op, { step }) => scatter(step, op),
  reduce: (op, { step }) => reduce(step, op),
  reduce_window: (op, { step }) => reduceWindow(step, op),
  select_and_scatter: (op, { step }) => selectAndScatter(step, op),
  sort: (op, { step }) => sort(step, op),
  dot_general: (op, { step }) => dotGeneral(step, op),
  convolution: (op, { step }) => convolution(step, op, op.attributes.padding),
  dynamic_conv: (op, { step }) => dynamicConvolution(step, op),
  rng_bit_generator: (op, { step }) => rngBitGenerator(step, op),
  all_reduce: (op, { step, module }) => allReduce(step, op, module),
  while: (op, { step, region }) => whileLoop(step, op, region),
  if: (op, { step, region }) => ifElse(step, op, region),
  case: (op, { step, region }) => caseOf(step, op, region),
  custom_call: (op, { step }) => (isRandomBits(op) ? randomBits(step, op) : assertShape(step, op)),
};

const hasAtoms = (op: Op): op is Op<NameWith<'atoms'>> => formOf(op).atoms === true;

function assertShape(step: Step, op: Op<'custom_call'>): void {
  const message = assertionMessage(op);
  if (message === undefined) throw step.unsupported(`the target @${op.attributes.callTargetName}`);
  const [ok, ...values] = op.operands.map(v => step.atom(v));
  step.assertion(ok!, message, values);
}
