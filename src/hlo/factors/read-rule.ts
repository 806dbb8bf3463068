// Factors that a program states for an op, such as a custom call of jax.custom_partitioning:
//
//   sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=16} need_replication={j}, custom>
import { dialectName, type Lexer, readAll, tokens } from '../text/lexer.ts';
import type { DimFactors, Factor, FactorKind, ShardingRule } from './rule.ts';

const sets = ['reduction', 'need_replication', 'permutation', 'blocked_propagation'] as const;
const kinds: { readonly [N in (typeof sets)[number]]?: FactorKind } = {
  reduction: 'reduction',
  need_replication: 'replication',
  permutation: 'permutation',
};

/** The rule of an attribute `sdy.sharding_rule`. @throws {HLO_SYNTAX} */
export const readShardingRule = (text: string): ShardingRule =>
  readAll(text, lexer => {
    dialectName(lexer, '#sdy.op_sharding_rule');
    lexer.expect('<');
    const operands = tensors(lexer);
    lexer.takeText(tokens.arrow, "'->'");
    const results = tensors(lexer);
    const sizes = new Map<number, number>();
    if (lexer.take('{'))
      lexer.list('}', () => {
        const [factor] = symbols(lexer);
        lexer.expect('=');
        sizes.set(factor!, lexer.integer('the size of a factor'));
      });
    const members: { [N in (typeof sets)[number]]?: readonly number[] } = {};
    for (let set = takeSet(lexer); set !== undefined; set = takeSet(lexer)) {
      const list: number[] = [];
      lexer.expect('=');
      lexer.expect('{');
      lexer.list('}', () => list.push(...symbols(lexer)));
      members[set] = list;
    }
    if (lexer.take(',')) lexer.expectWord('custom');
    lexer.expect('>');
    const factors = Array.from({ length: sizes.size }, (_, i): Factor => {
      const set = sets.find(name => kinds[name] !== undefined && members[name]?.includes(i));
      const kind = set === undefined ? 'passThrough' : kinds[set]!;
      return { size: sizes.get(i) ?? 1, kind, isBlocked: members.blocked_propagation?.includes(i) ?? false };
    });
    return { factors, operands, results, combiner: undefined };
  });

const takeSet = (lexer: Lexer): (typeof sets)[number] | undefined => sets.find(name => lexer.takeWord(name));

function tensors(lexer: Lexer): readonly DimFactors[] {
  const list: DimFactors[] = [];
  lexer.expect('(');
  lexer.list(')', () => {
    const dims: (readonly number[])[] = [];
    lexer.expect('[');
    lexer.list(']', () => dims.push(symbols(lexer)));
    list.push(dims);
  });
  return list;
}

/** `ij` or `z_1z_2`: the numbers of the factors of one dim, or of one factor. */
function symbols(lexer: Lexer): readonly number[] {
  const text = lexer.takeText(tokens.word, 'factors such as ij');
  return [...text.matchAll(/([i-z])(?:_(\d+))?/g)].map(([, letter, later]) =>
    later === undefined ? letter!.charCodeAt(0) - 'i'.charCodeAt(0) : 17 + Number(later),
  );
}
