// One tuning job: its trials over their hyperparameters, the progress of the best value, and a table of all trials.
import { useMemo, useState } from 'preact/hooks';
import type { TuningDetail, TuningTrial } from '../../../src/api/console/messages.ts';
import { get, mayWrite, problemOf, sagemaker } from '../api.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { ParallelCoordinates } from '../charts/parallel.tsx';
import { Badge, Button, Card, PageHead, Problem, Skeleton, Stat, say } from '../components/basics.tsx';
import { date, duration, missingCosts, money, value } from '../format.ts';
import { useNow, usePolled } from '../hooks.ts';
import { totalCostOf } from '../job-row.ts';
import { jobs } from '../live.ts';
import { go, href } from '../router.ts';
import { Progress, toneOfTuning, wordsOf } from './tunings.tsx';

const REFRESH_MS = 2000;

export function Tuning({ name }: { readonly name: string }) {
  const { data, error, reload } = usePolled(
    signal => get<TuningDetail>(`tunings/${encodeURIComponent(name)}`, signal),
    REFRESH_MS,
    [name],
  );
  const [shown, setShown] = useState<string | undefined>(undefined);
  const isRunning = data?.status === 'InProgress' || data?.status === 'Stopping';
  const now = useNow(1000, isRunning);
  if (data === undefined)
    return (
      <>
        <PageHead title={name} />
        {error === undefined ? <Skeleton lines={8} /> : <Problem error={error} />}
      </>
    );
  const stop = async (): Promise<void> => {
    try {
      await sagemaker('StopHyperParameterTuningJob', { HyperParameterTuningJobName: name });
      say(`Stopping ${name}`);
      reload();
    } catch (failure) {
      say(problemOf(failure));
    }
  };
  const rows = data.trials.map(({ job }) => jobs.value?.get(job));
  const cost = totalCostOf(
    rows.filter(row => row !== undefined),
    now,
  );
  const best = data.trials.find(({ job }) => job === data.best?.job);
  const lines = data.trials.flatMap(({ job, hyperparameters, value: objective }) =>
    objective === null ? [] : [{ name: job, values: hyperparameters, objective }],
  );
  const open = (job: string): void => go(`/jobs/${encodeURIComponent(job)}`);
  const compared = ranked(data).slice(0, 4);
  return (
    <>
      <PageHead
        title={name}
        note={
          <span class="row wrap">
            <Badge tone={toneOfTuning(data.status)}>{wordsOf(data.status)}</Badge>
            <span>
              {data.strategy}, {data.isMaximized ? 'highest' : 'lowest'} {data.metric}
            </span>
            <span>created {date(data.createdMs)}</span>
          </span>
        }
      >
        {compared.length < 2 ? null : (
          <Button
            icon="compare"
            onClick={() => go(`/compare?jobs=${compared.map(({ job }) => encodeURIComponent(job)).join(',')}`)}
          >
            Compare the best
          </Button>
        )}
        {mayWrite() && isRunning ? (
          <Button icon="stop" kind="danger" onClick={() => void stop()} disabled={data.status === 'Stopping'}>
            Stop
          </Button>
        ) : null}
      </PageHead>
      <div class="stack">
        {error === undefined ? null : <Problem error={error} />}
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
            <Stat name={`Best ${data.metric}`} note={data.target === null ? '' : `target ${value(data.target)}`}>
              {value(data.best?.value)}
            </Stat>
            <Stat
              name="Time"
              note={data.maxRuntimeSeconds === null ? '' : `at most ${duration(data.maxRuntimeSeconds * 1000)}`}
            >
              {duration((data.endedMs ?? now) - data.createdMs)}
            </Stat>
            <Stat name="Cost" note={missingCosts(cost.jobsWithoutPrice) ?? 'of all its jobs'}>
              {money(cost.usd)}
            </Stat>
            <Stat name="Seed" note={`${data.maxParallel} at a time`}>
              {data.seed}
            </Stat>
          </dl>
          <div class="card-body" style={{ borderTop: '1px solid var(--line)' }}>
            <Progress row={data} />
          </div>
        </Card>
        {lines.length === 0 ? (
          <Card title="Hyperparameters and objective">
            <p class="quiet">No trial has a value of {data.metric} yet.</p>
          </Card>
        ) : (
          <Card title="Hyperparameters and objective">
            <ParallelCoordinates
              ranges={data.ranges}
              lines={lines}
              metric={data.metric}
              isMaximized={data.isMaximized}
              best={data.best?.job}
              shown={shown}
              onShow={setShown}
              onOpen={open}
            />
          </Card>
        )}
        <div class="split">
          {best === undefined ? null : <Best trial={best} detail={data} />}
          {lines.length < 2 ? null : <Course detail={data} />}
        </div>
        <Trials detail={data} shown={shown} onShow={setShown} />
      </div>
    </>
  );
}

/** Trials with a value, the best one first. */
const ranked = ({ trials, isMaximized }: TuningDetail): readonly TuningTrial[] =>
  trials
    .filter(trial => trial.value !== null)
    .toSorted((a, b) => (isMaximized ? b.value! - a.value! : a.value! - b.value!));

function Best({ trial, detail }: { readonly trial: TuningTrial; readonly detail: TuningDetail }) {
  return (
    <Card
      title="Best trial"
      actions={
        <Button onClick={() => go(`/jobs/${encodeURIComponent(trial.job)}`)} icon="jobs">
          Open
        </Button>
      }
    >
      <dl class="facts">
        <dt>Job</dt>
        <dd class="mono">{trial.job}</dd>
        <dt>{detail.metric}</dt>
        <dd class="tabular">{value(trial.value)}</dd>
        {detail.ranges.flatMap(({ name }) => [
          <dt key={`${name} name`}>{name}</dt>,
          <dd key={name} class="mono">
            {shortened(trial.hyperparameters[name])}
          </dd>,
        ])}
      </dl>
    </Card>
  );
}

/** The values in the order in which trials ended, and the best so far. */
function Course({ detail }: { readonly detail: TuningDetail }) {
  const curves = useMemo(() => {
    const ended = detail.trials
      .filter(trial => trial.value !== null)
      .toSorted((a, b) => (a.endMs ?? 0) - (b.endMs ?? 0));
    let best = detail.isMaximized ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    const better = detail.isMaximized ? Math.max : Math.min;
    const x = ended.map((_, i) => i + 1);
    return [
      { label: 'trial', x, y: ended.map(trial => trial.value!) },
      {
        label: 'best so far',
        x,
        y: ended.map(trial => {
          best = better(best, trial.value!);
          return best;
        }),
      },
    ];
  }, [detail]);
  return (
    <Card title="Progress of the search">
      <LineChart
        curves={curves}
        label={`${detail.metric} of each trial, and the best so far`}
        xKind="step"
        xName="trials"
        isLog={false}
        height={220}
      />
    </Card>
  );
}

const MOST_DIGITS = 6;
/** Searches propose numbers with sixteen digits, which are shortened here. */
function shortened(text: string | undefined): string {
  if (text === undefined) return '–';
  const number = Number(text);
  return text.length <= MOST_DIGITS || Number.isNaN(number) || text.trim() === '' ? text : value(number);
}

function Trials({
  detail,
  shown,
  onShow,
}: {
  readonly detail: TuningDetail;
  readonly shown: string | undefined;
  readonly onShow: (job: string | undefined) => void;
}) {
  const valued = ranked(detail);
  const rows = [...valued, ...detail.trials.filter(trial => trial.value === null)];
  return (
    <Card title="Trials" flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="scroll-x" tabIndex={0} aria-label="Trials">
        <table class="table">
          <thead>
            <tr>
              <th>Job</th>
              <th>State</th>
              <th class="num">{detail.metric}</th>
              {detail.ranges.map(({ name }) => (
                <th key={name} class="num">
                  {name}
                </th>
              ))}
              <th class="num">Time</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(trial => (
              <tr
                key={trial.job}
                data-current={trial.job === shown}
                onPointerEnter={() => onShow(trial.job)}
                onPointerLeave={() => onShow(undefined)}
              >
                <td class="nowrap">
                  <a class="name" href={href(`/jobs/${encodeURIComponent(trial.job)}`)}>
                    {trial.job}
                  </a>
                </td>
                <td title={trial.failureReason ?? undefined}>
                  <Badge tone={trial.status === 'planned' ? 'idle' : toneOfTuning(trial.status)}>
                    {trial.status === 'planned' ? 'Planned' : wordsOf(trial.status)}
                  </Badge>
                </td>
                <td class="num">{value(trial.value)}</td>
                {detail.ranges.map(({ name }) => (
                  <td key={name} class="num" title={trial.hyperparameters[name]}>
                    {shortened(trial.hyperparameters[name])}
                  </td>
                ))}
                <td class="num">
                  {trial.startMs === null || trial.endMs === null ? '–' : duration(trial.endMs - trial.startMs)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}
