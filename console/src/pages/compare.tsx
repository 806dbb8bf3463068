// Jobs side by side: their curves in one chart, their differences, and cost against result.
import { useMemo, useState } from 'preact/hooks';
import type { JobDetail, SeriesPage } from '../../../src/api/console/messages.ts';
import { get, serverNow } from '../api.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { Scatter } from '../charts/scatter.tsx';
import { Button, Card, Empty, PageHead, Problem, Segments, Skeleton } from '../components/basics.tsx';
import { CurveChoices, type CurveView } from '../components/curve-choices.tsx';
import { curveOf, smoothed } from '../components/metric-charts.tsx';
import { duration, money, value } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { costOf, onInstancesMs } from '../job-row.ts';
import { jobs } from '../live.ts';
import { go, href, query, setQuery } from '../router.ts';
import { State } from './overview.tsx';

const MOST = 8;
const COLUMNS = 400;

export function Compare() {
  const names = (query.value.get('jobs') ?? '').split(',').filter(Boolean).map(decodeURIComponent).slice(0, MOST);
  const { data, error } = useLoaded(
    signal => Promise.all(names.map(name => get<JobDetail>(`jobs/${encodeURIComponent(name)}`, signal))),
    [names.join(',')],
  );
  if (names.length < 2)
    return (
      <>
        <PageHead title="Compare" />
        <Card>
          <Empty title="Select jobs to compare">
            Select two to eight jobs in the list of jobs, with their checkboxes or with <kbd>x</kbd>, then choose
            Compare.
          </Empty>
          <Choose names={names} />
        </Card>
      </>
    );
  return (
    <>
      <PageHead title="Compare" note={`${names.length} jobs`}>
        <Button onClick={() => go('/jobs')}>Choose others</Button>
      </PageHead>
      {error === undefined ? null : <Problem error={error} />}
      {data === undefined ? (
        error === undefined ? (
          <Skeleton lines={8} />
        ) : null
      ) : (
        <div class="stack">
          <Curves details={data} />
          <CostAgainstResult details={data} />
          <Differences details={data} />
        </div>
      )}
    </>
  );
}

/** Initially, the newest jobs. */
function Choose({ names }: { readonly names: readonly string[] }) {
  const newest = [...(jobs.value?.values() ?? [])].toSorted((a, b) => b.createdMs - a.createdMs).slice(0, 8);
  if (newest.length < 2) return null;
  return (
    <ul class="row wrap" style={{ justifyContent: 'center', paddingBottom: '24px' }}>
      {newest.map(row => (
        <li key={row.name}>
          <Button
            icon={names.includes(row.name) ? 'close' : 'plus'}
            onClick={() => {
              const next = names.includes(row.name) ? names.filter(one => one !== row.name) : [...names, row.name];
              setQuery({ jobs: next.map(encodeURIComponent).join(',') });
            }}
          >
            {row.name}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Curves({ details }: { readonly details: readonly JobDetail[] }) {
  const metrics = useMemo(() => {
    const counts = new Map<string, number>();
    for (const { series } of details) for (const { name } of series) counts.set(name, (counts.get(name) ?? 0) + 1);
    const rank = (name: string): number => (/loss/i.test(name) ? 0 : 1);
    return [...counts].toSorted((a, b) => b[1] - a[1] || rank(a[0]) - rank(b[0])).map(([name]) => name);
  }, [details]);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [view, setView] = useState<CurveView<'step' | 'elapsed'>>({ x: 'step', isLog: false });
  const { x: by, isLog } = view;
  const [isSmooth, setSmooth] = useState(true);
  const metric = chosen ?? metrics[0];
  const { data, error } = useLoaded(
    signal =>
      metric === undefined
        ? Promise.resolve([])
        : Promise.all(
            details.map(({ row }) =>
              get<SeriesPage>(
                `jobs/${encodeURIComponent(row.name)}/series?metric=${encodeURIComponent(metric)}&columns=${COLUMNS}&by=${by === 'step' ? 'step' : 'time'}`,
                signal,
              ),
            ),
          ),
    [details, metric, by],
  );
  const curves = useMemo(
    () =>
      (data ?? []).map((page, i) => {
        const curve = curveOf(page, details[i]!.row.name, by);
        return isSmooth ? { ...curve, y: smoothed(curve.y) } : curve;
      }),
    [data, isSmooth],
  );
  if (metric === undefined)
    return (
      <Card title="Curves">
        <p class="quiet">None of these jobs has a metric.</p>
      </Card>
    );
  return (
    <Card
      title="Curves"
      actions={
        <>
          <select
            class="select"
            aria-label="Metric"
            value={metric}
            onChange={event => setChosen(event.currentTarget.value)}
          >
            {metrics.map(name => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <Segments
            label="Noise"
            choices={[
              { value: 'smooth', text: 'Smooth' },
              { value: 'raw', text: 'Raw' },
            ]}
            value={isSmooth ? 'smooth' : 'raw'}
            onChange={choice => setSmooth(choice === 'smooth')}
          />
          <CurveChoices time="elapsed" view={view} onChange={setView} />
        </>
      }
    >
      {error === undefined ? null : <Problem error={error} />}
      <LineChart
        curves={curves}
        label={`${metric} of ${details.map(({ row }) => row.name).join(', ')}`}
        xKind={by === 'step' ? 'step' : 'seconds'}
        isLog={isLog}
        height={320}
      />
    </Card>
  );
}

function CostAgainstResult({ details }: { readonly details: readonly JobDetail[] }) {
  const names = [...new Set(details.flatMap(({ series }) => series.map(({ name }) => name)))];
  const standard = names.find(name => /accuracy|score|f1/i.test(name)) ?? names[0];
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const metric = chosen ?? standard;
  if (metric === undefined) return null;
  const now = serverNow();
  const points = details.flatMap(({ row, series }, i) => {
    const last = series.find(({ name }) => name === metric)?.lastValue;
    const cost = costOf(row, now);
    return last === undefined || cost === null ? [] : [{ label: row.name, x: cost, y: last, color: i }];
  });
  return (
    <Card
      title="Cost and result"
      actions={
        <select
          class="select"
          aria-label="Result"
          value={metric}
          onChange={event => setChosen(event.currentTarget.value)}
        >
          {names.map(name => (
            <option key={name}>{name}</option>
          ))}
        </select>
      }
    >
      {points.length === 0 ? (
        <p class="quiet">None of these jobs has both a price and this metric.</p>
      ) : (
        <Scatter points={points} xName="cost" yName={metric} formatX={money} formatY={value} />
      )}
    </Card>
  );
}

function Differences({ details }: { readonly details: readonly JobDetail[] }) {
  const [all, setAll] = useState(false);
  const now = serverNow();
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['instances', details.map(({ row }) => `${row.instanceCount} × ${row.instanceType}${row.isSpot ? ' spot' : ''}`)],
    ['image', details.map(({ row }) => row.image)],
    ...[...new Set(details.flatMap(({ hyperparameters }) => Object.keys(hyperparameters)))].map(
      name => [name, details.map(({ hyperparameters }) => hyperparameters[name] ?? '–')] as const,
    ),
    ['time', details.map(({ row }) => duration(onInstancesMs(row, now)))],
    ['cost', details.map(({ row }) => money(costOf(row, now)))],
    ...[...new Set(details.flatMap(({ series }) => series.map(({ name }) => name)))].map(
      name =>
        [`last ${name}`, details.map(({ series }) => value(series.find(one => one.name === name)?.lastValue))] as const,
    ),
  ];
  const shown = rows.filter(([, values]) => all || new Set(values).size > 1);
  return (
    <Card
      title="Differences"
      flush
      actions={
        <label class="check">
          <input type="checkbox" checked={all} onChange={event => setAll(event.currentTarget.checked)} />
          Also show equal values
        </label>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="scroll-x" tabIndex={0} aria-label="Differences between the jobs">
        <table class="table">
          <thead>
            <tr>
              <th>Value</th>
              {details.map(({ row }, i) => (
                <th key={row.name}>
                  <span class="row">
                    <span class="swatch" style={{ background: `var(--c${(i % 8) + 1})` }} />
                    <a class="link" href={href(`/jobs/${encodeURIComponent(row.name)}`)}>
                      {row.name}
                    </a>
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <td class="quiet">state</td>
              {details.map(({ row }) => (
                <td key={row.name}>
                  <State row={row} />
                </td>
              ))}
            </tr>
            {shown.map(([name, values]) => (
              <tr key={name}>
                <td class="quiet nowrap">{name}</td>
                {values.map((text, i) => (
                  <td key={details[i]!.row.name} class="tabular nowrap">
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}
