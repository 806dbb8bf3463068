// From a function to its schedule.
import type { Func, Value } from '../../hlo/program.ts';
import { scheduleRegion } from './fusion.ts';
import type { Schedule } from './plan.ts';
import { Recipes } from './recompute.ts';

export function scheduleFunction(func: Func): Schedule {
  const stored = new Set<Value>();
  const recipes = new Recipes();
  recipes.add(func.body);
  const main = scheduleRegion(func.body, stored, recipes);
  return { main, stored };
}
