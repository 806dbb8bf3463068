// The passes: module in, module of one function out. One walk applies all rules to each op until none applies, finds
// common subexpressions and drops what nothing needs, so its cost grows with the program and no faster.
import { requireInlinable } from '../../hlo/inlined-size.ts';
import { type Module, mainOf } from '../../hlo/program.ts';
import { algebraRule, foldRule } from './algebra.ts';
import { exchangeRule } from './exchange.ts';
import {
  collectiveRule,
  concatenateRule,
  decomposeRule,
  dotRule,
  emptyReduceRule,
  inlineRule,
  promoteRule,
} from './prepare.ts';
import { quantizedRule } from './quantized.ts';
import { resolveRule } from './resolve.ts';
import { Rewriter, type Rule } from './rewriter.ts';
import { viewRule } from './views.ts';

const rules: readonly Rule[] = [
  inlineRule,
  resolveRule,
  quantizedRule,
  decomposeRule,
  exchangeRule,
  promoteRule,
  emptyReduceRule,
  concatenateRule,
  viewRule,
  algebraRule,
  foldRule,
  dotRule,
  collectiveRule,
];

export function runPasses(module: Module): Module {
  const main = mainOf(module);
  requireInlinable(main.name, main.body, module.functions);
  return { ...module, functions: [new Rewriter(module, main, rules).run(main)] };
}
