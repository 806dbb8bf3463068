// Generators of random cases for every op with a gradient rule.
import type { OpName } from '../../hlo/attributes.ts';
import { chloCases } from './chlo.testing.ts';
import { complexCases } from './complex.testing.ts';
import { controlCases } from './control.testing.ts';
import { derivedCases } from './derived.testing.ts';
import { dynamicCases } from './dynamic.testing.ts';
import { elementwiseCases, type MakeCase } from './elementwise.testing.ts';
import { linearAlgebraCases } from './linear-algebra.testing.ts';
import { movementCases } from './movement.testing.ts';
import { reductionCases } from './reductions.testing.ts';

export const cases: Partial<Record<OpName, MakeCase>> = {
  ...elementwiseCases,
  ...movementCases,
  ...reductionCases,
  ...controlCases,
  ...complexCases,
  ...linearAlgebraCases,
  ...derivedCases,
  ...dynamicCases,
  ...chloCases,
};
