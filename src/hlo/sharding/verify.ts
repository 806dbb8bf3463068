// Checks that the shardings in a module match their values. Part of the verifier, which calls this for each
// function and op and reports the returned problems.
import type { Func, Module, Op, Value, ValueAttributes } from '../program.ts';
import { dynamicDim, formatType, type Type } from '../types.ts';
import { checkShardingIn, meshOf } from './of-module.ts';
import { axesOf, partsOf, type Sharding } from './sharding.ts';
import { checkManual } from './verify-manual.ts';

/** The problem with the shardings of a function's arguments and results, if any. */
export function checkFuncShardings(func: Func, module: Module): string | undefined {
  const args = func.body.args.map(arg => arg.type);
  const results = func.declaredResults ?? func.body.results.map(value => value.type);
  return (
    firstProblem(args, i => describe(`argument ${i}`, ofAttributes(func.argAttributes?.[i], args[i]!, module))) ??
    firstProblem(results, i => describe(`result ${i}`, ofAttributes(func.resultAttributes?.[i], results[i]!, module)))
  );
}

/** The problem with the shardings of an op, if any. */
export function checkOpShardings(op: Op, module: Module): string | undefined {
  if (op.name === 'sdy.sharding_constraint' || op.name === 'sdy.reshard')
    return of(op.attributes.sharding, op.operands[0].type, module);
  if (op.name === 'sdy.manual_computation') {
    const { inShardings, outShardings } = op.attributes;
    return (
      ofValues('operand', inShardings, op.operands, module) ??
      ofValues('result', outShardings, op.results, module) ??
      checkManual(op, module)
    );
  }
  const shardings = op.sharding?.named;
  return shardings === undefined ? undefined : ofValues('result', shardings, op.results, module);
}

function ofValues(
  what: string,
  shardings: readonly Sharding[],
  values: readonly Value[],
  module: Module,
): string | undefined {
  if (shardings.length !== values.length)
    return `it has ${values.length} ${what}s and ${shardings.length} shardings of them`;
  return firstProblem(values, i => describe(`${what} ${i}`, of(shardings[i]!, values[i]!.type, module)));
}

function of(sharding: Sharding, type: Type, module: Module): string | undefined {
  const inner = type.kind === 'tuple' && type.elements.length === 1 ? type.elements[0]! : type;
  if (inner.kind === 'tensor') return checkShardingIn(sharding, module, inner.shape.length);
  const isPlain = sharding.dims.length === 0 && axesOf(sharding).length === 0;
  return isPlain ? undefined : `a value of type ${formatType(type)} cannot be divided`;
}

function ofAttributes(attributes: ValueAttributes | undefined, type: Type, module: Module): string | undefined {
  const [sharding] = attributes?.sharding?.named ?? [];
  return sharding && (of(sharding, type, module) ?? checkDivides(sharding, type, module));
}

/** The shardings of a program's arguments and results must divide evenly, or a device could not get its part. */
function checkDivides(sharding: Sharding, type: Type, module: Module): string | undefined {
  const mesh = meshOf(sharding.mesh, module);
  if (mesh === undefined || type.kind !== 'tensor') return undefined;
  const parts = sharding.dims.map(dim => partsOf(dim, mesh));
  const dim = type.shape.findIndex((size, d) => size !== dynamicDim && parts[d] !== undefined && size % parts[d] !== 0);
  return dim < 0 ? undefined : `dim ${dim} of size ${type.shape[dim]} is not divisible into ${parts[dim]} equal parts`;
}

const describe = (what: string, problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `the sharding of ${what}: ${problem}`;

function firstProblem(list: readonly unknown[], check: (i: number) => string | undefined): string | undefined {
  for (let i = 0; i < list.length; i++) {
    const problem = check(i);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
