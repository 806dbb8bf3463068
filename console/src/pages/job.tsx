// One training job: states, metrics and lines as they happen; money; what it was asked to do and what it left.
import { useEffect, useState } from 'preact/hooks';
import type { JobDetail, SeriesSummary } from '../../../src/api/console/messages.ts';
import { get, mayWrite, problemOf, sagemaker, trenio } from '../api.ts';
import { Badge, Button, Card, Empty, PageHead, Problem, Skeleton, Stat, say } from '../components/basics.tsx';
import { HostUse } from '../components/host-use.tsx';
import { JobArtifacts } from '../components/job-artifacts.tsx';
import { JobCode } from '../components/job-code.tsx';
import { JobConfiguration } from '../components/job-configuration.tsx';
import { JobCostCard } from '../components/job-cost.tsx';
import { JobTags } from '../components/job-tags.tsx';
import { JobTimeline } from '../components/job-timeline.tsx';
import { LogView } from '../components/log-view.tsx';
import { MetricCharts } from '../components/metric-charts.tsx';
import { RunAgainDialog } from '../components/run-again.tsx';
import { date, duration, money, value } from '../format.ts';
import { useLoaded, useNow, useThrottled } from '../hooks.ts';
import { costOf, isActive, isQueued, onInstancesMs, stateOf } from '../job-row.ts';
import { jobs, listen, watchJob } from '../live.ts';
import { go, query, setQuery } from '../router.ts';

const tabs = ['Metrics', 'Log', 'Configuration', 'Artifacts', 'Code'] as const;
type Tab = (typeof tabs)[number];

export function Job({ name }: { readonly name: string }) {
  const path = `jobs/${encodeURIComponent(name)}`;
  const { data, error, reload } = useLoaded(signal => get<JobDetail>(path, signal), [name]);
  const [series, setSeries] = useState<readonly SeriesSummary[]>([]);
  const [isAgain, setAgain] = useState(false);
  const reloadSoon = useThrottled(reload, 500);
  useEffect(() => {
    watchJob(name);
    const stops = [
      listen('jobs', ({ rows, removed }) => {
        if (rows.some(row => row.name === name) || removed.includes(name)) reloadSoon();
      }),
      listen('metrics', event =>
        setSeries(before => {
          const next = new Map(before.map(one => [one.name, one]));
          for (const one of event.series) next.set(one.name, one);
          return inOrder([...next.values()]);
        }),
      ),
    ];
    return () => {
      watchJob(undefined);
      for (const stop of stops) stop();
    };
  }, [name]);
  useEffect(() => {
    if (data !== undefined) setSeries(inOrder(data.series));
  }, [data]);
  const row = jobs.value?.get(name) ?? data?.row;
  const now = useNow(1000, row !== undefined && isActive(row));
  const asked = query.value.get('tab');
  const fallback: Tab = series.length > 0 ? 'Metrics' : 'Log';
  const tab = tabs.find(one => one.toLowerCase() === asked) ?? fallback;
  if (data === undefined || row === undefined)
    return (
      <>
        <PageHead title={name} />
        {error === undefined ? <Skeleton lines={8} /> : <Problem error={error} />}
      </>
    );
  const state = stateOf(row);
  const act = async (action: Promise<unknown>, done: string): Promise<void> => {
    try {
      await action;
      say(done);
      reload();
    } catch (failure) {
      say(problemOf(failure));
    }
  };
  const input = { TrainingJobName: name };
  const stop = () => act(sagemaker('StopTrainingJob', input), `Stopping ${name}`);
  const interrupt = () => act(trenio('InterruptTrainingJob', input), `Taking the spot instances of ${name} back`);
  return (
    <>
      <PageHead
        title={name}
        note={
          <span class="row wrap">
            <Badge tone={state.tone}>{state.text}</Badge>
            <span>
              {row.instanceCount} × {row.instanceType}
              {row.isSpot ? ', spot' : ''}
            </span>
            <span>created {date(row.createdMs)}</span>
          </span>
        }
      >
        <Button icon="compare" onClick={() => go(`/compare?jobs=${encodeURIComponent(name)}`)}>
          Compare
        </Button>
        {mayWrite() ? (
          <>
            <Button icon="again" onClick={() => setAgain(true)}>
              Run again
            </Button>
            {row.isSpot && row.status === 'InProgress' && row.sinceMs !== null ? (
              <Button icon="bolt" onClick={() => void interrupt()} title="Take its spot instances back, as AWS may">
                Interrupt
              </Button>
            ) : null}
            {isActive(row) ? (
              <Button icon="stop" kind="danger" onClick={() => void stop()} disabled={row.status === 'Stopping'}>
                Stop
              </Button>
            ) : null}
          </>
        ) : null}
      </PageHead>
      <div class="stack">
        {data.failureReason === null ? null : (
          <div class="problem" role="alert">
            <div>
              <strong>Failed. </strong>
              {data.failureReason}
            </div>
          </div>
        )}
        <Card flush>
          <dl class="stats">
            <Stat name="Time on instances" note={`of at most ${duration(data.maxRuntimeSeconds * 1000)}`}>
              {duration(onInstancesMs(row, now))}
            </Stat>
            <Stat name="Cost" note={priceNote(row.usdPerHour, row.priceShare)}>
              {money(costOf(row, now))}
            </Stat>
            {isQueued(row) ? <Stat name="Waits">{duration(now - row.createdMs)}</Stat> : null}
            {series.slice(0, 3).map(one => (
              <Stat key={one.name} name={one.name} note={`step ${value(one.lastStep)}`}>
                {value(one.lastValue)}
              </Stat>
            ))}
          </dl>
          <div class="card-body" style={{ borderTop: '1px solid var(--line)' }}>
            {row.waitsFor === null ? null : <p>Waiting: {row.waitsFor}.</p>}
            <JobTimeline job={data} now={now} />
          </div>
        </Card>
        <div>
          <Tabs current={tab} />
          <section role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`}>
            {tab === 'Metrics' ? (
              series.length === 0 ? (
                <Card>
                  <Empty
                    title="No metrics"
                    command={'"MetricDefinitions": [{"Name": "loss", "Regex": "loss=([0-9.]+)"}]'}
                  >
                    A metric is a regular expression over the lines of the job; its first group is the value. Name some
                    in the job's AlgorithmSpecification.
                  </Empty>
                </Card>
              ) : (
                <MetricCharts job={name} series={series} />
              )
            ) : tab === 'Log' ? (
              <LogView job={name} />
            ) : tab === 'Configuration' ? (
              <JobConfiguration job={data} />
            ) : tab === 'Artifacts' ? (
              <JobArtifacts job={data} />
            ) : (
              <JobCode job={data} />
            )}
          </section>
        </div>
        <HostUse job={name} isRunning={isActive(row)} />
        <JobCostCard job={name} version={data} row={row} now={now} />
        <JobTags arn={data.arn} mayChange={mayWrite()} />
      </div>
      {isAgain ? <RunAgainDialog job={data} onClose={() => setAgain(false)} /> : null}
    </>
  );
}

function priceNote(usdPerHour: number | null, share: number): string {
  if (usdPerHour === null) return 'no public price';
  const saved = share < 1 ? `, ${Math.round((1 - share) * 100)} % less than on demand` : ', billed by the second';
  return `${money(usdPerHour)} an hour${saved}`;
}

/** Important metrics come first. */
const importance = (name: string): number => [/loss/i, /accuracy|f1|score/i].findIndex(word => word.test(name)) & 3;
const inOrder = (series: readonly SeriesSummary[]): readonly SeriesSummary[] =>
  series.toSorted((a, b) => importance(a.name) - importance(b.name) || (a.name < b.name ? -1 : 1));

function Tabs({ current }: { readonly current: Tab }) {
  const choose = (tab: Tab): void => setQuery({ tab: tab.toLowerCase() });
  return (
    <div class="tabs" role="tablist" aria-label="Parts of the job">
      {tabs.map((tab, i) => (
        <button
          key={tab}
          id={`tab-${tab}`}
          type="button"
          role="tab"
          aria-selected={tab === current}
          {...(tab === current ? { 'aria-controls': `panel-${tab}` } : {})}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => choose(tab)}
          onKeyDown={event => {
            const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
            if (by === 0) return;
            const next = tabs[(i + by + tabs.length) % tabs.length]!;
            choose(next);
            document.getElementById(`tab-${next}`)?.focus();
          }}
        >
          {tab}
        </button>
      ))}
    </div>
  );
}
