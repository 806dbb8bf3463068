// The simulator behind sliders: what a training takes and costs on machines, before they are rented. The same as `trenio plan`,
// whose command line the page shows.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { command, get, mayWrite } from '../api.ts';
import { Scatter } from '../charts/scatter.tsx';
import { Card, Command, Empty, PageHead, Problem, Segments, Skeleton } from '../components/basics.tsx';
import { bytes, count, duration, money, value } from '../format.ts';
import { useLoaded } from '../hooks.ts';

interface Layout {
  readonly data?: number;
  readonly tensor?: number;
  readonly pipeline?: number;
  readonly expert?: number;
}
interface Row {
  readonly kind?: string;
  readonly machine: string;
  readonly nodes: number;
  readonly devices: number;
  readonly layout: Layout;
  readonly stepSeconds: number;
  readonly samplesPerSecond: number;
  readonly tokensPerSecond: number | null;
  readonly mfu: number;
  readonly bound: string;
  readonly byPhase: Readonly<Record<string, number>>;
  readonly memory: { readonly total: number; readonly capacity: number; readonly fits: boolean };
  readonly training?: {
    readonly seconds: number;
    readonly usd: number | null;
    readonly purchase: string | null;
  } | null;
  readonly seconds?: number | null;
  readonly usd?: number | null;
  readonly purchase?: string | null;
  readonly why?: string;
  readonly reason?: string;
  readonly fix?: string;
}
interface PlanAnswer {
  readonly rows: readonly Row[];
  readonly search: {
    readonly priced: number;
    readonly feasible: number;
    readonly best: Row | null;
    readonly runnersUp: readonly Row[];
    readonly rejected: readonly Row[];
    readonly withoutAny: readonly { readonly machine: string; readonly why: string }[];
  } | null;
  readonly answer: {
    readonly machine: string;
    readonly nodes: number;
    readonly kept: boolean;
    readonly reason: string;
  };
  readonly warnings: readonly string[];
  readonly assumptions: readonly string[];
}

const secondsOf = (row: Row): number | null => row.training?.seconds ?? row.seconds ?? null;
const usdOf = (row: Row): number | null => row.training?.usd ?? row.usd ?? null;
const purchaseOf = (row: Row): string => row.training?.purchase ?? row.purchase ?? '–';

const offered = [
  'trn1.32xlarge',
  'trn1n.32xlarge',
  'trn2.48xlarge',
  'trn2u.48xlarge',
  'p4d.24xlarge',
  'p4de.24xlarge',
  'p5.48xlarge',
  'p5en.48xlarge',
  'g5.48xlarge',
] as const;

const DEADLINES = [0, 1, 2, 4, 8, 12, 24, 48, 96, 168, 336, 720] as const;
const BUDGETS = [0, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000] as const;
const SETTLE_MS = 250;

export function Plan() {
  const [kind, setKind] = useState<'model' | 'script'>('model');
  const [model, setModel] = useState('llama3-8b');
  const [script, setScript] = useState('train.ts');
  const [machines, setMachines] = useState<readonly string[]>(['trn1.32xlarge', 'trn2.48xlarge', 'p5.48xlarge']);
  const [most, setMost] = useState(5);
  const [amount, setAmount] = useState(10);
  const [batch, setBatch] = useState(0);
  const [search, setSearch] = useState<'off' | 'time' | 'cost'>('off');
  const [deadline, setDeadline] = useState(0);
  const [budget, setBudget] = useState(0);
  const { data: models } = useLoaded(signal => get<readonly string[]>('models', signal), []);

  const tokens = 10 ** (amount / 2 + 5);
  const samples = Math.round(10 ** (amount / 4 + 3));
  const words = useMemo(
    () => [
      'plan',
      ...(kind === 'model' ? ['--model', model, '--tokens', quantity(tokens)] : [script, '--samples', String(samples)]),
      '--on',
      machines.join(','),
      '--nodes',
      most === 0 ? '1' : `1..${2 ** most}`,
      ...(batch === 0 ? [] : ['--global-batch', String(2 ** (batch + 3))]),
      ...(search === 'off' ? [] : ['--search', '--by', search]),
      ...(deadline === 0 ? [] : ['--deadline', `${DEADLINES[deadline]}h`]),
      ...(budget === 0 ? [] : ['--budget', String(BUDGETS[budget])]),
    ],
    [kind, model, script, machines, most, amount, batch, search, deadline, budget],
  );
  const asked = useSettled(words);
  const { data, error, isLoading } = useLoaded(
    signal => (machines.length === 0 ? Promise.resolve(undefined) : command<PlanAnswer>(asked, signal)),
    [asked],
  );
  return (
    <>
      <PageHead title="Plan" note="Time, memory and cost of a training on machines that you have not rented yet" />
      <div class="grid plan-grid">
        <Card>
          <div class="stack">
            {mayWrite() ? (
              <Segments
                label="What is trained"
                choices={[
                  { value: 'model', text: 'Model' },
                  { value: 'script', text: 'Own script' },
                ]}
                value={kind}
                onChange={setKind}
              />
            ) : null}
            {kind === 'model' ? (
              <label class="field">
                Model
                <select class="select" value={model} onChange={event => setModel(event.currentTarget.value)}>
                  {(models ?? [model]).map(name => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              </label>
            ) : (
              <label class="field">
                Script, or StableHLO program
                <input class="input mono" value={script} onChange={event => setScript(event.currentTarget.value)} />
                <span class="hint">A path on the server's machine; it is traced up to its training step, not run.</span>
              </label>
            )}
            <Slider
              name={kind === 'model' ? 'Tokens' : 'Samples'}
              shown={quantity(kind === 'model' ? tokens : samples)}
              value={amount}
              max={kind === 'model' ? 16 : 20}
              onInput={setAmount}
            />
            <fieldset class="field">
              <legend class="field" style={{ marginBottom: '4px' }}>
                Machines
              </legend>
              {offered.map(name => (
                <label key={name} class="check" style={{ fontWeight: 400 }}>
                  <input
                    type="checkbox"
                    checked={machines.includes(name)}
                    onChange={() =>
                      setMachines(machines.includes(name) ? machines.filter(one => one !== name) : [...machines, name])
                    }
                  />
                  {name}
                </label>
              ))}
            </fieldset>
            <Slider name="Nodes, up to" shown={String(2 ** most)} value={most} max={10} onInput={setMost} />
            <Slider
              name="Samples in a step"
              shown={batch === 0 ? 'as usual' : count(2 ** (batch + 3))}
              value={batch}
              max={12}
              onInput={setBatch}
            />
            <div class="field">
              Layouts
              <Segments
                label="Layouts"
                choices={[
                  { value: 'off', text: 'Published' },
                  { value: 'time', text: 'Fastest' },
                  { value: 'cost', text: 'Cheapest' },
                ]}
                value={search}
                onChange={setSearch}
              />
            </div>
            <Slider
              name="Deadline"
              shown={deadline === 0 ? 'none' : duration(DEADLINES[deadline]! * 3_600_000)}
              value={deadline}
              max={DEADLINES.length - 1}
              onInput={setDeadline}
            />
            <Slider
              name="Budget"
              shown={budget === 0 ? 'none' : money(BUDGETS[budget]!)}
              value={budget}
              max={BUDGETS.length - 1}
              onInput={setBudget}
            />
          </div>
        </Card>
        <div class="stack" aria-busy={isLoading} style={{ opacity: isLoading && data !== undefined ? 0.6 : 1 }}>
          {error === undefined ? null : <Problem error={error} />}
          {machines.length === 0 ? (
            <Card>
              <Empty title="Choose a machine">Tick one or more machines to compare them.</Empty>
            </Card>
          ) : data === undefined ? (
            error === undefined ? (
              <Skeleton lines={8} />
            ) : null
          ) : (
            <Result plan={data} />
          )}
          <Card title="The same in a shell">
            <Command text={['trenio', ...words].join(' ')} />
          </Card>
        </div>
      </div>
    </>
  );
}

function Result({ plan }: { readonly plan: PlanAnswer }) {
  const { answer, search } = plan;
  const rows: readonly Row[] =
    search === null
      ? plan.rows.filter(row => row.kind !== 'impossible')
      : [...(search.best === null ? [] : [search.best]), ...search.runnersUp];
  const shown = rows.length > 0 ? rows : (search?.rejected ?? []);
  const chosen = shown.find(row => row.machine === answer.machine && row.nodes === answer.nodes);
  const names = [...new Set(shown.map(row => row.machine))];
  const points = shown.flatMap(row => {
    const [seconds, usd] = [secondsOf(row), usdOf(row)];
    if (seconds === null || usd === null) return [];
    return [
      {
        label: `${row.nodes} × ${row.machine}${shown.some(other => other !== row && isSame(other, row)) ? `, ${layoutOf(row.layout)}` : ''}`,
        x: seconds / 3600,
        y: usd,
        color: names.indexOf(row.machine),
        isBest: row === chosen,
      },
    ];
  });
  const impossible = plan.rows.filter(row => row.kind === 'impossible');
  return (
    <>
      <Card>
        <p class="answer">
          {answer.nodes} × {answer.machine}
        </p>
        <p class="quiet">
          {answer.kept ? '' : 'Nothing meets the deadline and the budget. '}
          {answer.reason}
        </p>
        {chosen === undefined ? null : (
          <dl class="stats" style={{ margin: '12px -16px -16px' }}>
            <Figure name="Time">{duration((secondsOf(chosen) ?? 0) * 1000)}</Figure>
            <Figure name="Cost">{money(usdOf(chosen))}</Figure>
            <Figure name="Step">{`${value(chosen.stepSeconds)} s`}</Figure>
            <Figure name="FLOP utilization">{`${(chosen.mfu * 100).toFixed(1)} %`}</Figure>
            <Figure name="Memory of a device">{bytes(chosen.memory.total)}</Figure>
          </dl>
        )}
      </Card>
      {points.length > 1 ? (
        <Card title="Time and cost">
          <Scatter points={points} xName="hours" yName="cost" formatX={hours => `${value(hours)} h`} formatY={money} />
        </Card>
      ) : null}
      <Card title={search === null ? 'Machines' : `Best of ${count(search.feasible)} feasible layouts`} flush>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <section class="scroll-x" tabIndex={0} aria-label="Predictions">
          <table class="table">
            <thead>
              <tr>
                <th>Machines</th>
                <th>Layout</th>
                <th class="num">Time</th>
                <th class="num">Cost</th>
                <th>Bought</th>
                <th class="num">MFU</th>
                <th>Step</th>
                <th class="num">Memory</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row, i) => (
                <tr key={`${row.machine} ${row.nodes} ${layoutOf(row.layout)} ${i}`} title={row.why}>
                  <td class="nowrap">
                    <b>{row.nodes}</b> × {row.machine}
                  </td>
                  <td class="quiet nowrap">{layoutOf(row.layout)}</td>
                  <td class="num nowrap">{duration((secondsOf(row) ?? 0) * 1000)}</td>
                  <td class="num">{money(usdOf(row))}</td>
                  <td class="quiet nowrap">{purchaseOf(row)}</td>
                  <td class="num nowrap">{(row.mfu * 100).toFixed(1)} %</td>
                  <td>
                    <Phases phases={row.byPhase} />
                  </td>
                  <td class="num nowrap">
                    {row.memory.fits ? '' : 'too large: '}
                    {bytes(row.memory.total)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Card>
      {impossible.length + (search?.withoutAny.length ?? 0) + plan.warnings.length === 0 ? null : (
        <Card title="Not possible, or with reservations">
          <ul class="stack small" style={{ gap: '8px' }}>
            {search?.withoutAny.map(({ machine, why }) => (
              <li key={machine}>
                <b>{machine}</b> {why}
              </li>
            ))}
            {impossible.map(row => (
              <li key={`${row.machine} ${row.nodes}`}>
                <b>
                  {row.nodes} × {row.machine}
                </b>{' '}
                {row.reason} {row.fix === undefined ? '' : `(${row.fix})`}
              </li>
            ))}
            {plan.warnings.map(warning => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Card>
      )}
      <details class="card">
        <summary class="card-head">Assumptions ({plan.assumptions.length})</summary>
        <ul class="card-body small quiet" style={{ display: 'grid', gap: '4px' }}>
          {plan.assumptions.map(text => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

const Figure = ({ name, children }: { readonly name: string; readonly children: string }) => (
  <div class="stat">
    <dt>{name}</dt>
    <dd style={{ fontSize: 'var(--text-xl)' }}>{children}</dd>
  </div>
);

const isSame = (a: Row, b: Row): boolean => a.machine === b.machine && a.nodes === b.nodes;

const layoutOf = (layout: Layout): string =>
  Object.entries(layout)
    .flatMap(([name, size]) => {
      const short = { data: 'dp', tensor: 'tp', pipeline: 'pp', expert: 'ep' }[name];
      return short !== undefined && typeof size === 'number' && size > 1 ? [`${short} ${size}`] : [];
    })
    .join(', ') || 'one device';

/** Where a step's time goes. */
function Phases({ phases }: { readonly phases: Readonly<Record<string, number>> }) {
  const entries = Object.entries(phases).filter(([, seconds]) => seconds > 0);
  const total = entries.reduce((sum, [, seconds]) => sum + seconds, 0) || 1;
  const text = entries.map(([name, seconds]) => `${name} ${Math.round((seconds / total) * 100)} %`).join(', ');
  return (
    <div class="stacked" role="img" aria-label={text} title={text} style={{ width: '110px' }}>
      {entries.map(([name, seconds], i) => (
        <span key={name} style={{ flex: `${seconds / total} 1 0`, background: `var(--c${(i % 8) + 1})` }} />
      ))}
    </div>
  );
}

function Slider({
  name,
  shown,
  value: at,
  max,
  onInput,
}: {
  readonly name: string;
  readonly shown: string;
  readonly value: number;
  readonly max: number;
  readonly onInput: (value: number) => void;
}) {
  return (
    <label class="slider">
      <span>
        {name} <output>{shown}</output>
      </span>
      <input
        type="range"
        min={0}
        max={max}
        value={at}
        aria-valuetext={shown}
        onInput={event => onInput(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}

/** `300B`, as `trenio plan` reads it. */
function quantity(number: number): string {
  for (const [size, unit] of [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const)
    if (number >= size) return `${Number((number / size).toPrecision(2))}${unit}`;
  return String(Math.round(number));
}

/** The value, once it has stood still for a moment: a slider that moves asks for no plan. */
function useSettled<T>(now: T): T {
  const [settled, setSettled] = useState(now);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(now), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [now]);
  return settled;
}
