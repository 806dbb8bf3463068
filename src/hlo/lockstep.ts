// Control flow that holds collectives, run for several processes in lock-step: those that take a branch, or still loop,
// run it together while the others wait. A process that waits cannot join a collective: that is a program error, and
// the collective says so (where real processes would wait for ever).

import type { SourceLocation } from '../base/errors.ts';
import { assertNever } from '../base/errors.ts';
import type { Literal } from './literal.ts';
import type { Func, Op, OpOf, Region, Value } from './program.ts';

export const token = { kind: 'token' } as const;
/** What a value is while the program runs. */
export type RuntimeValue = Literal | readonly RuntimeValue[] | typeof token;
/** The values of one process. Inner regions see those of the surroundings. */
export type Environment = Map<Value, RuntimeValue>;

type PerProcess<T> = readonly T[];
export type ControlOp = Op<'while' | 'if' | 'case' | 'func.call'>;

/** What control flow needs of the interpreter. */
export interface RegionRunner {
  /** Evaluates a region in the processes that have an environment; no results for the others. */
  runRegion(
    region: Region,
    environments: PerProcess<Environment | undefined>,
    args: PerProcess<readonly RuntimeValue[]>,
  ): PerProcess<readonly RuntimeValue[]>;
  callee(name: string, location: SourceLocation | undefined): Func;
  countStep(op: OpOf<'while'>): void;
}

/** Runs a control op in all processes that have an environment; gives the results of each. */
export function runControl(
  interpreter: RegionRunner,
  op: ControlOp,
  environments: PerProcess<Environment | undefined>,
  operands: PerProcess<readonly RuntimeValue[]>,
): PerProcess<readonly RuntimeValue[]> {
  const firstEntry = (values: readonly RuntimeValue[] | undefined): number => Number((values![0] as Literal).data[0]);
  switch (op.name) {
    case 'func.call': {
      const { body } = interpreter.callee(op.attributes.callee, op.location);
      return interpreter.runRegion(
        body,
        environments.map(e => (e === undefined ? undefined : new Map())),
        operands,
      );
    }
    case 'if':
    case 'case': {
      const count = op.regions.length;
      const branchOf = (process: number): number => {
        const index = firstEntry(operands[process]);
        if (op.name === 'if') return index === 0 ? 1 : 0;
        return index >= 0 && index < count ? index : count - 1;
      };
      const branches = environments.map((e, process) => (e === undefined ? -1 : branchOf(process)));
      let results: PerProcess<readonly RuntimeValue[]> = environments.map(() => []);
      op.regions.forEach((region, branch) => {
        if (!branches.includes(branch)) return;
        const taken = interpreter.runRegion(
          region,
          environments.map((e, p) => (branches[p] === branch ? e : undefined)),
          operands,
        );
        results = results.map((r, p) => (branches[p] === branch ? taken[p]! : r));
      });
      return results;
    }
    case 'while': {
      const [cond, body] = op.regions;
      let values = operands;
      let active = environments;
      for (;;) {
        const goesOn = interpreter.runRegion(cond!, active, values);
        active = active.map((e, p) => (e !== undefined && firstEntry(goesOn[p]) !== 0 ? e : undefined));
        if (active.every(e => e === undefined)) return values;
        interpreter.countStep(op);
        const next = interpreter.runRegion(body!, active, values);
        values = values.map((v, p) => (active[p] === undefined ? v : next[p]!));
      }
    }
    default:
      return assertNever(op);
  }
}
