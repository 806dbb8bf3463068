// Clusters: their nodes as a grid, the queue with reasons, what they cost. All of it is polled from Slurm.
import type { ClusterDetail, ClusterRow } from '../../../src/api/console/messages.ts';
import { get } from '../api.ts';
import { Badge, Card, Empty, PageHead, Problem, Skeleton, Stat } from '../components/basics.tsx';
import { Calendar } from '../components/calendar.tsx';
import { ClusterJob } from '../components/cluster-job.tsx';
import { ago, count, date, money } from '../format.ts';
import { useNow, usePolled } from '../hooks.ts';
import type { Tone } from '../job-row.ts';
import { href, query } from '../router.ts';

const CREATE = 'trenio cluster create-cluster --cluster-name demo --cluster-configuration cluster.yaml';
const REFRESH_MS = 2000;

const toneOf = (status: string): Tone =>
  /FAILED|STOPPED/.test(status) ? 'bad' : /PROGRESS|ING$/.test(status) && status !== 'RUNNING' ? 'run' : 'good';
const words = (status: string): string => status.toLowerCase().replaceAll('_', ' ');
const jobTone = (state: string): Tone => (state === 'RUNNING' ? 'run' : state === 'PENDING' ? 'idle' : 'warn');

export function Clusters() {
  const name = query.value.get('name');
  const job = query.value.get('job');
  if (name === null) return <List />;
  return job === null ? (
    <Cluster key={name} name={name} />
  ) : (
    <ClusterJob key={`${name} ${job}`} name={name} job={job} />
  );
}

function List() {
  const { data, error } = usePolled(signal => get<readonly ClusterRow[]>('clusters', signal), REFRESH_MS, []);
  const now = useNow(5000);
  return (
    <>
      <PageHead title="Clusters" note="Slurm clusters of this machine" />
      {error === undefined ? null : <Problem error={error} />}
      {data === undefined ? (
        error === undefined ? (
          <Skeleton lines={6} />
        ) : null
      ) : (
        <Card flush>
          {data.length === 0 ? (
            <Empty title="No cluster yet" command={CREATE}>
              A configuration file of ParallelCluster becomes a running Slurm.
            </Empty>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
            <section class="scroll-x" tabIndex={0} aria-label="Clusters">
              <table class="table">
                <thead>
                  <tr>
                    <th>Cluster</th>
                    <th>State</th>
                    <th>Nodes</th>
                    <th>Region</th>
                    <th>Created</th>
                  </tr>
                </thead>
                <tbody>
                  {data.map(row => (
                    <tr key={row.name}>
                      <td>
                        <a class="name" href={href(`/clusters?name=${encodeURIComponent(row.name)}`)}>
                          {row.name}
                        </a>
                      </td>
                      <td>
                        <Badge tone={toneOf(row.status)}>{words(row.status)}</Badge>
                      </td>
                      <td>
                        <Badge tone={toneOf(row.fleetStatus)}>{words(row.fleetStatus)}</Badge>
                      </td>
                      <td class="quiet">{row.region}</td>
                      <td class="quiet nowrap">{ago(row.createdMs, now)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
        </Card>
      )}
    </>
  );
}

function Cluster({ name }: { readonly name: string }) {
  const { data, error } = usePolled(
    signal => get<ClusterDetail>(`clusters/${encodeURIComponent(name)}`, signal),
    REFRESH_MS,
    [name],
  );
  if (data === undefined)
    return (
      <>
        <PageHead title={name} note="Cluster" />
        {error === undefined ? <Skeleton lines={8} /> : <Problem error={error} />}
      </>
    );
  const busy = data.nodes.filter(one => one.state === 'busy').length;
  const up = data.nodes.filter(one => one.state !== 'off').length;
  return (
    <>
      <PageHead title={name} note={`${words(data.status)}, nodes ${words(data.fleetStatus)}, ${data.region}`} />
      {error === undefined ? null : <Problem error={error} />}
      {data.problem === null ? null : <Problem error={new Error(data.problem)} />}
      <div class="stack">
        <dl class="stats">
          <Stat name="Nodes at work">{`${count(busy)} of ${count(up)}`}</Stat>
          <Stat name="Jobs">{count(data.jobs.length)}</Stat>
          <Stat name="On AWS, an hour">{money(data.usdPerHour?.up)}</Stat>
          <Stat name="Of it for idle nodes">{money(data.usdPerHour?.idle)}</Stat>
        </dl>
        <Card title="Nodes">
          <ul class="nodes">
            {data.nodes.map(node => (
              <li key={node.name} class="node" data-state={node.state} title={node.reason ?? node.instanceType}>
                <strong>{node.state}</strong>
                {node.name}
              </li>
            ))}
          </ul>
        </Card>
        <Card title="Queue" flush>
          {data.jobs.length === 0 ? (
            <Empty title="No job waits or runs" command={`trenio cluster submit -n ${name} --nodes 2 train.ts`}>
              Any job of sbatch is shown here.
            </Empty>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
            <section class="scroll-x" tabIndex={0} aria-label="Queue">
              <table class="table">
                <thead>
                  <tr>
                    <th class="num">Job</th>
                    <th>Name</th>
                    <th>User</th>
                    <th>Queue</th>
                    <th>State</th>
                    <th class="num">Nodes</th>
                    <th>Where, or why it waits</th>
                  </tr>
                </thead>
                <tbody>
                  {data.jobs.map(job => (
                    <tr key={job.id}>
                      <td class="num">{job.id}</td>
                      <td>
                        <a class="name" href={href(`/clusters?name=${encodeURIComponent(name)}&job=${job.id}`)}>
                          {job.name}
                        </a>
                      </td>
                      <td class="quiet">{job.user}</td>
                      <td class="quiet">{job.queue}</td>
                      <td>
                        <Badge tone={jobTone(job.state)}>{words(job.state)}</Badge>
                      </td>
                      <td class="num">{job.nodeCount}</td>
                      <td class="quiet">{job.reason ?? job.nodes}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
        </Card>
        {data.reservations.length === 0 ? null : (
          <Card title="Reservations" flush>
            <Calendar entries={data.reservations.map(one => ({ ...one, id: one.name, title: one.nodes }))} />
            <table class="table">
              <thead>
                <tr>
                  <th>Name</th>
                  <th>State</th>
                  <th>Nodes</th>
                  <th>Start</th>
                  <th>End</th>
                </tr>
              </thead>
              <tbody>
                {data.reservations.map(one => (
                  <tr key={one.name}>
                    <td>{one.name}</td>
                    <td>
                      <Badge tone={one.state === 'active' ? 'good' : 'run'}>{one.state}</Badge>
                    </td>
                    <td>{one.nodes}</td>
                    <td class="nowrap tabular">{date(one.startMs)}</td>
                    <td class="nowrap tabular">{date(one.endMs)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Card>
        )}
        {data.users.length === 0 ? null : (
          <Card title="By user, now" flush>
            <table class="table">
              <thead>
                <tr>
                  <th>User</th>
                  <th class="num">Nodes</th>
                  <th class="num">On AWS, an hour</th>
                </tr>
              </thead>
              <tbody>
                {data.users.map(({ user, nodes, usdPerHour }) => (
                  <tr key={user}>
                    <td>{user}</td>
                    <td class="num">{count(nodes)}</td>
                    <td class="num">{money(usdPerHour)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Card>
        )}
      </div>
    </>
  );
}
