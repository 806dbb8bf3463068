// Ranks that did not arrive at a collective before the time limit of the others: which ones, and the state of each, with its
// stack.
import { userFrames } from '../../base/uncaught.ts';
import type { RankActivity } from './rank-watcher.ts';

/** The current activity of a late rank, in words, with the lines of its stack. */
export interface LateRank {
  readonly rank: number;
  readonly doing: string;
  readonly frames: readonly string[];
}

const MAX_FRAMES = 12;

/** The ranks that an error of a rank names as late, from the last lines that it wrote. */
export function lateRanks(lines: readonly string[]): readonly number[] {
  const told = lines.find(line => line.includes('[COLLECTIVE_TIMEOUT]'));
  const names = /not arrived: (.*?)(?:; arrived: .*)?$/.exec(told ?? '')?.[1] ?? '';
  return [...new Set([...names.matchAll(/\brank (\d+) \(/g)].map(match => Number(match[1])))];
}

/** @param state of the process, as reported by /proc. @param activity undefined: it did not answer */
export function describeLate(rank: number, state: string | undefined, activity: RankActivity | undefined): LateRank {
  const line = activity === undefined || activity.lastLine === '' ? [] : [`    at ${activity.lastLine}`];
  if (state === 'T') return { rank, doing: 'is stopped', frames: [] };
  switch (activity?.kind) {
    case undefined:
      return { rank, doing: 'does not answer', frames: [] };
    case 'running': {
      const frames = activity.frames.filter(frame => !frame.includes('node:'));
      const user = userFrames(frames.join('\n'));
      return { rank, doing: 'is at', frames: (user.length > 0 ? user : frames).slice(0, MAX_FRAMES) };
    }
    case 'waiting': {
      // Its output goes through pipes.
      const others = [...new Set(activity.for)].filter(resource => resource !== 'PipeWrap');
      const what = others.length === 0 ? 'nothing known to Node' : others.join(', ');
      return { rank, doing: `waits in the event loop for ${what}${lastUsed(line)}`, frames: line };
    }
    case 'native':
      return { rank, doing: `is in a native call that does not return${lastUsed(line)}`, frames: line };
  }
}

const lastUsed = (line: readonly string[]): string =>
  line.length === 0 ? '' : '; the last line of the script that used the library:';
