// For tests of collectives: small programs, run on real ranks and by the interpreter.
import { expect } from 'vitest';
import { type Builder, buildFunc } from '../../hlo/builder.ts';
import { interpretReplicas } from '../../hlo/interpreter.ts';
import { bytesOf, type Literal, literal } from '../../hlo/literal.ts';
import { moduleOf, type Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { type RankProgram, runOnRanks } from './ranks.testing.ts';

export type Groups = readonly (readonly number[])[];
export const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

export const f32 = (n: number) => tensorType('f32', [n]);
export const tokens = (b: Builder): Value => b.emit('create_token', [], {})[0]!;
/** A program with one argument, a vector of f32. */
export function vectors(
  grid: { readonly numReplicas?: number; readonly numPartitions?: number },
  values: readonly (readonly number[])[],
  emit: (b: Builder, x: Value) => readonly Value[],
): RankProgram {
  const type = f32(values[0]!.length);
  const module = moduleOf(
    buildFunc('main', [type], (b, [x]) => [...emit(b, x!)]),
    grid,
  );
  return { modules: [module], args: values.map(v => [literal('f32', type.shape, v)]) };
}
/** Runs the programs on real ranks, and expects the bytes of the interpreter's grid of processes. */
export async function expectInterpreted(
  programs: readonly RankProgram[],
  ranks: number,
  cache: string,
  hosts = 1,
  variables = {},
): Promise<void> {
  const got = await runOnRanks(programs, ranks, cache, variables, hosts);
  programs.forEach(({ modules, args }, p) => {
    const expected = interpretReplicas(modules[0]!, args);
    for (let rank = 0; rank < ranks; rank++)
      expected[rank]!.forEach((value, i) => {
        const [found, wanted] = [bytesOf(got[p]![rank]![i]!), bytesOf(value as Literal)];
        const wrong = wanted.findIndex((byte, at) => byte !== found[at]);
        expect([found.length, wrong], `program ${p}, rank ${rank}, result ${i}`).toEqual([wanted.length, -1]);
      });
  });
}
