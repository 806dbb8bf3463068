// Three costs of a job side by side: claimed (by catalog price), predicted by the simulator, and measured here.
import type { JobRow } from '../../../src/api/console/messages.ts';
import { trenio } from '../api.ts';
import { duration, money, value } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { costOf, onInstancesMs } from '../job-row.ts';
import { Card, Problem, Skeleton } from './basics.tsx';
import { type Communication, JobCommunication } from './job-communication.tsx';

/** The response of DescribeTrainingJobCost. */
interface JobCost {
  readonly Claimed: {
    readonly UsdPerInstanceHour: number | null;
    readonly BillableTimeInSeconds: number;
    readonly Usd: number | null;
  };
  readonly Predicted: {
    readonly StepSeconds: number;
    readonly Seconds: number;
    readonly Usd: number | null;
    readonly FitsInMemory: boolean;
    readonly Assumptions: readonly string[];
  } | null;
  readonly PredictedReason: string | null;
  readonly Measured: {
    readonly TrainingTimeInSeconds: number | null;
    readonly Steps: number | null;
    readonly StepSeconds: number | null;
    readonly Communication: Communication | null;
  };
}

const time = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? '–' : duration(seconds * 1000);
const step = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? '–' : `${value(seconds * 1000)} ms`;

/** @param version changes whenever the job does */
export function JobCostCard({
  job,
  version,
  row,
  now,
}: {
  readonly job: string;
  readonly version: unknown;
  readonly row: JobRow;
  readonly now: number;
}) {
  const { data, error } = useLoaded(
    () => trenio<JobCost>('DescribeTrainingJobCost', { TrainingJobName: job }),
    [job, version],
  );
  if (data === undefined)
    return <Card title="Cost">{error === undefined ? <Skeleton lines={3} /> : <Problem error={error} />}</Card>;
  const { Claimed: claimed, Predicted: predicted, Measured: measured } = data;
  // While it runs, the same figures as at the top of the page, which grow by the second.
  const isRunning = row.sinceMs !== null;
  return (
    <Card title="Claimed, predicted, measured" flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="scroll-x" tabIndex={0} aria-label="Claimed, predicted and measured">
        <table class="table">
          <thead>
            <tr>
              <th>
                <span class="visually-hidden">Quantity</span>
              </th>
              <th class="num" title="The time on instances at the catalog price">
                Claimed
              </th>
              <th class="num" title="By the simulator, for the instance type of the job">
                Predicted
              </th>
              <th class="num" title="On this machine">
                Measured
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Time</th>
              <td class="num">{time(isRunning ? onInstancesMs(row, now) / 1000 : claimed.BillableTimeInSeconds)}</td>
              <td class="num">{time(predicted?.Seconds)}</td>
              <td class="num">{time(measured.TrainingTimeInSeconds)}</td>
            </tr>
            <tr>
              <th scope="row">Step</th>
              <td class="num">–</td>
              <td class="num">{step(predicted?.StepSeconds)}</td>
              <td class="num">{step(measured.StepSeconds)}</td>
            </tr>
            <tr>
              <th scope="row">Cost</th>
              <td class="num">{money(isRunning ? costOf(row, now) : claimed.Usd)}</td>
              <td class="num">{money(predicted?.Usd)}</td>
              <td class="num">–</td>
            </tr>
          </tbody>
        </table>
      </section>
      {measured.Communication === null ? null : <JobCommunication sent={measured.Communication} />}
      <div class="card-body small quiet">
        {predicted === null ? (
          <p>
            Not predicted:{' '}
            {data.PredictedReason ?? 'the simulator can only predict training steps of the image trenio.'}
          </p>
        ) : (
          <>
            {predicted.FitsInMemory ? null : <p>The job does not fit in the memory of these instances.</p>}
            <details>
              <summary>Assumptions of the prediction</summary>
              <ul>
                {predicted.Assumptions.map(one => (
                  <li key={one}>{one}</li>
                ))}
              </ul>
            </details>
          </>
        )}
      </div>
    </Card>
  );
}
