// One training job: states, metrics and lines as they happen; money; what it was asked to do and what it left.
import { useEffect, useState } from 'preact/hooks';
import type { CodeFile, JobDetail, SeriesSummary } from '../../../src/api/console/messages.ts';
import { get, mayWrite, problemOf, sagemaker, trenio } from '../api.ts';
import {
  Badge,
  Button,
  Card,
  CopyButton,
  Empty,
  PageHead,
  Problem,
  Skeleton,
  Stat,
  say,
} from '../components/basics.tsx';
import { HostUse } from '../components/host-use.tsx';
import { Icon } from '../components/icon.tsx';
import { JobCostCard } from '../components/job-cost.tsx';
import { LogView } from '../components/log-view.tsx';
import { MetricCharts } from '../components/metric-charts.tsx';
import { RunAgainDialog } from '../components/run-again.tsx';
import { bytes, date, duration, moment, money, value } from '../format.ts';
import { useLoaded, useNow, useThrottled } from '../hooks.ts';
import { costOf, isActive, isQueued, onInstancesMs, stateOf, toneOf } from '../job-row.ts';
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
            <Stat name="Cost" note={priceNote(row.usdPerHour, data.priceShare)}>
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
            <Timeline job={data} now={now} />
          </div>
        </Card>
        <JobCostCard job={name} version={data} />
        <HostUse job={name} isRunning={isActive(row)} />
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
              <Configuration job={data} />
            ) : tab === 'Artifacts' ? (
              <Artifacts job={data} />
            ) : (
              <Code job={data} />
            )}
          </section>
        </div>
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

function Timeline({ job, now }: { readonly job: JobDetail; readonly now: number }) {
  const lasting = job.transitions.map(step => ({ ...step, ms: Math.max(0, (step.endMs ?? now) - step.startMs) }));
  const total = lasting.reduce((sum, { ms }) => sum + ms, 0) || 1;
  return (
    <>
      <div class="timeline" aria-hidden="true">
        {lasting.map((step, i) => (
          <span
            key={i}
            data-tone={step.status === 'Starting' ? 'idle' : toneOf(step.status)}
            title={`${step.status}: ${duration(step.ms)}`}
            style={{ flex: `${step.ms / total} 1 0` }}
          />
        ))}
      </div>
      <ol class="steps" style={{ padding: 0, listStyle: 'none', marginBottom: 0 }}>
        {lasting.map((step, i) => (
          <li key={i} title={`${moment(step.startMs)}: ${step.message}`}>
            <b>{step.status === 'Starting' ? 'Waiting' : step.status}</b>
            {step.ms > 0 || step.endMs === null ? duration(step.ms) : date(step.startMs)}
          </li>
        ))}
      </ol>
    </>
  );
}

function Pairs({ values }: { readonly values: Readonly<Record<string, string>> }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return <p class="quiet small">None.</p>;
  return (
    <dl class="facts">
      {entries.flatMap(([key, text]) => [
        <dt key={`${key} name`} class="mono">
          {key}
        </dt>,
        <dd key={key} class="mono">
          {text}
        </dd>,
      ])}
    </dl>
  );
}

function Configuration({ job }: { readonly job: JobDetail }) {
  return (
    <div class="split">
      <Card title="Hyperparameters">
        <Pairs values={job.hyperparameters} />
      </Card>
      <Card title="Job">
        <dl class="facts">
          <dt>ARN</dt>
          <dd class="row">
            <span class="mono" style={{ overflowWrap: 'anywhere' }}>
              {job.arn}
            </span>
            <CopyButton text={job.arn} label="Copy the ARN" />
          </dd>
          <dt>Image</dt>
          <dd class="mono">{job.row.image}</dd>
          {job.command.length === 0 ? null : (
            <>
              <dt>Command</dt>
              <dd class="mono">{job.command.join(' ')}</dd>
            </>
          )}
          <dt>Network</dt>
          <dd>{job.hasNetwork ? 'as this machine has it' : 'isolated'}</dd>
          <dt>Longest run</dt>
          <dd>{duration(job.maxRuntimeSeconds * 1000)}</dd>
          {job.maxWaitSeconds === null ? null : (
            <>
              <dt>Longest wait</dt>
              <dd>{duration(job.maxWaitSeconds * 1000)}</dd>
            </>
          )}
          <dt>Attempts</dt>
          <dd>{job.attempt}</dd>
        </dl>
      </Card>
      <Card title="Hosts" flush>
        <table class="table">
          <thead>
            <tr>
              <th>Host</th>
              <th class="num">Cores</th>
              <th>Log stream</th>
            </tr>
          </thead>
          <tbody>
            {job.hosts.map(host => (
              <tr key={host.name}>
                <td class="nowrap">{host.name}</td>
                <td class="num">{host.cores}</td>
                <td class="mono quiet">{host.stream ?? 'not started'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <Card title="Data">
        <dl class="facts">
          {job.channels.flatMap(channel => [
            <dt key={`${channel.name} name`}>{channel.name}</dt>,
            <dd key={channel.name}>
              <span class="mono">{channel.uri}</span>
              {channel.distribution === 'ShardedByS3Key' ? ' (shared out over the hosts)' : ''}
            </dd>,
          ])}
          <dt>Output</dt>
          <dd class="mono">{job.outputUri}</dd>
          {job.checkpointUri === null ? null : (
            <>
              <dt>Checkpoints</dt>
              <dd class="mono">{job.checkpointUri}</dd>
            </>
          )}
        </dl>
      </Card>
      <Card title="Environment">
        {job.environment.length === 0 ? (
          <p class="quiet small">None.</p>
        ) : (
          <>
            <Pairs values={Object.fromEntries(job.environment.map(key => [key, '••••••']))} />
            <p class="quiet small" style={{ marginTop: '12px' }}>
              Values may be secrets, and are not shown.
            </p>
          </>
        )}
      </Card>
      <Card title="Tags">
        <Pairs values={job.tags} />
      </Card>
    </div>
  );
}

function Artifacts({ job }: { readonly job: JobDetail }) {
  if (job.artifacts.length === 0)
    return (
      <Card>
        <Empty title="Nothing yet" command={`aws s3 ls --recursive ${job.outputUri}/`}>
          The model is uploaded to {job.outputUri} when the job ends, checkpoints while it runs.
        </Empty>
      </Card>
    );
  return (
    <Card flush>
      <div class="scroll-x">
        <table class="table">
          <thead>
            <tr>
              <th>Object</th>
              <th class="num">Size</th>
              <th>Stored</th>
              <th>
                <span class="visually-hidden">Download</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {job.artifacts.map(({ bucket, key, bytes: size, modifiedMs }) => (
              <tr key={`${bucket}/${key}`}>
                <td class="mono">
                  s3://{bucket}/{key}
                </td>
                <td class="num">{bytes(size)}</td>
                <td class="quiet">{date(modifiedMs)}</td>
                <td class="num">
                  <a
                    class="button"
                    data-kind="bare"
                    aria-label={`Download ${key}`}
                    href={`/_console/api/object?bucket=${encodeURIComponent(bucket)}&key=${encodeURIComponent(key)}`}
                    download
                  >
                    <Icon name="download" />
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Code({ job }: { readonly job: JobDetail }) {
  const { data, error } = useLoaded(
    signal =>
      job.hasCode
        ? get<readonly CodeFile[]>(`jobs/${encodeURIComponent(job.row.name)}/code`, signal)
        : Promise.resolve([]),
    [job.row.name],
  );
  const [path, setPath] = useState<string | undefined>(undefined);
  if (error !== undefined) return <Problem error={error} />;
  if (data === undefined) return <Skeleton lines={8} />;
  const program = job.hyperparameters.sagemaker_program?.replace(/^"|"$/g, '');
  const file = data.find(one => one.path === (path ?? program)) ?? data[0];
  if (file === undefined)
    return (
      <Card>
        <Empty title="No code of its own">
          This job runs what its image <code>{job.row.image}</code> contains. Jobs with an archive in the hyperparameter{' '}
          <code>sagemaker_submit_directory</code> show its files here.
        </Empty>
      </Card>
    );
  return (
    <div class="card code-grid">
      <nav aria-label="Files">
        {data.map(one => (
          <button
            key={one.path}
            type="button"
            class="nav-item"
            aria-current={one === file ? 'page' : undefined}
            onClick={() => setPath(one.path)}
          >
            <span class="truncate mono">{one.path}</span>
          </button>
        ))}
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre tabIndex={0}>{file.text ?? `${file.path}: ${bytes(file.bytes)}, not shown`}</pre>
    </div>
  );
}
