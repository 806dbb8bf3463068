// The predictions of a plan: the answer, time against cost, a table, and the layouts that are not possible.
import { Scatter } from '../charts/scatter.tsx';
import { bytes, count, duration, money, value } from '../format.ts';
import {
  isSameMachines,
  layoutOf,
  type PlanAnswer,
  type PlanRow,
  purchaseOf,
  secondsOf,
  usdOf,
} from '../plan-answer.ts';
import { Card, Command } from './basics.tsx';

export function PlanResult({ plan }: { readonly plan: PlanAnswer }) {
  const { answer, search } = plan;
  const rows: readonly PlanRow[] =
    search === null
      ? plan.rows.filter(row => row.kind !== 'impossible')
      : [...(search.best === null ? [] : [search.best]), ...search.runnersUp];
  const shown = [...rows, ...(search?.rejected ?? [])];
  const chosen = shown.find(row => row.machine === answer.machine && row.nodes === answer.nodes);
  const waiting = chosen === undefined ? 0 : (chosen.byPhase['data loading'] ?? 0) / chosen.stepSeconds;
  const names = [...new Set(shown.map(row => row.machine))];
  const points = shown.flatMap(row => {
    const [seconds, usd] = [secondsOf(row), usdOf(row)];
    if (seconds === null || usd === null) return [];
    return [
      {
        label: `${row.nodes} × ${row.machine}${shown.some(other => other !== row && isSameMachines(other, row)) ? `, ${layoutOf(row.layout)}` : ''}`,
        x: seconds / 3600,
        y: usd,
        color: names.indexOf(row.machine),
        isBest: row === chosen,
      },
    ];
  });
  const purchases = new Set(shown.map(purchaseOf));
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
        {waiting < 0.005 ? null : <p class="quiet">Waits for data {Math.round(waiting * 100)} % of the time.</p>}
        {chosen === undefined ? null : (
          <dl class="stats" style={{ margin: '12px -16px -16px' }}>
            <Figure name="Time">{duration((secondsOf(chosen) ?? 0) * 1000)}</Figure>
            <Figure name="Cost">{money(usdOf(chosen))}</Figure>
            <Figure name="Step">{`${value(chosen.stepSeconds)} s`}</Figure>
            <Figure name="FLOP utilization">{`${(chosen.mfu * 100).toFixed(1)} %`}</Figure>
            <Figure name="Memory of a device">{bytes(chosen.memory.total)}</Figure>
          </dl>
        )}
        {answer.call === null ? null : (
          <div style={{ marginTop: '24px' }}>
            <p class="quiet">The calls that make this layout:</p>
            <Command text={answer.call} />
          </div>
        )}
      </Card>
      {points.length > 1 ? (
        <Card title="Time and cost">
          <Scatter points={points} xName="hours" yName="cost" formatX={hours => `${value(hours)} h`} formatY={money} />
        </Card>
      ) : null}
      <Card
        title={
          search === null
            ? 'Machines'
            : `Layouts tried: ${count(search.priced)}, of which ${count(search.feasible)} fit`
        }
        flush
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <section class="scroll-x" tabIndex={0} aria-label="Predictions">
          <table class="table">
            <thead>
              <tr>
                <th>Machines</th>
                <th>Layout</th>
                <th class="num">Time</th>
                <th class="num">{purchases.size === 1 ? `Cost, ${[...purchases][0]}` : 'Cost'}</th>
                {purchases.size === 1 ? null : <th>Bought</th>}
                <th class="num">MFU</th>
                <th>Step</th>
                <th class="num">Memory</th>
                {search === null ? null : <th>Compared with the best</th>}
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
                  {purchases.size === 1 ? null : <td class="quiet nowrap">{purchaseOf(row)}</td>}
                  <td class="num nowrap">{(row.mfu * 100).toFixed(1)} %</td>
                  <td>
                    <Phases phases={row.byPhase} />
                  </td>
                  <td class="num nowrap">
                    {row.memory.fits ? '' : 'too large: '}
                    {bytes(row.memory.total)}
                  </td>
                  {search === null ? null : <td class="quiet">{row.why ?? 'the best'}</td>}
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

/** Where a step's time goes. */
function Phases({ phases }: { readonly phases: Readonly<Record<string, number>> }) {
  // A phase has the same color in all rows.
  const entries = Object.entries(phases)
    .map(([name, seconds], i) => ({ name, seconds, color: `var(--c${(i % 10) + 1})` }))
    .filter(({ seconds }) => seconds > 0);
  const total = entries.reduce((sum, { seconds }) => sum + seconds, 0) || 1;
  const text = entries.map(({ name, seconds }) => `${name} ${Math.round((seconds / total) * 100)} %`).join(', ');
  return (
    <div class="stacked" role="img" aria-label={text} title={text} style={{ width: '64px' }}>
      {entries.map(({ name, seconds, color }) => (
        <span key={name} style={{ flex: `${seconds / total} 1 0`, background: color }} />
      ))}
    </div>
  );
}
