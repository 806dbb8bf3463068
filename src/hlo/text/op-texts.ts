// The text descriptions of all ops, one per name.
import type { OpTexts } from './op-text.ts';
import { checkTexts } from './texts/check.ts';
import { chloTexts } from './texts/chlo.ts';
import { collectiveTexts } from './texts/collective.ts';
import { contractionTexts } from './texts/contraction.ts';
import { controlTexts } from './texts/control.ts';
import { elementwiseTexts } from './texts/elementwise.ts';
import { foreignTexts } from './texts/foreign.ts';
import { movementTexts } from './texts/movement.ts';
import { numericTexts } from './texts/numeric.ts';
import { reduceTexts } from './texts/reduce.ts';

export const opTexts: OpTexts = {
  ...elementwiseTexts,
  ...movementTexts,
  ...reduceTexts,
  ...contractionTexts,
  ...numericTexts,
  ...controlTexts,
  ...collectiveTexts,
  ...chloTexts,
  ...checkTexts,
  ...foreignTexts,
};
