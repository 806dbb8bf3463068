// --nproc-per-node of `trenio run` and `trenio compile`.
import { TrenioError } from '../../base/errors.ts';
import { MAX_LOCAL_RANKS } from '../../runtime/execution/rank-info.ts';

export const ranksOption = {
  kind: 'text',
  placeholder: 'N',
  default: '1',
  description: "Number of ranks; 'auto' or 'cpu' for one per core. --nproc_per_node is the same.",
} as const;

/** @throws {BAD_ARGUMENT} */
export function countRanks(command: string, text: string): number | 'auto' {
  if (text === 'auto' || text === 'cpu') return 'auto';
  const n = Number(text);
  if (/^\+?\d+$/.test(text) && n >= 1 && n <= MAX_LOCAL_RANKS) return n;
  throw new TrenioError('BAD_ARGUMENT', {
    command,
    argument: '--nproc-per-node',
    got: `'${text}'`,
    expected: `an integer from 1 to ${MAX_LOCAL_RANKS}, 'auto' or 'cpu'`,
  });
}
