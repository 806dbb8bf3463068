// The gradient table: for every op a rule, or the reason why it has none. The type requires an entry for each op name.

import type { GradientTable } from './rule.ts';
import { chloRules } from './rules/chlo.ts';
import { collectiveRules, sourceRules } from './rules/collectives.ts';
import { complexRules } from './rules/complex.ts';
import { contractionRules } from './rules/contraction.ts';
import { controlRules } from './rules/control.ts';
import { convolutionRules } from './rules/convolution.ts';
import { derivedRules, otherRules } from './rules/derived.ts';
import { elementwiseRules } from './rules/elementwise.ts';
import { indexingRules } from './rules/indexing.ts';
import { linearAlgebraRules } from './rules/linear-algebra.ts';
import { manualRules } from './rules/manual.ts';
import { movementRules } from './rules/movement.ts';
import { reductionRules } from './rules/reductions.ts';
import { sortRules } from './rules/sort.ts';
import { windowRules } from './rules/windows.ts';

export const gradientTable: GradientTable = {
  ...elementwiseRules,
  ...sourceRules,
  ...movementRules,
  ...indexingRules,
  ...sortRules,
  ...reductionRules,
  ...windowRules,
  ...contractionRules,
  ...convolutionRules,
  ...complexRules,
  ...linearAlgebraRules,
  ...controlRules,
  ...collectiveRules,
  ...manualRules,
  ...chloRules,
  ...derivedRules,
  ...otherRules,
};
