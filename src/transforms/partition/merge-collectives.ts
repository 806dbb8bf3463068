// Collectives that are done twice, or whose results nothing uses, as the gradient of a manual computation has them: it computes
// the forward pass again. All devices run the same program, so all of them leave out the same ones.

import { opTable } from '../../hlo/op-table.ts';
import { type Module, mainOf, type Op } from '../../hlo/program.ts';
import { isPure } from '../../hlo/walk.ts';
import { Rewriter } from '../rewriter.ts';

/** The program of a device, with each collective once. */
export function mergeCollectives(module: Module): Module {
  const main = mainOf(module);
  const merged = new Rewriter(module, main, [], isRepeatable).run(main);
  return { ...module, functions: module.functions.map(func => (func === main ? merged : func)) };
}

const isRepeatable = (op: Op): boolean => isPure(op) || opTable[op.name].kind === 'collective';
