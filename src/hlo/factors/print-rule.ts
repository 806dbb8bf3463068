// Factors as Shardy prints them.
import type { DimFactors, FactorKind, ShardingRule } from './rule.ts';

/** i, j … z, z_1, z_2 … */
const symbol = (factor: number): string => (factor < 18 ? String.fromCharCode(105 + factor) : `z_${factor - 17}`);

/**
 * The factors of an op as text: those of the dims of operands and results, their sizes, and which are not simply passed through.
 * @example
 * const types = [hlo.tensorType('f32', [8, 16]), hlo.tensorType('f32', [16, 4])];
 * const dot = hlo.buildFunc('main', types, (b, [x, y]) => [b.emit1('dot', [x!, y!], { precision: [] })]).body.ops[0]!;
 * hlo.printShardingRule(hlo.shardingRuleOf(dot)!) // '([i, k], [k, j])->([i, j]) {i=8, j=4, k=16} reduction={k}'
 */
export function printShardingRule({ factors, operands, results }: ShardingRule): string {
  const tensors = (list: readonly DimFactors[]): string =>
    `(${list.map(dims => `[${dims.map(dim => dim.map(symbol).join('')).join(', ')}]`).join(', ')})`;
  const sizes = factors.map(({ size }, i) => `${symbol(i)}=${size}`);
  const numbers = factors.map((_, i) => i);
  const set = (name: string, members: readonly number[]): string =>
    members.length === 0 ? '' : ` ${name}={${members.map(symbol).join(', ')}}`;
  const ofKind = (kind: FactorKind): readonly number[] => numbers.filter(i => factors[i]!.kind === kind);
  return [
    `${tensors(operands)}->${tensors(results)}`,
    sizes.length === 0 ? '' : ` {${sizes.join(', ')}}`,
    set('reduction', ofKind('reduction')),
    set('need_replication', ofKind('replication')),
    set('permutation', ofKind('permutation')),
    set(
      'blocked_propagation',
      numbers.filter(i => factors[i]!.isBlocked),
    ),
  ].join('');
}
