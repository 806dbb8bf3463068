// Explains the compilation of a program: the same stages as `compileToC`, with their decisions instead of the C.
import { TrenioError } from '../../../base/errors.ts';
import { type Module, type Op, tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { byteSize, formatType } from '../../../hlo/types.ts';
import { forEachOp } from '../../../hlo/walk.ts';
import type { Operators } from '../../ir/operators.ts';
import type { Block, KernelStep } from '../../ir/schedule.ts';
import { storageRootOf } from '../../lowering/storage-root.ts';
import type { Location } from '../../memory/memory-plan.ts';
import { Rematerialization } from '../../schedule/rematerialization.ts';
import { printModule } from '../c/print-module.ts';
import { opsOf, viewsOf } from '../counting/step-description.ts';
import { hasUnknownSizes, prepareDynamic } from '../dynamic/index.ts';
import type { CpuTarget } from '../target/target.ts';
import type { ComputedAgain, ExplainedKernel, ExplainedOp, ExplainedValue, Explanation } from './explanation.ts';
import { explainMemory } from './memory.ts';
import { type StoredFacts, whyKernel, whyStored } from './reasons.ts';

/** @throws {UNSUPPORTED} for ops that only the interpreter supports, and for programs whose sizes are not known */
export function explainProgram(module: Module, target: CpuTarget, operators: Operators = new Map()): Explanation {
  if (module.functions.some(hasUnknownSizes)) {
    const func = prepareDynamic(module);
    if (!hasUnknownSizes(func)) return explainProgram({ ...module, functions: [func] }, target, operators);
    const instead = 'give the arguments sizes: kernels of such programs are single ops';
    throw new TrenioError('UNSUPPORTED', { what: 'a program of unknown sizes', where: 'an explanation', instead });
  }
  const recorded: { name: string; location: Op['location'] }[] = [];
  for (const func of module.functions)
    forEachOp(func.body, op => recorded.push({ name: op.name, location: op.location }));
  const { main, schedule, kernelOf, memory, printed } = printModule(module, target, operators);
  const rematerialization = new Rematerialization();
  let scheduled = 0;
  rematerialization.add(main.body);
  forEachOp(main.body, op => {
    scheduled++;
    for (const region of op.regions) rematerialization.add(region);
  });

  const steps = printed.steps as readonly KernelStep[];
  const nameOf = (call: number): string => printed.kernels[printed.calls[call]!]!.name;
  const results = new Set(main.body.results.map(storageRootOf));
  const inControl = valuesOfControl(schedule.main);
  const readers = new Map<Value, { step: KernelStep; kernel: string }[]>();
  steps.forEach((step, call) => {
    for (const v of new Set(step.reads)) readers.set(v, [...(readers.get(v) ?? []), { step, kernel: nameOf(call) }]);
  });

  const explain = (value: Value, facts?: StoredFacts): ExplainedValue => ({
    value: `%${value.id}`,
    from: value.op?.name ?? `argument ${value.index}`,
    type: formatType(value.type),
    bytes: byteSize(tensorTypeOf(value)),
    memory: memoryText(memory.locationOf(value)),
    why: facts === undefined ? [] : whyStored(value, facts, rematerialization),
  });
  const kernels = printed.kernels.map((info, number): ExplainedKernel => {
    const calls = printed.calls.flatMap((k, call) => (k === number ? [call] : []));
    const step = steps[calls[0]!]!;
    const operands = kernelOf(step)?.operands ?? [];
    const written = (value: Value): StoredFacts => ({
      writer: step,
      isResult: results.has(value),
      readers: readers.get(value) ?? [],
      inControl: inControl.has(value),
    });
    return {
      ...info,
      ops: opsOf(step).map(explainOp),
      views: viewsOf(step).map(explainOp),
      why: whyKernel(step, calls.length, target),
      calls,
      reads: operands.filter(o => o.access === 'read').map(o => explain(o.value)),
      writes: operands.filter(o => o.access === 'write').map(o => explain(o.value, written(o.value))),
    };
  });
  return {
    name: module.name,
    isa: target.isa,
    recorded,
    scheduled,
    kernels,
    computedAgain: computedAgain(steps, nameOf, rematerialization),
    memory: explainMemory(main, steps, kernelOf, memory, explain),
  };
}

const explainOp = (op: Op): ExplainedOp => ({
  name: op.name,
  type: op.results[0] === undefined ? '' : formatType(op.results[0].type),
  location: op.location,
});

function memoryText(location: Location): string {
  if (location.kind === 'arena') return `arena + ${location.offset}`;
  return location.kind === 'constant' ? 'constant' : `${location.kind} ${location.index}`;
}

/** The values that loops and branches read, carry and return. */
function valuesOfControl(block: Block): ReadonlySet<Value> {
  const values = new Set<Value>();
  for (const step of block.steps) {
    if (step.kind !== 'control') continue;
    for (const v of [...step.reads, ...step.writes]) values.add(v);
    for (const inner of step.blocks) {
      for (const v of inner.results) values.add(storageRootOf(v));
      for (const v of valuesOfControl(inner)) values.add(v);
    }
  }
  return values;
}

function computedAgain(
  steps: readonly KernelStep[],
  nameOf: (call: number) => string,
  rematerialization: Rematerialization,
): readonly ComputedAgain[] {
  const calls = new Map<Op, string[]>();
  steps.forEach((step, call) => {
    if (step.kind !== 'fused') return;
    for (const op of opsOf(step)) calls.set(op, [...(calls.get(op) ?? []), nameOf(call)]);
  });
  return [...calls]
    .filter(([, kernels]) => kernels.length > 1)
    .map(([op, kernels]) => {
      const cost = Math.round(rematerialization.costOf(op.results[0]!));
      const why = `${cost} units of work an element, from at most one large value: cheaper than keeping it`;
      return { ...explainOp(op), kernels: [...new Set(kernels)], why };
    });
}
