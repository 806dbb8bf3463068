// From a function to its schedule.
import type { Func, Value } from '../../hlo/program.ts';
import type { Machine } from '../ir/machine.ts';
import type { Schedule } from '../ir/schedule.ts';
import { scheduleRegion } from './fusion.ts';
import { Rematerialization } from './rematerialization.ts';

export function scheduleFunction(func: Func, machine: Machine): Schedule {
  const stored = new Set<Value>();
  const rematerialization = new Rematerialization();
  rematerialization.add(func.body);
  const donated = new Set(func.body.args.filter((_, i) => func.aliases[i] !== undefined));
  const main = scheduleRegion(func.body, stored, rematerialization, machine, { next: 0 }, donated);
  return { main, stored };
}
