// while, if, case. For each value carried through a loop, the step function has variables: a number for scalars; a block, its
// pointer and its dynamic sizes for others. Each block is passed from one iteration to the next, so that an update in place
// remains in place.
import { zip } from '../../../base/zip.ts';
import type { Op, Region, Value } from '../../../hlo/program.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import { dynamicDim } from '../../../hlo/types.ts';
import { memoryType, registerType } from '../c/scalar/c-types.ts';
import type { Held } from './element-kernel.ts';
import type { Size } from './sizes.ts';
import type { Step } from './step.ts';
import { isScalar, storageOf, type ValueStorage } from './value-storage.ts';

/** Writes the ops of a region. */
export type Body = (region: Region) => void;

/** Variables that hold a value, declared. */
interface Carrier {
  readonly held: Held;
  /** Sets them to a value; `dies` when nothing else needs it there. */
  assign(value: Value, dies: boolean): void;
}

function carrier(step: Step, value: Value): Carrier {
  const { elementType, shape } = tensorTypeOf(value);
  const { out } = step;
  if (isScalar(value)) {
    const name = step.name(registerType(elementType));
    out.line(`${registerType(elementType)} ${name} = 0;`);
    return {
      held: { type: elementType, sizes: [], atoms: [name] },
      assign: from => out.line(`${name} = ${step.atom(from)};`),
    };
  }
  const block = step.name('t_block *');
  const pointer = step.name(`${memoryType(elementType)} *`);
  out.line(`t_block *${block} = 0;`);
  out.line(`${memoryType(elementType)} *${pointer} = 0;`);
  const sizes = shape.map((d): Size => {
    if (d !== dynamicDim) return d;
    const name = step.name('int64_t');
    out.line(`int64_t ${name} = 0;`);
    return name;
  });
  return {
    held: { type: elementType, sizes, memory: { pointer, block } },
    assign(from, dies) {
      const found = step.known(step.sizes(from));
      sizes.forEach((size, d) => {
        if (typeof size === 'number') step.agreed(size, found[d], d);
        else out.line(`${size} = ${found[d]};`);
      });
      out.line(`${pointer} = ${step.memory(from).pointer};`);
      out.line(`${block} = ${step.taken(from, dies)};`);
    },
  };
}

/** A snapshot of a value whose variables change later. */
function snapshot(step: Step, { type, sizes, atoms, memory }: Held): Held {
  const constant = (cType: string, text: string): string => {
    const name = step.name(cType);
    step.out.line(`${cType} const ${name} = ${text};`);
    return name;
  };
  if (atoms !== undefined) return { type, sizes, atoms: atoms.map(a => constant(registerType(type), a)) };
  return {
    type,
    sizes: sizes.map(s => (typeof s === 'string' ? constant('int64_t', s) : s)),
    memory: {
      pointer: constant(`${memoryType(type)} *`, memory!.pointer),
      block: constant('t_block *', memory!.block!),
    },
  };
}

const outerStorage = (step: Step): ((value: Value) => ReturnType<ValueStorage['of']>) => {
  const { storage } = step;
  return value => (step.heldOrNot(value)?.atoms === undefined ? storage.of(value) : 'atoms');
};

export function whileLoop(step: Step, op: Op<'while'>, body: Body): void {
  const { out } = step;
  const [cond, loop] = op.regions;
  // values that the loop does not change are not carried
  const isFixed = op.operands.map((_, i) => loop.results[i] === loop.args[i]);
  const carriers = op.operands.map((v, i) => (isFixed[i] ? undefined : carrier(step, v)));
  const moved = new Set<Value>();
  op.operands.forEach((v, i) => {
    if (carriers[i] === undefined) return;
    const dies = step.dies(v) && !moved.has(v) && !op.operands.some((w, k) => w === v && isFixed[k]);
    moved.add(v);
    carriers[i].assign(v, dies);
  });
  const fixed = (initial: Value): Held => {
    const { type, sizes, atoms, memory } = step.held(initial);
    // borrowed: the outer code keeps it alive
    return memory === undefined ? { type, sizes, atoms: atoms! } : { type, sizes, memory };
  };
  const go = step.name('_Bool');
  const outer = outerStorage(step);
  out.open('for (int64_t steps = 1;; steps++)');
  out.line(`_Bool ${go};`);
  // the condition only borrows carried values, the body those that it does not change
  out.open('');
  step.scope(withoutOwning(storageOf(cond, outer), cond.args), () => {
    zip(cond.args, op.operands).forEach(([v, initial], i) => {
      step.hold(v, isFixed[i] ? fixed(initial) : snapshot(step, carriers[i]!.held));
    });
    body(cond);
    out.line(`${go} = ${step.atom(cond.results[0]!)};`);
    if (cond.ops.includes(cond.results[0]!.op!)) step.drop(cond.results[0]!);
  });
  out.close();
  out.line(`if (!${go}) break;`);
  out.line('if (steps > rt->max_loop_steps && rt->max_loop_steps > 0) return TRENIO_LOOP_LIMIT;');
  const borrowed = loop.args.filter((_, i) => isFixed[i]);
  step.scope(withoutOwning(storageOf(loop, outer), borrowed), () => {
    zip(loop.args, op.operands).forEach(([v, initial], i) => {
      step.hold(v, isFixed[i] ? fixed(initial) : snapshot(step, carriers[i]!.held));
    });
    body(loop);
    handOver(loop, carriers, i => isFixed[i]!);
  });
  out.close();
  zip(op.results, op.operands).forEach(([v, initial], i) => {
    if (carriers[i] !== undefined) step.hold(v, carriers[i].held);
    else keepAs(step, v, initial);
  });
}

function withoutOwning(storage: ValueStorage, args: readonly Value[]): ValueStorage {
  const rest = (list: readonly Value[]): readonly Value[] => list.filter(v => !args.includes(v));
  return { ...storage, unused: rest(storage.unused), dying: storage.dying.map(rest) };
}

/** An additional use of a value under another name. */
function keepAs(step: Step, value: Value, of: Value): void {
  const held = step.held(of);
  if (held.memory === undefined) step.hold(value, held);
  else step.share(value, of, held.sizes);
  if (held.atoms !== undefined) step.hold(value, { ...step.held(value), atoms: held.atoms });
}

/** Sets the carriers to the results of the region that ends here. */
function handOver(
  region: Region,
  carriers: readonly (Carrier | undefined)[],
  isBorrowed: (arg: number) => boolean,
): void {
  const moved = new Set<Value>();
  region.results.forEach((v, i) => {
    const target = carriers[i];
    if (target === undefined) return;
    const arg = region.args.indexOf(v);
    const isOwn = arg >= 0 ? !isBorrowed(arg) : region.ops.includes(v.op!);
    const last =
      region.results.lastIndexOf(v) === i ||
      !region.results.some((w, k) => k > i && w === v && carriers[k] !== undefined);
    target.assign(v, isOwn && last && !moved.has(v));
    if (isOwn && last) moved.add(v);
  });
}

/** Writes branches with the surrounding code, given a writer for one branch. */
function branches(
  step: Step,
  op: Op<'if' | 'case'>,
  body: Body,
  write: (selector: string, branch: (region: Region) => void) => void,
): void {
  const carriers = op.results.map(v => carrier(step, v));
  const selector = step.atom(op.operands[0]);
  const outer = outerStorage(step);
  write(selector, region =>
    step.scope(storageOf(region, outer), () => {
      body(region);
      handOver(region, carriers, () => false);
    }),
  );
  op.results.forEach((v, i) => {
    step.hold(v, carriers[i]!.held);
  });
}

export function ifElse(step: Step, op: Op<'if'>, body: Body): void {
  const { out } = step;
  const [onTrue, onFalse] = op.regions;
  branches(step, op, body, (selector, branch) => {
    out.open(`if (${selector})`);
    branch(onTrue);
    out.close();
    out.open('else');
    branch(onFalse);
    out.close();
  });
}

export function caseOf(step: Step, op: Op<'case'>, body: Body): void {
  const { out } = step;
  branches(step, op, body, (selector, branch) => {
    out.open(`switch (${selector})`);
    op.regions.forEach((region, i) => {
      // an index out of range takes the last branch
      out.open(i === op.regions.length - 1 ? 'default:' : `case ${i}:`);
      branch(region);
      out.line('break;');
      out.close();
    });
    out.close();
  });
}
