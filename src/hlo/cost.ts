// The work of a whole module before any fusion, by op name; used by the simulator and by reports.
import type { OpName } from './attributes.ts';
import type { Cost, OpRow } from './op-row.ts';
import { opTable } from './op-table.ts';
import { type Func, type Module, mainOf, type Op, type OpOf, type Region } from './program.ts';
import { calleeOf, regionRunsOf } from './walk.ts';

/** The cost of all ops of one name. */
export interface OpCost extends Cost {
  /** The number of executions of such ops. */
  readonly count: number;
}
/** The operations and bytes of a module. */
export interface ModuleCost {
  /** The cost of the whole program. */
  readonly total: OpCost;
  /** The cost of each kind of op. */
  readonly byOp: ReadonlyMap<OpName, OpCost>;
}
/** Options of `moduleCost`. */
export interface CostOptions {
  /** The number of iterations of a loop; 1 if not given. Its condition runs one more time. */
  readonly iterations?: (op: OpOf<'while'>) => number;
}

const none: OpCost = { flops: 0, transcendentals: 0, bytesRead: 0, bytesWritten: 0, count: 0 };

/**
 * a + times · b.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * const module = hlo.moduleOf(main);
 * const { total } = hlo.costOfModule(module);
 * hlo.addCosts(total, total, 2).flops // 6
 */
export function addCosts(a: OpCost, b: OpCost, times = 1): OpCost {
  return {
    flops: a.flops + times * b.flops,
    transcendentals: a.transcendentals + times * b.transcendentals,
    bytesRead: a.bytesRead + times * b.bytesRead,
    bytesWritten: a.bytesWritten + times * b.bytesWritten,
    count: a.count + times * b.count,
  };
}

/**
 * The work of one op alone: zero for control flow, whose work is in its regions.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.costOf(main.body.ops[0]!).flops // 2
 */
export const costOf = (op: Op): Cost => (opTable[op.name] as OpRow<OpName>).cost(op as never);

/**
 * One execution of `main` in one process. Of `if` and `case`, the branch with the most flops and bytes is taken.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * const module = hlo.moduleOf(main);
 * hlo.costOfModule(module).total.flops // 2
 */
export function costOfModule(module: Module, options: CostOptions = {}): ModuleCost {
  const functions = new Map<string, Func>(module.functions.map(f => [f.name, f]));
  const byOp = ofRegion(mainOf(module).body, { functions, options, known: new Map() });
  return { total: totalOf(byOp), byOp };
}

type Costs = Map<OpName, OpCost>;
const totalOf = (costs: Costs): OpCost => [...costs.values()].reduce((sum, cost) => addCosts(sum, cost), none);
const weight = ({ flops, transcendentals, bytesRead, bytesWritten }: OpCost): number =>
  flops + transcendentals + bytesRead + bytesWritten;

interface Context {
  readonly functions: ReadonlyMap<string, Func>;
  readonly options: CostOptions;
  /** The costs of functions that were called before. */
  readonly known: Map<Func, Costs>;
}

function ofFunction(func: Func, context: Context): Costs {
  let costs = context.known.get(func);
  if (costs === undefined) {
    costs = ofRegion(func.body, context);
    context.known.set(func, costs);
  }
  return costs;
}

function ofRegion(region: Region, context: Context): Costs {
  const { functions, options } = context;
  const costs: Costs = new Map();
  const add = (more: Costs, times = 1): void => {
    for (const [name, cost] of more) costs.set(name, addCosts(costs.get(name) ?? none, cost, times));
  };
  for (const op of region.ops) {
    add(new Map([[op.name, { ...costOf(op), count: 1 }]]));
    const iterations = op.name === 'while' ? (options.iterations?.(op) ?? 1) : 1;
    const runs = regionRunsOf(op, iterations);
    if (runs === 'one') {
      const branches = op.regions.map(r => ofRegion(r, context));
      const weights = branches.map(branch => weight(totalOf(branch)));
      const heaviest = branches[weights.indexOf(Math.max(...weights))];
      if (heaviest !== undefined) add(heaviest);
    } else {
      runs?.forEach((times, i) => {
        add(ofRegion(op.regions[i]!, context), times);
      });
    }
    const callee = functions.get(calleeOf(op) ?? '');
    if (callee !== undefined) add(ofFunction(callee, context));
  }
  return costs;
}
