// Golden values of PyTorch's data utilities, written by scripts/golden/data.py.
import { readFileSync } from 'node:fs';
import { type Literal, toNumbers } from '../hlo/literal.ts';
import { isLiteral } from '../tensor/types/host-data.ts';

interface Golden {
  readonly collate: Readonly<Record<string, unknown>>;
  readonly distributed: readonly {
    readonly items: number;
    readonly replicas: number;
    readonly dropLast: boolean;
    readonly shares: readonly (readonly number[])[];
  }[];
  readonly batches: readonly {
    readonly items: number;
    readonly size: number;
    readonly dropLast: boolean;
    readonly batches: readonly (readonly number[])[];
  }[];
  readonly splits: readonly {
    readonly items: number;
    readonly lengths: readonly number[];
    readonly counts: readonly number[];
  }[];
  readonly weighted: {
    readonly weights: readonly number[];
    readonly with: readonly number[];
    readonly without: readonly (readonly number[])[];
    readonly runs: number;
  };
}
export const golden = JSON.parse(
  readFileSync(new URL('../../test/golden/data.json', import.meta.url), 'utf8'),
) as Golden;

const names: Readonly<Record<string, string>> = { i64: 'int64', f32: 'float32', i1: 'bool', ui8: 'uint8' };
/** A batch in the form of the golden file. */
export function plain(batch: unknown): unknown {
  if (isLiteral(batch)) return plainLiteral(batch);
  if (Array.isArray(batch)) return batch.map(plain);
  if (typeof batch === 'object' && batch !== null)
    return { object: Object.fromEntries(Object.entries(batch).map(([name, entry]) => [name, plain(entry)])) };
  return batch;
}
function plainLiteral(value: Literal): unknown {
  const { elementType, shape } = value.type;
  const values = elementType === 'i1' ? Array.from(value.data as Uint8Array, v => v !== 0) : toNumbers(value);
  return { dtype: names[elementType] ?? elementType, shape: [...shape], values };
}
