// The rules of transforms/ and those of the kernels here, in their order: module in, module of one function out. One walk
// applies all rules to each op until none applies, merges common subexpressions and drops unused ops, so its cost is linear in
// the size of the program.
import { requireInlinable } from '../../hlo/inlined-size.ts';
import { type Module, mainOf } from '../../hlo/program.ts';
import { algebraRule, foldRule } from '../../transforms/algebra.ts';
import { gatherSums } from '../../transforms/gathered-sums.ts';
import { collectiveRule, emptyReduceRule, inlineRule, promoteRule } from '../../transforms/prepare.ts';
import { quantizedRule } from '../../transforms/quantized.ts';
import { resolveRule } from '../../transforms/resolve.ts';
import { Rewriter, type Rule } from '../../transforms/rewriter.ts';
import { viewRule } from '../../transforms/views.ts';
import { collectiveFormsRule } from './collective-forms.ts';
import { concatenateRule, decompositionRule, dotRule } from './kernel-forms.ts';

const rules: readonly Rule[] = [
  inlineRule,
  resolveRule,
  quantizedRule,
  decompositionRule,
  collectiveFormsRule,
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
  const simple = new Rewriter(module, main, rules).run(main);
  const gathered = gatherSums(simple);
  if (gathered === simple) return { ...module, functions: [simple] };
  const changed = { ...module, functions: [gathered] };
  return { ...module, functions: [new Rewriter(changed, gathered, rules).run(gathered)] };
}
