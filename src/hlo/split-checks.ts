// Splits a program with checks into a program that only computes and returns the values to check, and
// the checks. This way, backends that do not support checks can run such programs, too.
//
//   %2 = add %0, %1                      %2 = add %0, %1
//   check.expect_close %2, %1     ⟶      return %2, %1     and then: check.expect_close of these
//   return
import { TrenioError } from '../base/errors.ts';
import { evaluateOp } from './interpreter.ts';
import { type Literal, splat } from './literal.ts';
import { type Module, mainOf, type Op, tensorTypeOf, type Value } from './program.ts';
import { cloneOp, forEachOp, nextId } from './walk.ts';

export interface SplitChecks {
  /** Its entry returns its original results, then the operands of each check. */
  readonly module: Module;
  /** Checks the results of the module. @throws {CHECK_FAILED} at the first check that fails */
  judge(results: readonly Literal[]): void;
}

/** @throws {UNSUPPORTED} if a check is not at the top level of the entry, where each runs once */
export function splitChecks(module: Module): SplitChecks {
  const main = mainOf(module);
  const checks = main.body.ops.filter(isCheck);
  for (const func of module.functions) {
    forEachOp(func.body, (op, region) => {
      if (isCheck(op) && region !== main.body) refuse(op);
    });
  }
  const operands = checks.flatMap(op => op.operands);
  const replaced = new Map<Value, Value>();
  const ids = { next: nextId(main.body) };
  const ops = main.body.ops.flatMap((op): readonly Op[] => {
    if (isCheck(op)) return op.results.map(result => holding(result, replaced));
    return [replaced.size === 0 ? op : cloneOp(op, replaced, ids)];
  });
  const results = [...main.body.results, ...operands].map(v => replaced.get(v) ?? v);
  const entry = { ...main, body: { ...main.body, ops, results } };
  return {
    module: { ...module, functions: module.functions.map(func => (func === main ? entry : func)) },
    judge(values) {
      let next = values.length - operands.length;
      for (const check of checks) {
        evaluateOp(check, values.slice(next, next + check.operands.length));
        next += check.operands.length;
      }
    },
  };
}

const isCheck = (op: Op): boolean =>
  op.name.startsWith('check.') || (op.name === 'custom_call' && op.attributes.callTargetName.startsWith('check.'));

/** The result of a check that holds: true. */
function holding(result: Value, replaced: Map<Value, Value>): Op {
  const results: Value[] = [];
  const value = splat(tensorTypeOf(result), true);
  const op: Op<'constant'> = {
    name: 'constant',
    operands: [],
    attributes: { value },
    regions: [],
    results: results as readonly Value[] as readonly [Value],
    location: undefined,
  };
  results.push({ ...result, op });
  replaced.set(result, results[0]!);
  return op;
}

function refuse(op: Op): never {
  throw new TrenioError(
    'UNSUPPORTED',
    {
      what: `${op.name} within a loop, branch or function`,
      where: 'compiled programs',
      instead: 'check the final values',
    },
    { location: op.location },
  );
}
