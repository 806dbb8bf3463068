// A question without a layout: the given sizes, and the recipes to consider.
import type { Layout } from '../layout.ts';
import type { MachineQuestion, StepQuestion } from '../question.ts';
import type { LayoutSpace } from './layouts.ts';
import type { Recipe } from './recipes.ts';

/** The question for `chooseLayout`: a workload, machines, and the space of layouts. */
export interface LayoutQuestion extends MachineQuestion {
  /** The layouts that are tried. */
  readonly space: LayoutSpace;
  /** Only layouts that this recipe has run; undefined: all recipes of the machine, or, in a search, all layouts. */
  readonly recipe?: Recipe | undefined;
}

/** The question with a layout, for `predict`. A named recipe sets the software, unless --software is given. */
export const withLayout = (
  { workload, machine, nodes, software, constants, storage, recipe }: LayoutQuestion,
  layout: Layout,
): StepQuestion => ({
  workload,
  machine,
  nodes,
  layout,
  software: software ?? recipe?.gpuSoftware,
  constants,
  storage,
});
