// The reference interpreter: evaluates a module op by op, from literals to literals. The oracle for everything that is
// compiled, the eager debug mode, and the fallback where no C compiler exists. It is simple and obviously correct, not fast.
//
// Several processes (replicas × partitions) run in turn, each until it needs the others: process.ts, process-grid.ts.

import { assertNever, type SourceLocation, TrenioError } from '../base/errors.ts';
import { zip } from '../base/zip.ts';
import type { Collective } from './attributes.ts';
import type { Literal } from './literal.ts';
import { checkSteps } from './loop-limit.ts';
import { Process, type World } from './process.ts';
import { type Peers, ProcessGrid } from './process-grid.ts';
import { type Func, type Module, mainOf, type Op, type OpOf, type Value } from './program.ts';
import { meshGroups } from './sharding/of-module.ts';
import type { RuntimeValue } from './steps.ts';
import { dynamicDim, formatType, type Type } from './types.ts';

/** Options of `interpret`. */
export interface InterpreterOptions {
  /**
   * The maximum number of loop iterations in one process, beyond which INTERPRETER_STEP_LIMIT is thrown; unlimited by default.
   */
  readonly maxLoopSteps?: number;
  /** Called with each op after it was evaluated: used by eager debugging to print and check values. */
  readonly onOp?: (op: Op, results: readonly Literal[], operands: readonly Literal[], process: number) => void;
  /**
   * The position of this process among those of the module, if each runs in a separate interpreter, and its link to the others.
   */
  readonly peers?: Peers;
  /** The implementations of custom_call targets. */
  readonly customCalls?: {
    /** Evaluates a call of this target. */
    readonly [target: string]: (op: OpOf<'custom_call'>, args: readonly Literal[]) => readonly Literal[];
  };
  /** Runs the grid of an interpreter.run_parallel in another way; if it returns undefined, the grid is run here. */
  readonly runGrid?: (
    module: Module,
    programs: readonly (readonly string[])[],
    infeed: readonly string[],
    args: readonly RuntimeValue[],
  ) => readonly RuntimeValue[] | undefined;
  /** Functions whose results `infeed` reads, in this order. */
  readonly infeed?: readonly string[];
  /** Called with the values that a process writes to its outfeed. */
  readonly onOutfeed?: (values: readonly Literal[], process: number) => void;
  /** Called for `interpreter.probe` with its name, the number of earlier calls with that name, and the value. */
  readonly onProbe?: (id: string, iteration: number, value: Literal) => void;
  /** Called for `interpreter.print` with the value. */
  readonly onPrint?: (value: Literal, op: OpOf<'interpreter.print'>) => void;
}

/**
 * Evaluates `main` in one process: literals in, literals out.
 * @throws {INTERPRETER_ARGUMENTS} if the arguments do not match
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * const module = hlo.moduleOf(main);
 * const [sum] = hlo.interpret(module, [hlo.literal('f32', [2], [1, 2])]);
 * hlo.toNumbers(sum!) // [2, 4]
 */
export function interpret(
  module: Module,
  args: readonly Literal[],
  options: InterpreterOptions = {},
): readonly Literal[] {
  return new Interpreter(module, options).run([args])[0]!;
}

/**
 * Evaluates `main` in every process of the module (replicas × partitions), with one list of arguments and one of results per
 * process.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * const module = hlo.moduleOf(main);
 * const results = hlo.interpretReplicas(module, [[hlo.literal('f32', [2], [1, 2])]]);
 * hlo.toNumbers(results[0]![0]!) // [2, 4]
 */
export function interpretReplicas(
  module: Module,
  args: readonly (readonly Literal[])[],
  options: InterpreterOptions = {},
): readonly (readonly Literal[])[] {
  return new Interpreter(module, options).run(args);
}

/**
 * Evaluates a single op, given its operands and the values that its regions capture. For folding
 * constants, eager debugging and tests; calls are not supported, and collectives run in a group of one.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * const x = hlo.literal('f32', [2], [1, 2]);
 * hlo.evaluateOp(main.body.ops[0]!, [x, x]).map(hlo.toNumbers) // [[2, 4]]
 */
export function evaluateOp(
  op: Op,
  operands: readonly Literal[],
  captured: ReadonlyMap<Value, Literal> = new Map(),
  options: InterpreterOptions = {},
): readonly Literal[] {
  const interpreter = new Interpreter({ name: 'op', functions: [], numReplicas: 1, numPartitions: 1 }, options);
  const environment = new Map<Value, RuntimeValue>(captured);
  for (const [value, literal] of zip(op.operands, operands)) environment.set(value, literal);
  return interpreter.runOp(op, environment);
}

class Interpreter implements World {
  readonly #module: Module;
  readonly #functions: ReadonlyMap<string, Func>;
  readonly #options: InterpreterOptions;
  readonly #probes = new Map<string, Literal[]>();

  constructor(module: Module, options: InterpreterOptions) {
    this.#module = module;
    this.#options = options;
    this.#functions = new Map(module.functions.map(f => [f.name, f]));
  }

  run(args: readonly (readonly Literal[])[]): readonly (readonly Literal[])[] {
    const { numReplicas, numPartitions } = this.#module;
    const main = mainOf(this.#module);
    const declared = numReplicas * numPartitions;
    if (args.length !== 1 && args.length !== declared) {
      throw new TrenioError('INTERPRETER_ARGUMENTS', {
        function: main.name,
        detail: `the module runs in ${declared} processes, got arguments for ${args.length}`,
      });
    }
    for (const mine of args) checkArguments(main, mine);
    const { peers, infeed } = this.#options;
    const grid = new ProcessGrid({ numReplicas, numPartitions }, infeed, peers);
    const steps = args.map((mine, p) => new Process(peers?.process ?? p, grid, this).call(main, mine));
    return grid.run(steps) as readonly (readonly Literal[])[];
  }

  runOp(op: Op, environment: Map<Value, RuntimeValue>): readonly Literal[] {
    const grid = new ProcessGrid({ numReplicas: 1, numPartitions: 1 });
    const region = { args: [], ops: [op], results: op.results };
    return grid.run([new Process(0, grid, this).region(region, environment, [])])[0] as readonly Literal[];
  }

  runGrid(
    programs: readonly (readonly string[])[],
    infeed: readonly string[],
    args: readonly RuntimeValue[],
  ): readonly RuntimeValue[] {
    const elsewhere = this.#options.runGrid?.(this.#module, programs, infeed, args);
    if (elsewhere !== undefined) return elsewhere;
    const grid = new ProcessGrid({ numReplicas: programs.length, numPartitions: programs[0]?.length ?? 0 }, infeed);
    let next = 0;
    const steps = programs.flat().map((name, p) => {
      const func = this.callee(name, undefined);
      const mine = args.slice(next, next + func.body.args.length);
      next += mine.length;
      return new Process(p, grid, this).call(func, mine);
    });
    return grid.run(steps).flat();
  }

  callee(name: string, location: SourceLocation | undefined): Func {
    const callee = this.#functions.get(name);
    if (callee !== undefined && callee.declaredResults === undefined) return callee;
    const detail = `it is called, but the module ${callee === undefined ? 'does not define' : 'only declares'} it`;
    throw new TrenioError('INVALID_PROGRAM', { function: name, detail }, { location });
  }

  groupsOf({ meshAxes, replicaGroups }: Collective): readonly (readonly number[])[] {
    return meshAxes === undefined ? replicaGroups : meshGroups(meshAxes, this.#module);
  }
  allowSteps(steps: number, loop: Op): void {
    checkSteps(steps, loop, this.#options.maxLoopSteps);
  }
  onOp(op: Op, results: readonly Literal[], operands: readonly Literal[], process: number): void {
    this.#options.onOp?.(op, results, operands, process);
  }
  customCall(op: OpOf<'custom_call'>, args: readonly Literal[]): readonly Literal[] | undefined {
    const { customCalls = {} } = this.#options;
    const target = op.attributes.callTargetName;
    return Object.hasOwn(customCalls, target) ? customCalls[target]!(op, args) : undefined;
  }
  probe(id: string, value: Literal): void {
    const before = this.#probes.get(id) ?? [];
    this.#probes.set(id, [...before, value]);
    this.#options.onProbe?.(id, before.length, value);
  }
  probed(id: string): readonly Literal[] {
    return this.#probes.get(id) ?? [];
  }
  print(op: OpOf<'interpreter.print'>, value: Literal): void {
    this.#options.onPrint?.(value, op);
  }
  outfeed(values: readonly Literal[], process: number): void {
    this.#options.onOutfeed?.(values, process);
  }
}

function checkArguments(main: Func, args: readonly Literal[]): void {
  const expected = main.body.args;
  const fits = (type: Type, lit: Literal): boolean => {
    switch (type.kind) {
      case 'token':
      case 'tuple':
      case 'future':
        return false;
      case 'tensor':
        return (
          lit.type.elementType === type.elementType &&
          lit.type.shape.length === type.shape.length &&
          type.shape.every((d, i) => d === dynamicDim || d === lit.type.shape[i])
        );
      default:
        return assertNever(type);
    }
  };
  if (args.length !== expected.length) {
    throw new TrenioError('INTERPRETER_ARGUMENTS', {
      function: main.name,
      detail: `it takes ${expected.length} arguments, got ${args.length}`,
    });
  }
  expected.forEach((v, i) => {
    if (!fits(v.type, args[i]!)) {
      throw new TrenioError('INTERPRETER_ARGUMENTS', {
        function: main.name,
        detail: `argument ${i} must be ${formatType(v.type)}, got ${formatType(args[i]!.type)}`,
      });
    }
  });
}
