// Rows of the reference interpreter's own ops, used by tests.
import { check, type Rows, tensors } from '../op-row.ts';
import type { Func, Op } from '../program.ts';
import { formatType, type Type } from '../types.ts';
import { noCost } from './costs.ts';

export const interpreterRows: Rows<'interpreter.run_parallel' | 'interpreter.probe' | 'interpreter.print'> = {
  'interpreter.run_parallel': {
    name: 'interpreter.run_parallel',
    kind: 'control',
    pure: false,
    programs: ({ attributes: { programs, infeed = [] } }) => [...programs.flat(), ...infeed],
    infer(_operands, { programs, infeed, resultTypes }) {
      const op = 'interpreter.run_parallel';
      const width = programs[0]?.length ?? 0;
      check(width > 0, op, 'trenio_run_parallel_programs', () => 'takes one program or more');
      const ragged = programs.find(row => row.length !== width);
      check(
        ragged === undefined,
        op,
        'trenio_run_parallel_grid',
        () => `every replica must have ${width} programs, got ${ragged!.length}`,
      );
      check(
        infeed?.length !== 0,
        op,
        'trenio_run_parallel_infeed',
        () => 'the infeed must be left out or name functions',
      );
      return resultTypes;
    },
    execute: ({ attributes: { programs, infeed = [] } }, operands, process) =>
      process.runGrid(programs, infeed, operands),
    cost: () => noCost,
  },
  'interpreter.probe': {
    name: 'interpreter.probe',
    kind: 'control',
    pure: false,
    infer: operands => tensors('interpreter.probe', operands),
    evaluate({ attributes: { probeId } }, [value], context) {
      context.probe(probeId, value);
      return [value];
    },
    cost: () => noCost,
  },
  'interpreter.print': {
    name: 'interpreter.print',
    kind: 'control',
    pure: false,
    infer(operands) {
      tensors('interpreter.print', operands);
      return [];
    },
    evaluate(op, [value], context) {
      context.print(op, value);
      return [];
    },
    cost: () => noCost,
  },
};

/** Checks that the declaration of an op matches the functions that it runs. @throws {INVALID_OP} */
export function checkRunParallel(
  op: Op<'interpreter.run_parallel'>,
  functions: ReadonlyMap<string, Func>,
  resultsOf: (func: Func) => readonly Type[],
): void {
  const refuse = (detail: string): never => {
    check(false, op.name, 'trenio_run_parallel_functions', () => detail, op.location);
    throw new Error(detail);
  };
  const { programs, infeed = [] } = op.attributes;
  const find = (name: string): Func => functions.get(name) ?? refuse(`the module has no function @${name}`);
  const run = programs.flat().map(find);
  const inputs = run.reduce((sum, func) => sum + func.body.args.length, 0);
  const outputs = run.reduce((sum, func) => sum + resultsOf(func).length, 0);
  if (inputs !== op.operands.length) refuse(`the programs take ${inputs} arguments, got ${op.operands.length}`);
  if (outputs !== op.results.length) refuse(`the programs return ${outputs} results, expected ${op.results.length}`);
  for (const name of infeed) {
    const types = resultsOf(find(name));
    if (types.length !== 1 || types[0]!.kind !== 'tensor')
      refuse(`@${name} must return one tensor to feed in, it returns ${types.map(formatType).join(', ') || 'nothing'}`);
  }
}
