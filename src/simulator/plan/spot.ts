// Training on spot instances: the expected time.
//
//   work ─── checkpoint ─── work ─── ✗ lost ── restart ── work ─── checkpoint …
//
// Interruptions occur at a constant rate, independently of each other, so this is a training run with failures on the same
// number of instances: Daly's formulas (reliability/optimum.ts) give the mean and the best interval.
import { TrenioError } from '../../base/errors.ts';
import { dalyInterval, expectedGoodput } from '../reliability/optimum.ts';

/** The assumptions about interruptions of spot instances. */
export interface SpotAssumptions {
  /** Interruptions per instance and hour. Losing one instance stops a training run on all of them. */
  readonly interruptionsPerInstanceHour: number;
  /** Seconds from an interruption until training resumes: another instance, the program from the cache, the checkpoint read. */
  readonly restartSeconds: number;
  /** Seconds of work between two checkpoints; undefined: the interval that loses the least time. */
  readonly checkpointEverySeconds: number | undefined;
  /** Seconds for which a checkpoint stops the training. */
  readonly checkpointSeconds: number;
}

/**
 * 0.02 interruptions per hour: an instance is kept for 50 hours on average. There is no published rate for accelerators. The
 * public advisor's worst class, above 20 % of instances per month, has no upper end; this rate is much higher, to be on
 * the safe side, and can be set.
 */
export const defaultSpot: SpotAssumptions = {
  interruptionsPerInstanceHour: 0.02,
  restartSeconds: 600,
  checkpointEverySeconds: undefined,
  checkpointSeconds: 60,
};

/** The expected time of a training run on spot instances. */
export interface SpotTime {
  /** Expected time of work, checkpoints, lost work and restarts. */
  readonly seconds: number;
  /** The expected number of interruptions. */
  readonly interruptions: number;
  /** Seconds of work between two checkpoints. */
  readonly checkpointEverySeconds: number;
  /** The time spent writing checkpoints in seconds. */
  readonly checkpointingSeconds: number;
  /** Repeated work, and restarts. */
  readonly lostSeconds: number;
}

/**
 * Expected time for `workSeconds` of uninterrupted work on `instances` instances. Infinity if it would never end.
 * @example
 * simulator.expectedSpotTime(3600, 1, simulator.defaultSpot).seconds > 3600 // true
 */
export function expectedSpotTime(workSeconds: number, instances: number, spot: SpotAssumptions): SpotTime {
  checkSpot(spot);
  const { checkpointSeconds, restartSeconds } = spot;
  const rate = (spot.interruptionsPerInstanceHour * instances) / 3600;
  const every = Math.min(workSeconds, spot.checkpointEverySeconds ?? bestInterval(rate, checkpointSeconds));
  // The training ends with its last checkpoint.
  const checkpointingSeconds = (workSeconds / every) * checkpointSeconds;
  const undisturbed = workSeconds + checkpointingSeconds;
  const seconds =
    rate === 0 ? undisturbed : workSeconds / expectedGoodput(every, checkpointSeconds, restartSeconds, 1 / rate);
  return {
    seconds,
    interruptions: rate * seconds,
    checkpointEverySeconds: every,
    checkpointingSeconds,
    lostSeconds: Math.max(0, seconds - undisturbed),
  };
}

/** Checkpoints without cost are written every minute. */
function bestInterval(rate: number, checkpointSeconds: number): number {
  if (rate === 0) return Number.POSITIVE_INFINITY;
  return checkpointSeconds === 0 ? 60 : dalyInterval(checkpointSeconds, 1 / rate);
}

function checkSpot(spot: SpotAssumptions): void {
  const check = (option: string, value: number, least: 'zero' | 'above'): void => {
    if (Number.isFinite(value) && (least === 'zero' ? value >= 0 : value > 0)) return;
    throw new TrenioError('INVALID_OPTION', {
      what: 'the spot assumptions',
      option,
      got: `${value}`,
      expected: least === 'zero' ? 'a number, 0 or more' : 'a number above 0',
    });
  };
  check('interruptionsPerInstanceHour', spot.interruptionsPerInstanceHour, 'zero');
  check('restartSeconds', spot.restartSeconds, 'zero');
  check('checkpointSeconds', spot.checkpointSeconds, 'zero');
  if (spot.checkpointEverySeconds !== undefined) check('checkpointEverySeconds', spot.checkpointEverySeconds, 'above');
}
