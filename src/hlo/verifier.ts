// Checks a module: every value is defined before it is used, every op's types are what the op table infers, regions and
// functions give back what they say, calls and aliases fit. What passes return must pass this.
import { type SourceLocation, TrenioError } from '../base/errors.ts';
import type { Collective } from './attributes.ts';
import { inferTypes, opTable } from './op-table.ts';
import { shapesAgree } from './ops/shape-checks.ts';
import type { Func, Module, Op, Region, Value } from './program.ts';
import { formatType, type Type } from './types.ts';
import { callsOf } from './walk.ts';

/** Throws INVALID_PROGRAM or INVALID_OP at the first thing that is wrong. */
export function verify(module: Module): void {
  const functions = new Map<string, Func>();
  for (const func of module.functions) {
    if (functions.has(func.name)) refuse(func.name, 'two functions have this name');
    functions.set(func.name, func);
  }
  if (module.functions.length === 0) refuse(module.name, 'the module has no function');
  for (const func of module.functions) new FunctionVerifier(func, module, functions).run();
  refuseRecursion(functions);
}

/** The same for a function that calls no other. */
export function verifyFunc(func: Func): void {
  verify({ name: func.name, functions: [func], numReplicas: 1, numPartitions: 1 });
}

function refuse(name: string, detail: string, location?: SourceLocation): never {
  throw new TrenioError('INVALID_PROGRAM', { function: name, detail }, { location });
}

/** Equal, or different only where one of the two is not known before the program runs. */
function compatible(a: Type, b: Type): boolean {
  switch (a.kind) {
    case 'tensor':
      return b.kind === 'tensor' && a.elementType === b.elementType && shapesAgree(a.shape, b.shape);
    case 'tuple':
      return (
        b.kind === 'tuple' &&
        a.elements.length === b.elements.length &&
        a.elements.every((e, i) => compatible(e, b.elements[i]!))
      );
    default:
      return b.kind === 'token';
  }
}
const allCompatible = (a: readonly Type[], b: readonly Type[]): boolean =>
  a.length === b.length && a.every((t, i) => compatible(t, b[i]!));
const show = (types: readonly Type[]): string => `(${types.map(formatType).join(', ')})`;
const typesOf = (values: readonly Value[]): readonly Type[] => values.map(v => v.type);

class FunctionVerifier {
  readonly #func: Func;
  readonly #module: Module;
  readonly #functions: ReadonlyMap<string, Func>;
  readonly #visible = new Set<Value>();
  readonly #ids = new Set<number>();

  constructor(func: Func, module: Module, functions: ReadonlyMap<string, Func>) {
    this.#func = func;
    this.#module = module;
    this.#functions = functions;
  }

  run(): void {
    this.#region(this.#func.body, 'the function');
    const { aliases, body } = this.#func;
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
      if (taken.has(result)) this.#refuse(`result ${result} takes over the memory of two arguments`);
      taken.add(result);
    });
  }

  #refuse(detail: string, op?: Op): never {
    return refuse(this.#func.name, op === undefined ? detail : `${op.name}: ${detail}`, op?.location);
  }

  #define(value: Value, where: string, op?: Op): void {
    if (this.#ids.has(value.id)) this.#refuse(`${where} defines %${value.id}, which is defined already`, op);
    this.#ids.add(value.id);
    this.#visible.add(value);
  }

  /** Checks a region; what it defines is visible only until its end. */
  #region(region: Region, where: string): void {
    const defined: Value[] = [];
    region.args.forEach((arg, i) => {
      if (arg.op !== undefined || arg.index !== i) this.#refuse(`argument ${i} of ${where} does not say so itself`);
      this.#define(arg, `an argument of ${where}`);
      defined.push(arg);
    });
    for (const op of region.ops) {
      this.#op(op);
      defined.push(...op.results);
    }
    for (const value of region.results) {
      if (!this.#visible.has(value)) this.#refuse(`${where} gives back %${value.id}, which is not defined there`);
    }
    for (const value of defined) this.#visible.delete(value);
  }

  #op(op: Op): void {
    if (opTable[op.name] === undefined) this.#refuse('there is no such op', op);
    op.operands.forEach((v, i) => {
      if (!this.#visible.has(v)) this.#refuse(`operand ${i}, %${v.id}, is not defined before it is used`, op);
    });
    for (const region of op.regions) this.#region(region, `a region of ${op.name}`);
    const inferred = inferTypes(op.name, typesOf(op.operands), op.attributes as never, op.regions, op.location);
    if (!allCompatible(inferred, typesOf(op.results)))
      this.#refuse(`its results are ${show(typesOf(op.results))}, they must be ${show(inferred)}`, op);
    op.results.forEach((v, i) => {
      if (v.op !== op || v.index !== i) this.#refuse(`result ${i} does not name the op and its place`, op);
      this.#define(v, op.name, op);
    });
    if (op.name === 'func.call') this.#call(op);
    if (opTable[op.name].kind === 'collective') this.#groups(op, op.attributes as Collective);
  }

  #call(op: Op<'func.call'>): void {
    const callee = this.#functions.get(op.attributes.callee);
    if (callee === undefined) this.#refuse(`the module has no function @${op.attributes.callee}`, op);
    const { args, results } = callee.body;
    if (!allCompatible(typesOf(op.operands), typesOf(args)))
      this.#refuse(`@${callee.name} takes ${show(typesOf(args))}, got ${show(typesOf(op.operands))}`, op);
    if (!allCompatible(typesOf(op.results), typesOf(results)))
      this.#refuse(`@${callee.name} gives ${show(typesOf(results))}, the call says ${show(typesOf(op.results))}`, op);
  }

  #groups(op: Op, { replicaGroups, useGlobalDeviceIds }: Collective): void {
    const { numReplicas, numPartitions } = this.#module;
    const limit = useGlobalDeviceIds ? numReplicas * numPartitions : numReplicas;
    const outside = replicaGroups.flat().find(id => id >= limit);
    if (outside !== undefined) this.#refuse(`its groups name process ${outside}, the module has ${limit}`, op);
  }
}

function refuseRecursion(functions: ReadonlyMap<string, Func>): void {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (done.has(name)) return;
    if (path.includes(name))
      refuse(name, `functions call each other in a circle: ${[...path, name].map(n => `@${n}`).join(' → ')}`);
    for (const op of functions.get(name)!.body.ops) for (const callee of callsOf(op)) visit(callee, [...path, name]);
    done.add(name);
  };
  for (const name of functions.keys()) visit(name, []);
}
