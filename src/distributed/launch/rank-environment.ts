// The variables of a rank: those of torchrun, and those with which Trenio's ranks find each other.
import { readVariable, type Variables } from '../../base/environment.ts';
import { type AttemptPlace, firstRank, usesNetwork, worldSize } from './attempt-place.ts';
import type { LogFiles } from './rank-logs.ts';
import { rankTable } from './rank-ports.ts';
import { afterCollectivesMs } from './stopped-ranks.ts';

/** A time after which a waiting collective would have failed; undefined: never. */
export function waitLimit(variables: Variables): number | undefined {
  const seconds = readVariable('TRENIO_COMM_TIMEOUT', variables) ?? 1800;
  return seconds === 0 ? undefined : 1000 * seconds + afterCollectivesMs;
}

/**
 * How long the launcher may be stopped: other machines consider it lost soon. On one machine, where its ranks continue without
 * it, as long as a rank may be; a single rank and its launcher may be stopped like any other program.
 */
function launcherTimeout(place: AttemptPlace, variables: Variables): Readonly<Record<string, number>> {
  if (place.nodes.length > 1) return { TRENIO_LAUNCHER_TIMEOUT_MS: place.lostMs };
  const limit = worldSize(place) > 1 ? waitLimit(variables) : undefined;
  return limit === undefined ? {} : { TRENIO_LAUNCHER_TIMEOUT_MS: limit };
}

/** torchrun's variables, and those of the store. */
export function rankEnvironment(
  {
    role,
    maxRestarts,
    variables,
  }: {
    readonly role: string;
    readonly maxRestarts: number;
    readonly variables: Variables;
  },
  place: AttemptPlace,
  localRank: number,
  logs: LogFiles,
): Record<string, string> {
  const { master, nodes, groupRank } = place;
  const rank = firstRank(place) + localRank;
  const world = worldSize(place);
  const numbers = {
    RANK: rank,
    LOCAL_RANK: localRank,
    WORLD_SIZE: world,
    LOCAL_WORLD_SIZE: nodes[groupRank]!.ranks,
    GROUP_RANK: groupRank,
    GROUP_WORLD_SIZE: nodes.length,
    ROLE_RANK: rank,
    ROLE_WORLD_SIZE: world,
    MASTER_PORT: master.port,
    TORCHELASTIC_RESTART_COUNT: place.restarts,
    TORCHELASTIC_MAX_RESTARTS: maxRestarts,
    TRENIO_RDZV_ATTEMPT: place.attempt,
    TRENIO_LAUNCHER_PID: process.pid,
    ...(place.site === undefined
      ? {}
      : {
          LOCAL_RANK: place.site.localRank,
          LOCAL_WORLD_SIZE: place.site.localRanks,
          GROUP_RANK: place.site.machine,
          GROUP_WORLD_SIZE: place.site.machines,
        }),
    ...launcherTimeout(place, variables),
  };
  return {
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, `${value}`])),
    ...(usesNetwork(place) ? { TRENIO_COMM_TABLE: rankTable(nodes, place.site !== undefined) } : {}),
    ROLE_NAME: role,
    MASTER_ADDR: master.host,
    TORCHELASTIC_RUN_ID: master.run,
    TORCHELASTIC_ERROR_FILE: logs.error,
    TRENIO_RDZV_SECRET: master.secret,
  };
}
