// The reference interpreter: evaluates a module op by op, from literals to literals. The oracle for everything that is
// compiled, the eager debug mode, and the fallback where no C compiler exists. Plain and obviously right, not fast.
//
// Several processes (replicas × partitions) run in lock-step, each with its own values: an op is evaluated for all of
// them before the next one, so that a collective finds the operands of its whole group. `lockstep.ts` does the same for
// control flow that holds collectives; control flow without any runs in each process alone.
import { assertNever, invariant, type SourceLocation, TrenioError } from '../base/errors.ts';
import type { Collective, OpName } from './attributes.ts';
import type { Literal } from './literal.ts';
import { type ControlOp, type Environment, type RuntimeValue, runControl, token } from './lockstep.ts';
import type { EvaluationContext, OpRow } from './op-row.ts';
import { opTable } from './op-table.ts';
import { type Func, type Module, mainOf, type Op, type OpOf, type Region, type Value } from './program.ts';
import { dynamicDim, formatType, type Type } from './types.ts';
import { callsOf, lastUses, regionsHold } from './walk.ts';

export interface InterpreterOptions {
  /** Iterations a loop may take before INTERPRETER_STEP_LIMIT; unlimited when not given. */
  readonly maxLoopSteps?: number;
  /** Called with each op after it was evaluated: what eager debugging prints and checks. */
  readonly onOp?: (op: Op, results: readonly Literal[], operands: readonly Literal[], process: number) => void;
  /** This process among those of the module, when each runs an interpreter of its own: how it meets the others. */
  readonly peers?: {
    readonly process: number;
    exchange(members: readonly number[], mine: readonly Literal[]): readonly (readonly Literal[])[];
  };
  /** The meaning of custom_call targets. */
  readonly customCalls?: {
    readonly [target: string]: (op: OpOf<'custom_call'>, args: readonly Literal[]) => readonly Literal[];
  };
}

/** Evaluates `main` in one process: literals in, literals out. Throws INTERPRETER_ARGUMENTS when they do not fit. */
export function interpret(
  module: Module,
  args: readonly Literal[],
  options: InterpreterOptions = {},
): readonly Literal[] {
  return new Interpreter(module, 1, options).run([args])[0]!;
}

/** Evaluates `main` in every process of the module (replicas × partitions), one list of arguments and of results each. */
export function interpretReplicas(
  module: Module,
  args: readonly (readonly Literal[])[],
  options: InterpreterOptions = {},
): readonly (readonly Literal[])[] {
  return new Interpreter(module, args.length, options).run(args);
}

/** Evaluates one op alone, given its operands. For folding constants and for tests; no calls, no collectives. */
export function evaluateOp(op: Op, operands: readonly Literal[]): readonly Literal[] {
  const region: Region = { args: [], ops: [op], results: op.results };
  const interpreter = new Interpreter({ name: 'op', functions: [], numReplicas: 1, numPartitions: 1 }, 1, {});
  const environment: Environment = new Map();
  op.operands.forEach((v, i) => {
    environment.set(v, operands[i]!);
  });
  return interpreter.runRegion(region, [environment], [[]])[0] as readonly Literal[];
}

export class Interpreter {
  readonly processes: number;
  readonly #module: Module;
  readonly #functions: ReadonlyMap<string, Func>;
  readonly #options: InterpreterOptions;
  readonly #loopSteps = new Map<Op, number>();

  constructor(module: Module, processes: number, options: InterpreterOptions) {
    this.#module = module;
    this.processes = processes;
    this.#options = options;
    this.#functions = new Map(module.functions.map(f => [f.name, f]));
    const declared = module.numReplicas * module.numPartitions;
    if (processes !== 1 && processes !== declared) {
      throw new TrenioError('INTERPRETER_ARGUMENTS', {
        function: module.functions[0]?.name ?? module.name,
        detail: `the module runs in ${declared} processes, got arguments for ${processes}`,
      });
    }
  }

  run(args: readonly (readonly Literal[])[]): readonly (readonly Literal[])[] {
    const main = mainOf(this.#module);
    for (const mine of args) checkArguments(main, mine);
    this.#loopSteps.clear();
    const results = this.runRegion(
      main.body,
      args.map(() => new Map()),
      args,
    );
    return results as readonly (readonly Literal[])[];
  }

  /**
   * Evaluates a region in each of some processes. `environments` holds their values so far and takes up new ones;
   * undefined for a process that takes no part, which then gets no results.
   */
  runRegion(
    region: Region,
    environments: readonly (Environment | undefined)[],
    args: readonly (readonly RuntimeValue[])[],
  ): readonly (readonly RuntimeValue[])[] {
    environments.forEach((environment, process) => {
      if (environment === undefined) return;
      region.args.forEach((v, i) => {
        environment.set(v, args[process]![i]!);
      });
    });
    const dying = lastUses(region);
    region.ops.forEach((op, i) => {
      this.#runOp(op, environments);
      for (const value of dying[i]!) for (const environment of environments) environment?.delete(value);
    });
    return environments.map(environment =>
      environment === undefined ? [] : region.results.map(v => valueIn(environment, v)),
    );
  }

  callee(name: string, location: SourceLocation | undefined): Func {
    const callee = this.#functions.get(name);
    if (callee !== undefined) return callee;
    throw new TrenioError(
      'INVALID_PROGRAM',
      { function: name, detail: 'it is called, but the module does not define it' },
      { location },
    );
  }

  /** Counts an iteration of a loop; throws INTERPRETER_STEP_LIMIT when there were too many. */
  countStep(op: OpOf<'while'>): void {
    const steps = (this.#loopSteps.get(op) ?? 0) + 1;
    this.#loopSteps.set(op, steps);
    const limit = this.#options.maxLoopSteps;
    if (limit !== undefined && steps > limit)
      throw new TrenioError('INTERPRETER_STEP_LIMIT', { limit }, { location: op.location });
  }

  #runOp(op: Op, environments: readonly (Environment | undefined)[]): void {
    const operands = environments.map(e => (e === undefined ? [] : op.operands.map(v => valueIn(e, v))));
    const results =
      this.processes > 1 && isControl(op) && this.#exchanges(op)
        ? runControl(this, op, environments, operands)
        : environments.map((e, process) =>
            e === undefined ? [] : this.#evaluate(op, e, operands, environments, process),
          );
    environments.forEach((environment, process) => {
      if (environment === undefined) return;
      op.results.forEach((v, i) => {
        environment.set(v, results[process]![i]!);
      });
      this.#options.onOp?.(
        op,
        results[process] as readonly Literal[],
        operands[process] as readonly Literal[],
        process,
      );
    });
  }

  #evaluate(
    op: Op,
    environment: Environment,
    operands: readonly (readonly RuntimeValue[])[],
    environments: readonly (Environment | undefined)[],
    index: number,
  ): readonly RuntimeValue[] {
    const mine = operands[index]!;
    const { peers } = this.#options;
    const process = peers?.process ?? index;
    if (op.name === 'tuple') return [mine];
    if (op.name === 'get_tuple_element') return [(mine[0] as readonly RuntimeValue[])[op.attributes.index]!];
    if (op.name === 'optimization_barrier') return mine;
    const context: EvaluationContext = {
      region: (region, args) => this.runRegion(region, [environment], [args])[0] as readonly Literal[],
      call: (name, args) => {
        const { body } = this.callee(name, op.location);
        return this.runRegion(body, [new Map()], [args])[0] as readonly Literal[];
      },
      replicaId: Math.floor(process / this.#module.numPartitions),
      partitionId: process % this.#module.numPartitions,
      exchange: groups => {
        const members = this.#groupOf(groups, op, process);
        if (peers !== undefined) return peers.exchange(members, mine as readonly Literal[]);
        return members.map(member => {
          if (environments[member] !== undefined) return operands[member] as readonly Literal[];
          throw new TrenioError(
            'COLLECTIVE_MISMATCH',
            { op: op.name, missing: member, group: members.join(', ') },
            { location: op.location },
          );
        });
      },
      customCall: (call, args) => this.#options.customCalls?.[call.attributes.callTargetName]?.(call, args),
      step: loop => this.countStep(loop),
    };
    const row = opTable[op.name] as OpRow<OpName>;
    return row.evaluate(op as never, mine as readonly Literal[], context);
  }

  /** The processes of the group this one is in, per the rules of the section "Collective ops" of the specification. */
  #groupOf(groups: readonly (readonly number[])[], op: Op, process: number): readonly number[] {
    const declared =
      this.#options.peers === undefined ? this.processes : this.#module.numReplicas * this.#module.numPartitions;
    const { numReplicas, numPartitions } = this.#module;
    const { channelId = 0, useGlobalDeviceIds = false } = op.attributes as Collective;
    const partition = process % numPartitions;
    const all = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);
    const expanded: readonly (readonly number[])[] = useGlobalDeviceIds
      ? groups.length > 0
        ? groups
        : [all(declared)]
      : (groups.length > 0 ? groups : [all(numReplicas)]).map(group =>
          channelId > 0
            ? group.flatMap(replica => all(numPartitions).map(p => replica * numPartitions + p))
            : group.map(replica => replica * numPartitions + partition),
        );
    const mine = expanded.find(group => group.includes(process));
    const outside = mine?.find(member => member >= declared);
    if (mine !== undefined && outside === undefined) return mine;
    throw new TrenioError(
      'COLLECTIVE_MISMATCH',
      { op: op.name, missing: outside ?? process, group: (mine ?? []).join(', ') },
      { location: op.location },
    );
  }

  /** True when a collective may be executed within the op. */
  #exchanges(op: Op, seen: ReadonlySet<string> = new Set()): boolean {
    const isCollective = (inner: Op): boolean => opTable[inner.name].kind === 'collective';
    if (regionsHold(op, isCollective)) return true;
    return callsOf(op).some(name => {
      if (seen.has(name)) return false;
      const { body } = this.callee(name, op.location);
      return body.ops.some(inner => isCollective(inner) || this.#exchanges(inner, new Set([...seen, name])));
    });
  }
}

function isControl(op: Op): op is ControlOp {
  return op.name === 'while' || op.name === 'if' || op.name === 'case' || op.name === 'func.call';
}

function valueIn(environment: Environment, value: Value): RuntimeValue {
  const found = environment.get(value);
  if (found === undefined && value.type.kind === 'token') return token;
  invariant(found !== undefined, `%${value.id} (${value.op?.name ?? 'argument'}) is used before it is defined`);
  return found;
}

function checkArguments(main: Func, args: readonly Literal[]): void {
  const expected = main.body.args;
  const fits = (type: Type, lit: Literal): boolean => {
    switch (type.kind) {
      case 'token':
      case 'tuple':
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
