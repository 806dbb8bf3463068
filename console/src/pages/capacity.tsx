// The pool of simulated instances: how many of each type are in use, and which blocks are reserved when.
import { useEffect } from 'preact/hooks';
import type { BlockRow, PoolRow } from '../../../src/api/console/messages.ts';
import { get } from '../api.ts';
import { Badge, Card, Empty, PageHead, Problem, Skeleton } from '../components/basics.tsx';
import { Calendar } from '../components/calendar.tsx';
import { count, date, money } from '../format.ts';
import { useLoaded, usePolled, useThrottled } from '../hooks.ts';
import { listen } from '../live.ts';

const POOL = `trenio server --pool pool.json
# pool.json: {"instances": [{"type": "ml.trn1.2xlarge", "count": 4, "cores": 0.5}]}`;

export function Capacity() {
  const { data, error, reload } = useLoaded(signal => get<readonly PoolRow[]>('pool', signal), []);
  const reloadSoon = useThrottled(reload, 1000);
  useEffect(() => listen('jobs', reloadSoon), [reloadSoon]);
  return (
    <>
      <PageHead title="Capacity" note="Instances, and what is reserved when" />
      {error === undefined ? null : <Problem error={error} />}
      {data === undefined ? (
        error === undefined ? (
          <Skeleton lines={5} />
        ) : null
      ) : (
        <div class="stack">
          <Card title="Pool" flush>
            {data.length === 0 ? (
              <Empty title="No pool, and no running job" command={POOL}>
                Without a pool file there are 16 instances of every type, and as many jobs run at a time as there are
                cores.
              </Empty>
            ) : (
              <div class="scroll-x">
                <table class="table">
                  <thead>
                    <tr>
                      <th>Instance type</th>
                      <th>Taken</th>
                      <th class="num">Of</th>
                      <th class="num" title="For blocks; other jobs wait for what is left">
                        Reserved
                      </th>
                      <th class="num">Waiting</th>
                      <th class="num">Cores each</th>
                      <th class="num">On demand, per hour</th>
                    </tr>
                  </thead>
                  <tbody>
                    {data.map(row => (
                      <tr key={row.instanceType}>
                        <td>{row.instanceType}</td>
                        <td style={{ minWidth: '180px' }}>
                          <span class="tabular">{count(row.taken)}</span>
                          <div class="bar" aria-hidden="true">
                            <span style={{ width: `${Math.min(100, (row.taken / Math.max(1, row.count)) * 100)}%` }} />
                          </div>
                        </td>
                        <td class="num">{count(row.count)}</td>
                        <td class="num">{count(row.reserved)}</td>
                        <td class="num">{count(row.waiting)}</td>
                        <td class="num">{row.cores}</td>
                        <td class="num">{money(row.usdPerHour)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
          </Card>
          <Blocks />
        </div>
      )}
    </>
  );
}

const RESERVE = `aws sagemaker search-training-plan-offerings --target-resources training-job \\
  --instance-type ml.trn1.32xlarge --instance-count 2 --duration-hours 24
aws sagemaker create-training-plan --training-plan-name spring --training-plan-offering-id OFFERING`;

const purposes: Readonly<Record<string, string>> = {
  'training-plan': 'training plan',
  'capacity-block': 'capacity block',
  cluster: 'cluster',
};
const REFRESH_MS = 10_000;

function Blocks() {
  const { data, error } = usePolled(signal => get<readonly BlockRow[]>('blocks', signal), REFRESH_MS, []);
  if (error !== undefined) return <Problem error={error} />;
  return (
    <Card title="Reserved" flush>
      {data === undefined ? (
        <div class="card-body">
          <Skeleton lines={3} />
        </div>
      ) : data.length === 0 ? (
        <Empty title="Nothing is reserved" command={RESERVE}>
          Training plans and capacity blocks reserve instances for a period of time.
        </Empty>
      ) : (
        <>
          <Calendar
            entries={data.map(block => ({ ...block, title: `${block.instanceCount} × ${block.instanceType}` }))}
          />
          <div class="scroll-x">
            <table class="table">
              <thead>
                <tr>
                  <th>Name</th>
                  <th>Kind</th>
                  <th>State</th>
                  <th>Instances</th>
                  <th>Start</th>
                  <th>End</th>
                  <th class="num">Paid</th>
                </tr>
              </thead>
              <tbody>
                {data.map(block => (
                  <tr key={block.id}>
                    <td>{block.name}</td>
                    <td class="quiet">{purposes[block.purpose] ?? block.purpose}</td>
                    <td>
                      <Badge tone={toneOf(block)}>{block.state}</Badge>
                    </td>
                    <td class="nowrap">
                      {block.instanceCount} × {block.instanceType}
                    </td>
                    <td class="nowrap tabular">{date(block.startMs)}</td>
                    <td class="nowrap tabular">
                      {date(block.endMs)}
                      {block.extensions > 0 ? <span class="chip">extended</span> : null}
                    </td>
                    <td class="num">{money(block.usd)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </Card>
  );
}

const toneOf = ({ state }: BlockRow): 'run' | 'good' | 'idle' =>
  state === 'active' ? 'good' : state === 'scheduled' ? 'run' : 'idle';
