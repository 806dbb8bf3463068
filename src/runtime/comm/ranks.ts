// Which of the ranks this process is, and the shared memory it reaches the others through.
import { readVariable, type Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import type { RankInfo } from '../execution/rank-info.ts';

/** The rank of this process, from the environment. @throws {BAD_ENVIRONMENT} for inconsistent numbers */
export function rankInfo(variables?: Variables): RankInfo {
  const worldSize = readVariable('WORLD_SIZE', variables) ?? 1;
  const localWorldSize = readVariable('LOCAL_WORLD_SIZE', variables) ?? worldSize;
  const rank = readVariable('RANK', variables) ?? 0;
  const localRank = readVariable('LOCAL_RANK', variables) ?? rank;
  const segment = readVariable('TRENIO_SHM', variables);
  const check = (holds: boolean, name: string, value: string, expected: string): void => {
    if (!holds) throw new TrenioError('BAD_ENVIRONMENT', { name, value, expected });
  };
  check(rank < worldSize, 'RANK', `${rank}`, `a number below WORLD_SIZE, which is ${worldSize}`);
  check(
    localWorldSize <= worldSize,
    'LOCAL_WORLD_SIZE',
    `${localWorldSize}`,
    `at most WORLD_SIZE, which is ${worldSize}`,
  );
  check(
    localRank < localWorldSize,
    'LOCAL_RANK',
    `${localRank}`,
    `a number below LOCAL_WORLD_SIZE, which is ${localWorldSize}`,
  );
  const isSingle = worldSize === 1;
  check(isSingle || segment !== undefined, 'TRENIO_SHM', '', 'what trenio run sets, as there are several ranks');
  if (localWorldSize !== worldSize) {
    const instead = 'start all ranks on one machine';
    throw new TrenioError('UNSUPPORTED', { what: 'a run over several machines', where: 'the cpu backend', instead });
  }
  return { rank, worldSize, localRank, localWorldSize, segment: isSingle ? undefined : segment };
}
