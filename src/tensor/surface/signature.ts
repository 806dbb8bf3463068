// The parameters of a variant, prepared for lookup by calls: computed once for each row.
import { type Param, type Params, snakeCase } from './params.ts';

export interface Signature {
  readonly names: readonly string[];
  readonly params: readonly Param<unknown>[];
  /** The position of a name, in every accepted spelling. */
  readonly positions: ReadonlyMap<string, number>;
  readonly selfAt: number;
}

export function signatureOf(params: Params, self: string): Signature {
  const names = Object.keys(params);
  const list = Object.values(params);
  const positions = new Map(
    names.flatMap((name, i) => [name, snakeCase(name), ...(list[i]!.torch ?? '').split(' ')].map(n => [n, i] as const)),
  );
  positions.delete('');
  return { names, params: list, positions, selfAt: names.indexOf(self) };
}
