// From a function to its schedule.
import type { Func, Value } from '../../hlo/program.ts';
import type { Schedule } from '../ir/schedule.ts';
import type { Target } from '../target/target.ts';
import { scheduleRegion } from './fusion.ts';
import { Recipes } from './recompute.ts';

export function scheduleFunction(func: Func, target: Target): Schedule {
  const stored = new Set<Value>();
  const recipes = new Recipes();
  recipes.add(func.body);
  const main = scheduleRegion(func.body, stored, recipes, target);
  return { main, stored };
}
