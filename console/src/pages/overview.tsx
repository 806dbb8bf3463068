// The overview: jobs by state, cost, running jobs, failures.
import { useEffect } from 'preact/hooks';
import type { JobRow, Overview as OverviewData } from '../../../src/api/console/messages.ts';
import { get } from '../api.ts';
import { Bars } from '../components/bars.tsx';
import { Badge, Card, Empty, PageHead, Problem, Skeleton, Stat } from '../components/basics.tsx';
import { ago, count, duration, missingCosts, money, value } from '../format.ts';
import { useLoaded, useNow, useThrottled } from '../hooks.ts';
import { costOf, isQueued, onInstancesMs, stateOf } from '../job-row.ts';
import { listen } from '../live.ts';
import { href } from '../router.ts';

const FIRST_JOB = `aws sagemaker create-training-job --training-job-name first \\
  --role-arn arn:aws:iam::123456789012:role/me \\
  --algorithm-specification TrainingImage=trenio,TrainingInputMode=File \\
  --hyper-parameters sagemaker_program=train.ts,sagemaker_submit_directory=s3://data/code.tar.gz \\
  --output-data-config S3OutputPath=s3://data/out \\
  --resource-config InstanceType=ml.trn1.2xlarge,InstanceCount=1,VolumeSizeInGB=1 \\
  --stopping-condition MaxRuntimeInSeconds=3600`;

function today(): { readonly day: number; readonly month: number } {
  const now = new Date();
  return {
    day: new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime(),
    month: new Date(now.getFullYear(), now.getMonth(), 1).getTime(),
  };
}

export function Overview() {
  const { day, month } = today();
  const { data, error, reload } = useLoaded(
    signal => get<OverviewData>(`overview?day=${day}&month=${month}`, signal),
    [day],
  );
  const reloadSoon = useThrottled(reload, 1000);
  useEffect(() => listen('jobs', reloadSoon), [reloadSoon]);
  const isRunning = (data?.running ?? 0) > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(reload, 5000);
    return () => clearInterval(timer);
  }, [isRunning]);
  const now = useNow(1000, isRunning);
  if (data === undefined)
    return (
      <>
        <PageHead title="Overview" />
        {error === undefined ? <Skeleton lines={8} /> : <Problem error={error} />}
      </>
    );
  const isNew = data.active.length === 0 && data.latest.length === 0;
  return (
    <>
      <PageHead title="Overview" />
      <div class="stack">
        <Card flush>
          <dl class="stats">
            <Stat name="Running">{count(data.running)}</Stat>
            <Stat name="Queued">{count(data.queued)}</Stat>
            <Stat name="Completed">{count(data.completed)}</Stat>
            <Stat name="Failed">{count(data.failed)}</Stat>
            <Stat name="Spent today" note={missingCosts(data.today.jobsWithoutPrice)}>
              {money(data.today.usd)}
            </Stat>
            <Stat name="This month" note={missingCosts(data.month.jobsWithoutPrice)}>
              {money(data.month.usd)}
            </Stat>
          </dl>
        </Card>
        {isNew ? (
          <Card>
            <Empty title="No job has run yet" command={FIRST_JOB}>
              Jobs appear here as soon as they are created, with the aws command, boto3, the AWS SDK or Trenio itself.
            </Empty>
          </Card>
        ) : (
          <div class="grid overview-grid">
            <div class="stack">
              <Card
                title="Active"
                flush
                actions={
                  <a class="link small" href={href('/jobs')}>
                    All jobs
                  </a>
                }
              >
                {data.active.length === 0 ? (
                  <p class="card-body quiet small">No jobs are running or waiting.</p>
                ) : (
                  data.active.slice(0, 12).map(row => <ActiveRow key={row.name} row={row} now={now} />)
                )}
              </Card>
              <Card title="Finished" flush>
                <div class="scroll-x">
                  <table class="table">
                    <thead>
                      <tr>
                        <th>Job</th>
                        <th>State</th>
                        <th>Ended</th>
                        <th class="num">Time</th>
                        <th class="num">Cost</th>
                      </tr>
                    </thead>
                    <tbody>
                      {data.latest.map(row => (
                        <tr key={row.name}>
                          <td class="nowrap">
                            <JobLink row={row} />
                          </td>
                          <td>
                            <State row={row} />
                          </td>
                          <td class="quiet nowrap">{ago(row.endedMs ?? row.createdMs, now)}</td>
                          <td class="num">{duration(onInstancesMs(row, now))}</td>
                          <td class="num">{money(costOf(row, now))}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              </Card>
            </div>
            <div class="stack">
              <Card title="Cost per day" actions={<span class="quiet small">last 30 days</span>}>
                <Bars values={data.usdByDay} format={money} label="Cost of each of the last 30 days" />
              </Card>
              <Card title="Latest failures" flush>
                {data.failures.length === 0 ? (
                  <p class="card-body quiet small">None.</p>
                ) : (
                  data.failures.slice(0, 5).map(row => (
                    <a key={row.name} class="running" href={href(`/jobs/${encodeURIComponent(row.name)}`)}>
                      <span class="name truncate">{row.name}</span>
                      <span class="detail">{ago(row.endedMs ?? row.createdMs, now)}</span>
                      <span class="detail truncate" style={{ gridColumn: '1 / -1' }} title={row.reason}>
                        {row.reason}
                      </span>
                    </a>
                  ))
                )}
              </Card>
            </div>
          </div>
        )}
      </div>
    </>
  );
}

export function State({ row }: { readonly row: JobRow }) {
  const { text, tone } = stateOf(row);
  return <Badge tone={tone}>{text}</Badge>;
}

const JobLink = ({ row }: { readonly row: JobRow }) => (
  <a class="name" href={href(`/jobs/${encodeURIComponent(row.name)}`)}>
    {row.name}
  </a>
);

function ActiveRow({ row, now }: { readonly row: JobRow; readonly now: number }) {
  const queued = isQueued(row);
  return (
    <a class="running" href={href(`/jobs/${encodeURIComponent(row.name)}`)}>
      <span class="row">
        <span class="name truncate">{row.name}</span>
        <State row={row} />
      </span>
      <span class="num">{queued ? '' : money(costOf(row, now))}</span>
      <span class="detail truncate">
        {row.instanceCount} × {row.instanceType}
        {row.isSpot ? ', spot' : ''}
        {row.metric === null ? '' : `, ${row.metric.name} ${value(row.metric.value)}`}
        {row.waitsFor === null ? '' : `: ${row.waitsFor}`}
      </span>
      <span class="detail num">
        {queued ? `waits ${duration(now - row.createdMs)}` : duration(onInstancesMs(row, now))}
      </span>
    </a>
  );
}
