// The optimal checkpoint interval, analytically.
//
//   τ  training time between checkpoints     δ  time a checkpoint takes
//   M  mean time between failures            R  time to restart

/**
 * Young, "A first order approximation to the optimum checkpoint interval" (CACM 1974): √(2 δ M).
 * @example
 * simulator.youngInterval(60, 86_400) // 3219.9378…
 */
export const youngInterval = (checkpoint: number, mtbf: number): number => Math.sqrt(2 * checkpoint * mtbf);

/**
 * Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps" (FGCS 2006), equation 37. For
 * checkpoints as long as 2 M it is M.
 * @example
 * simulator.dalyInterval(60, 86_400) // 3180.0621…
 */
export function dalyInterval(checkpoint: number, mtbf: number): number {
  const x = checkpoint / (2 * mtbf);
  if (x >= 1) return mtbf;
  return youngInterval(checkpoint, mtbf) * (1 + Math.sqrt(x) / 3 + x / 9) - checkpoint;
}

/**
 * Useful time ÷ total time for blocking checkpoints, restarts that may themselves fail, and sufficient spares: Daly's equation
 * 20, τ / (M · e^(R/M) · (e^((τ+δ)/M) − 1)).
 * @example
 * simulator.expectedGoodput(3600, 60, 300, 86_400) // 0.9595…
 */
export const expectedGoodput = (interval: number, checkpoint: number, restart: number, mtbf: number): number =>
  interval / (mtbf * Math.exp(restart / mtbf) * Math.expm1((interval + checkpoint) / mtbf));
