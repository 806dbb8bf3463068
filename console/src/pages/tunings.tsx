// Hyperparameter tuning jobs: search space, progress and result.
import type { TuningRow } from '../../../src/api/console/messages.ts';
import { get } from '../api.ts';
import { Badge, Card, Empty, PageHead, Problem, Skeleton } from '../components/basics.tsx';
import { ago, count, value } from '../format.ts';
import { useNow, usePolled } from '../hooks.ts';
import { href } from '../router.ts';

const REFRESH_MS = 3000;
const CREATE = `aws sagemaker create-hyper-parameter-tuning-job --hyper-parameter-tuning-job-name rates \\
  --hyper-parameter-tuning-job-config file://tuning.json --training-job-definition file://job.json`;

export const toneOfTuning = (status: string): 'run' | 'good' | 'bad' | 'idle' =>
  status === 'InProgress' ? 'run' : status === 'Completed' ? 'good' : status === 'Failed' ? 'bad' : 'idle';
export const wordsOf = (status: string): string => status.replace(/([a-z])([A-Z])/g, '$1 $2');

export function Tunings() {
  const { data, error } = usePolled(signal => get<readonly TuningRow[]>('tunings', signal), REFRESH_MS, []);
  const now = useNow(10_000);
  return (
    <>
      <PageHead title="Tuning" note="Hyperparameter searches" />
      {error === undefined ? null : <Problem error={error} />}
      {data === undefined ? (
        error === undefined ? (
          <Skeleton lines={5} />
        ) : null
      ) : data.length === 0 ? (
        <Card>
          <Empty title="No tuning job yet" command={CREATE}>
            A tuning job starts training jobs with different hyperparameters, and finds the best by a metric that they
            print.
          </Empty>
        </Card>
      ) : (
        <Card flush>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <section class="scroll-x" tabIndex={0} aria-label="Tuning jobs">
            <table class="table">
              <thead>
                <tr>
                  <th>Tuning job</th>
                  <th>State</th>
                  <th>Strategy</th>
                  <th>Objective</th>
                  <th class="num">Best</th>
                  <th>Jobs</th>
                  <th>Created</th>
                </tr>
              </thead>
              <tbody>
                {data.map(row => (
                  <tr key={row.name}>
                    <td class="nowrap">
                      <a class="name" href={href(`/tuning/${encodeURIComponent(row.name)}`)}>
                        {row.name}
                      </a>
                    </td>
                    <td>
                      <Badge tone={toneOfTuning(row.status)}>{wordsOf(row.status)}</Badge>
                    </td>
                    <td>{row.strategy}</td>
                    <td class="nowrap">
                      {row.isMaximized ? 'highest' : 'lowest'} {row.metric}
                    </td>
                    <td class="num">{value(row.best?.value)}</td>
                    <td style={{ minWidth: '180px' }}>
                      <Progress row={row} />
                    </td>
                    <td class="quiet nowrap">{ago(row.createdMs, now)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </Card>
      )}
    </>
  );
}

/** The number of its jobs that have ended. */
export function Progress({ row }: { readonly row: TuningRow }) {
  const ended = row.completed + row.stopped + row.failed;
  const all = row.maxJobs ?? ended + row.running;
  return (
    <>
      <span class="tabular">
        {count(ended)} of {row.maxJobs === null ? 'no limit' : count(all)}
        {row.running === 0 ? '' : `, ${count(row.running)} running`}
        {row.failed === 0 ? '' : `, ${count(row.failed)} failed`}
      </span>
      <div class="bar" aria-hidden="true" style={{ marginTop: '6px' }}>
        <span style={{ width: `${Math.min(100, (ended / Math.max(1, all)) * 100)}%` }} />
      </div>
    </>
  );
}
