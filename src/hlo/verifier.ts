// Checks a module: every value is defined before it is used, every op's types are compatible with those inferred by the op table,
// regions and functions return the declared types, calls and aliases are consistent. Parsed programs and the output of
// passes must satisfy this.
import { type SourceLocation, TrenioError } from '../base/errors.ts';
import type { Collective, OpName } from './attributes.ts';
import type { OpRow } from './op-row.ts';
import { inferTypes, opTable, verifyStated } from './op-table.ts';
import { checkRunParallel } from './ops/interpreter-ops.ts';
import { allCompatible, compatible, compatibleShapes } from './ops/shape-checks.ts';
import type { Func, Module, Op, Region, Value } from './program.ts';
import { hasSymbol, meshGroups, meshOf } from './sharding/of-module.ts';
import { checkFuncShardings, checkOpShardings } from './sharding/verify.ts';
import { formatType, sameType, type Type } from './types.ts';
import { verifyType } from './verify-types.ts';
import { callsOf } from './walk.ts';

/** Regions nested deeper than this are rejected, before they exhaust the stack. */
const maxDepth = 200;

/**
 * Checks every function of a module: types, arity, constraints of ops, names.
 * @throws {INVALID_PROGRAM} at the first error
 * @throws {INVALID_OP} at the first error
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * const module = hlo.moduleOf(main);
 * hlo.verify(module);
 */
export function verify(module: Module): void {
  for (const count of [module.numReplicas, module.numPartitions, module.numReplicas * module.numPartitions])
    if (!Number.isSafeInteger(count) || count < 1) refuse(module.name, `${count} is not a valid number of processes`);
  const functions = new Map<string, Func>();
  for (const func of module.functions) {
    if (functions.has(func.name)) refuse(func.name, 'two functions have this name');
    functions.set(func.name, func);
  }
  for (const func of module.functions) new FunctionVerifier(func, module, functions).run();
  refuseRecursion(functions);
}

/**
 * Checks a single function without calls.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.verifyFunc(main);
 */
export function verifyFunc(func: Func): void {
  verify({ name: func.name, functions: [func], numReplicas: 1, numPartitions: 1 });
}

function refuse(name: string, detail: string, location?: SourceLocation): never {
  throw new TrenioError('INVALID_PROGRAM', { function: name, detail }, { location });
}

const allEqual = (a: readonly Type[], b: readonly Type[]): boolean =>
  a.length === b.length && a.every((t, i) => sameType(t, b[i]!));
const show = (types: readonly Type[]): string => `(${types.map(formatType).join(', ')})`;
const typesOf = (values: readonly Value[]): readonly Type[] => values.map(v => v.type);
const resultsOf = (func: Func): readonly Type[] => func.declaredResults ?? typesOf(func.body.results);

/** Whether the stated result types are compatible with the inferred ones. */
function agree(op: Op, inferred: readonly Type[]): boolean {
  const { results } = op;
  if (results.length !== inferred.length) return false;
  const { stated } = opTable[op.name];
  for (let i = 0; i < results.length; i++) {
    const [a, b] = [inferred[i]!, results[i]!.type];
    if (a === b) continue;
    if (stated !== undefined && a.kind === 'tensor' && b.kind === 'tensor') {
      if (stated === 'elements' && !compatibleShapes(a, b)) return false;
    } else if (!compatible(a, b)) return false;
  }
  return true;
}

const gone = 'gone';

class FunctionVerifier {
  readonly #func: Func;
  readonly #module: Module;
  readonly #functions: ReadonlyMap<string, Func>;
  /** By id, the values that are defined and visible; `gone` for values of regions that have ended. */
  readonly #values: (Value | typeof gone)[] = [];
  /** By id, the scope of a value: each isolated region opens a new one. */
  readonly #spaces: number[] = [];
  #space = 0;
  #lastSpace = 0;

  constructor(func: Func, module: Module, functions: ReadonlyMap<string, Func>) {
    this.#func = func;
    this.#module = module;
    this.#functions = functions;
  }

  run(): void {
    this.#region(this.#func.body, undefined, 0);
    const problem = checkFuncShardings(this.#func, this.#module);
    if (problem !== undefined) this.#refuse(problem);
    const { aliases, body } = this.#func;
    for (const type of this.#func.declaredResults ?? []) verifyType(type);
    if (aliases.length !== body.args.length)
      this.#refuse(`${aliases.length} aliases for ${body.args.length} arguments`);
    const taken = new Set<number>();
    aliases.forEach((result, i) => {
      if (result === undefined) return;
      const value = body.results[result];
      if (value === undefined) this.#refuse(`argument ${i} is aliased to result ${result} of ${body.results.length}`);
      if (!compatible(body.args[i]!.type, value.type))
        this.#refuse(
          `argument ${i} (${formatType(body.args[i]!.type)}) is aliased to result ${result} (${formatType(value.type)})`,
        );
      if (taken.has(result)) this.#refuse(`result ${result} is aliased to two arguments`);
      taken.add(result);
    });
  }

  #refuse(detail: string, op?: Op): never {
    return refuse(this.#func.name, op === undefined ? detail : `${op.name}: ${detail}`, op?.location);
  }

  #define(value: Value, op: Op | undefined): void {
    if (this.#values[value.id] !== undefined) this.#refuse(`%${value.id} is defined twice`, op);
    this.#values[value.id] = value;
    this.#spaces[value.id] = this.#space;
    verifyType(value.type);
  }
  #sees(value: Value): boolean {
    return this.#values[value.id] === value && this.#spaces[value.id] === this.#space;
  }

  /** Checks a region of an op or of the function; values defined in it are visible only until its end. */
  #region(region: Region, holder: Op | undefined, depth: number): void {
    if (depth > maxDepth) this.#refuse(`regions are nested more than ${maxDepth} levels deep`, holder);
    region.args.forEach((arg, i) => {
      if (arg.op !== undefined || arg.index !== i)
        this.#refuse(`argument ${i} of a region has another index or a defining op`, holder);
      this.#define(arg, holder);
    });
    for (const op of region.ops) this.#op(op, depth);
    for (const value of region.results) {
      if (!this.#sees(value)) this.#refuse(`a region returns %${value.id}, which is not defined there`, holder);
    }
    for (const arg of region.args) this.#values[arg.id] = gone;
    for (const op of region.ops) for (const value of op.results) this.#values[value.id] = gone;
  }

  #op(op: Op, depth: number): void {
    const row = opTable[op.name];
    if (row === undefined) this.#refuse('unknown op', op);
    op.operands.forEach((value, i) => {
      if (!this.#sees(value)) this.#refuse(`operand ${i}, %${value.id}, is not defined before it is used`, op);
    });
    if (op.regions.length > 0) this.#regions(op, row.isolated === true, depth);
    const inferred = inferTypes(op.name, typesOf(op.operands), op.attributes as never, op.regions, op.location);
    if (!agree(op, inferred))
      this.#refuse(`its results are ${show(typesOf(op.results))}, expected ${show(inferred)}`, op);
    for (let i = 0; i < op.results.length; i++) {
      const value = op.results[i]!;
      if (value.op !== op || value.index !== i) this.#refuse(`result ${i} does not refer to the op and its index`, op);
      this.#define(value, op);
    }
    verifyStated(op);
    const callee = (row as OpRow<OpName>).callee?.(op as never);
    if (callee !== undefined) this.#call(op, callee, typesOf(op.operands), typesOf(op.results));
    const applied = (row as OpRow<OpName>).applies?.(op as never);
    if (applied !== undefined) this.#call(op, { ...applied, exact: true }, applied.args, applied.results);
    if (op.name === 'interpreter.run_parallel') checkRunParallel(op, this.#functions, resultsOf);
    if (row.kind === 'collective') this.#groups(op, op.attributes as Collective);
    const problem = checkOpShardings(op, this.#module);
    if (problem !== undefined) this.#refuse(problem, op);
  }

  #regions(op: Op, isolated: boolean, depth: number): void {
    const outer = this.#space;
    for (const region of op.regions) {
      if (isolated) this.#space = ++this.#lastSpace;
      this.#region(region, op, depth + 1);
    }
    this.#space = outer;
  }

  /** A call may have more or less precise sizes than the function; a composite must match its function exactly. */
  #call(
    op: Op,
    { name, exact }: { readonly name: string; readonly exact: boolean },
    operands: readonly Type[],
    declared: readonly Type[],
  ): void {
    const callee = this.#functions.get(name);
    if (callee === undefined) this.#refuse(`the module has no function @${name}`, op);
    const fits = exact ? allEqual : allCompatible;
    const [args, results] = [typesOf(callee.body.args), resultsOf(callee)];
    if (!fits(operands, args)) this.#refuse(`@${name} takes ${show(args)}, got ${show(operands)}`, op);
    if (!fits(declared, results))
      this.#refuse(`@${name} returns ${show(results)}, the call declares ${show(declared)}`, op);
  }

  /** Groups contain processes of the module. A module that does not declare its processes can be run by any number of them. */
  #groups(op: Op, { replicaGroups = [], meshAxes, useGlobalDeviceIds, channelId = 0 }: Partial<Collective>): void {
    const { numReplicas, numPartitions } = this.#module;
    if (meshAxes !== undefined) {
      const { mesh } = meshAxes;
      if (meshOf(mesh, this.#module) !== undefined) meshGroups(meshAxes, this.#module);
      // A mesh may be declared by an op of another dialect.
      else if (typeof mesh === 'string' && !hasSymbol(this.#module, mesh))
        this.#refuse(`the module has no mesh @${mesh}`, op);
    }
    if (numReplicas * numPartitions === 1) return;
    const acrossPartitions = channelId > 0 ? Math.max(numReplicas, numPartitions) : numReplicas;
    const limit = useGlobalDeviceIds ? numReplicas * numPartitions : acrossPartitions;
    const outside = replicaGroups.flat().find(id => id >= limit);
    if (outside !== undefined) this.#refuse(`its groups name process ${outside}, the module has ${limit}`, op);
  }
}

/** Follows calls with an explicit stack, because a chain of calls may be as long as the module. */
function refuseRecursion(functions: ReadonlyMap<string, Func>): void {
  const callees = (name: string): string[] => {
    const { ops } = functions.get(name)!.body;
    return [...new Set(ops.flatMap(callsOf))];
  };
  const done = new Set<string>();
  for (const start of functions.keys()) {
    if (done.has(start)) continue;
    const open = new Set([start]);
    const stack = [{ name: start, rest: callees(start) }];
    while (stack.length > 0) {
      const { name, rest } = stack.at(-1)!;
      const next = rest.pop();
      if (next === undefined) {
        done.add(name);
        open.delete(name);
        stack.pop();
      } else if (open.has(next)) {
        const circle = [...open].slice([...open].indexOf(next));
        refuse(next, `recursive calls are not supported: ${[...circle, next].map(n => `@${n}`).join(' → ')}`);
      } else if (!done.has(next)) {
        open.add(next);
        stack.push({ name: next, rest: callees(next) });
      }
    }
  }
}
