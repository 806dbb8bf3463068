// One process of a program: evaluates regions op by op, from literals to literals. Execution is a coroutine (steps.ts),
// so that it can wait for other processes wherever it is, in loops and calls too.

import { invariant, type SourceLocation, TrenioError } from '../base/errors.ts';
import { zip } from '../base/zip.ts';
import type { Collective, OpName } from './attributes.ts';
import { Builder } from './builder.ts';
import { type Literal, requireMemory } from './literal.ts';
import type { OpRow, ProcessContext } from './op-row.ts';
import { opTable } from './op-table.ts';
import type { GridShape } from './process-groups.ts';
import type { Func, Op, OpOf, Region, Value } from './program.ts';
import { actsOnQuantized, quantizedAsFloat } from './quantized-ops.ts';
import { asUnfit, leavesSizesOpen, requireOperandsFit, requireStated } from './runtime-sizes.ts';
import { type Environment, isLiteral, type RuntimeValue, type Steps, token } from './steps.ts';
import { lastUses } from './walk.ts';

/** The common state of the processes of a run: the module, and its environment. */
export interface World {
  callee(name: string, location: SourceLocation | undefined): Func;
  groupsOf(attributes: Collective): readonly (readonly number[])[];
  /** @throws {INTERPRETER_STEP_LIMIT} beyond the maximum number of loop iterations */
  allowSteps(steps: number, loop: Op): void;
  onOp(op: Op, results: readonly Literal[], operands: readonly Literal[], process: number): void;
  customCall(op: OpOf<'custom_call'>, args: readonly Literal[]): readonly Literal[] | undefined;
  probe(id: string, value: Literal): void;
  probed(id: string): readonly Literal[];
  print(op: OpOf<'interpreter.print'>, value: Literal): void;
  outfeed(values: readonly Literal[], process: number): void;
  runGrid: ProcessContext['runGrid'];
}

/** The parts of its grid that a process needs. */
export interface Surroundings {
  readonly shape: GridShape;
  send(channel: string, values: readonly Literal[]): void;
  nextInfeed(): string | undefined;
}

/** The maximum depth of nested regions and calls, to protect the stack. Only recursive calls reach it. */
const maxDepth = 1000;

export class Process {
  readonly id: number;
  readonly grid: Surroundings;
  readonly world: World;
  readonly #loopSteps = new Map<Op, number>();
  #depth = 0;

  constructor(id: number, grid: Surroundings, world: World) {
    this.id = id;
    this.grid = grid;
    this.world = world;
  }

  /** Evaluates a region. `environment` contains the captured values; those of the region are added. */
  *region(region: Region, environment: Environment, args: readonly RuntimeValue[]): Steps {
    if (++this.#depth > maxDepth) throw tooDeep(region);
    requireStated(region.args, args, 'argument', 'region', region.ops[0]?.location);
    region.args.forEach((v, i) => {
      environment.set(v, args[i]!);
    });
    const dying = lastUses(region);
    for (let i = 0; i < region.ops.length; i++) {
      const op = region.ops[i]!;
      const operands = op.operands.map(v => valueIn(environment, v));
      const row = opTable[op.name] as OpRow<OpName>;
      const context = new Context(this, op, environment);
      // Most ops hold their results in f64 before they are rounded.
      for (const { type } of op.results) if (type.kind === 'tensor') requireMemory(type, 8);
      const isOpen = leavesSizesOpen(op);
      if (isOpen) requireOperandsFit(op, operands);
      let results: readonly RuntimeValue[];
      try {
        const outcome = actsOnQuantized(op)
          ? this.#decomposed(op, environment, operands, quantizedAsFloat)
          : (row.execute?.(op as never, operands, context) ??
            row.evaluate?.(op as never, operands as readonly Literal[], context) ??
            this.#decomposed(op, environment, operands, row.decompose));
        results = 'next' in outcome ? yield* outcome : outcome;
      } catch (error) {
        throw isOpen ? asUnfit(error, op) : error;
      }
      // Sizes may come from elements of operands, too.
      requireStated(op.results, results, 'result', op.name, op.location);
      op.results.forEach((v, k) => {
        environment.set(v, results[k]!);
      });
      this.world.onOp(op, results as readonly Literal[], operands as readonly Literal[], this.id);
      for (const value of dying[i]!) environment.delete(value);
    }
    this.#depth--;
    return region.results.map(v => valueIn(environment, v));
  }

  call(func: Func, args: readonly RuntimeValue[]): Steps {
    return this.region(func.body, new Map(), args);
  }

  countStep(loop: Op): void {
    const steps = (this.#loopSteps.get(loop) ?? 0) + 1;
    this.#loopSteps.set(loop, steps);
    this.world.allowSteps(steps, loop);
  }

  /** Evaluates the decomposition of the op for operands of these types: literals become constants in it. */
  #decomposed(
    op: Op,
    environment: Environment,
    operands: readonly RuntimeValue[],
    decompose: OpRow<OpName>['decompose'],
  ): Steps {
    const builder = new Builder();
    builder.location = op.location;
    const rest = operands.filter(operand => !isLiteral(operand));
    const args: Value[] = [];
    const values = zip(operands, op.operands).map(([operand, { type }]) => {
      if (isLiteral(operand)) return builder.constant(operand);
      const arg = builder.argument(type, args.length);
      args.push(arg);
      return arg;
    });
    const results = decompose?.(builder, op as never, values);
    if (results === undefined) throw unsupported(op.name, 'express the computation with other ops', op);
    return this.region({ args, ops: builder.ops, results }, new Map(environment), rest);
  }
}

/** The interface of the process for ops. */
class Context implements ProcessContext {
  readonly #process: Process;
  readonly #op: Op;
  readonly #environment: Environment;

  constructor(process: Process, op: Op, environment: Environment) {
    this.#process = process;
    this.#op = op;
    this.#environment = environment;
  }

  get process(): number {
    return this.#process.id;
  }
  get grid(): GridShape {
    return this.#process.grid.shape;
  }
  get replicaId(): number {
    return Math.floor(this.process / this.grid.numPartitions);
  }
  get partitionId(): number {
    return this.process % this.grid.numPartitions;
  }
  region(region: Region, args: readonly Literal[]): readonly Literal[] {
    const step = this.execute(region, args).next();
    if (step.done === true) return step.value as readonly Literal[];
    const { name } = step.value.op;
    throw unsupported(`${name} in the region of ${this.#op.name}`, `remove ${name} from the region`, this.#op);
  }
  execute(region: Region, args: readonly RuntimeValue[]): Steps {
    return this.#process.region(region, this.#environment, args);
  }
  call(callee: string, args: readonly RuntimeValue[]): Steps {
    return this.#process.call(this.#process.world.callee(callee, this.#op.location), args);
  }
  groupsOf(attributes: Collective): readonly (readonly number[])[] {
    return this.#process.world.groupsOf(attributes);
  }
  countStep(): void {
    this.#process.countStep(this.#op);
  }
  send(channel: string, values: readonly Literal[]): void {
    this.#process.grid.send(channel, values);
  }
  nextInfeed(): string | undefined {
    return this.#process.grid.nextInfeed();
  }
  outfeed(values: readonly Literal[]): void {
    this.#process.world.outfeed(values, this.process);
  }
  customCall(op: OpOf<'custom_call'>, args: readonly Literal[]): readonly Literal[] | undefined {
    return this.#process.world.customCall(op, args);
  }
  probe(id: string, value: Literal): void {
    this.#process.world.probe(id, value);
  }
  probed(id: string): readonly Literal[] {
    return this.#process.world.probed(id);
  }
  print(op: OpOf<'interpreter.print'>, value: Literal): void {
    this.#process.world.print(op, value);
  }
  runGrid(
    programs: readonly (readonly string[])[],
    infeed: readonly string[],
    args: readonly RuntimeValue[],
  ): readonly RuntimeValue[] {
    return this.#process.world.runGrid(programs, infeed, args);
  }
}

function tooDeep(region: Region): TrenioError {
  const detail = `its regions and calls are nested more than ${maxDepth} levels deep`;
  return new TrenioError('INVALID_PROGRAM', { function: 'main', detail }, { location: region.ops[0]?.location });
}

function unsupported(what: string, instead: string, op: Op): TrenioError {
  return new TrenioError('UNSUPPORTED', { what, where: 'the interpreter', instead }, { location: op.location });
}

function valueIn(environment: Environment, value: Value): RuntimeValue {
  const found = environment.get(value);
  if (found === undefined && value.type.kind === 'token') return token;
  invariant(found !== undefined, `%${value.id} (${value.op?.name ?? 'argument'}) is used before it is defined`);
  return found;
}
