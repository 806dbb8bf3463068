// Endpoints: their traffic and latency, and a form for trying one out.
import { useMemo, useState } from 'preact/hooks';
import type { EndpointDetail, EndpointMinute, EndpointRow, TriedAnswer } from '../../../src/api/console/messages.ts';
import { get, mayWrite, post, sagemaker, serverNow } from '../api.ts';
import { LineChart } from '../charts/line-chart.tsx';
import {
  Badge,
  Button,
  Card,
  Command,
  Empty,
  PageHead,
  Problem,
  Segments,
  Skeleton,
  Stat,
  say,
} from '../components/basics.tsx';
import { type Field, FormDialog } from '../components/form-dialog.tsx';
import { ago, count, date, value } from '../format.ts';
import { useLoaded, useNow, usePolled } from '../hooks.ts';
import type { Tone } from '../job-row.ts';
import { go, href, query } from '../router.ts';
import { RemoveDialog } from './resources.tsx';

const CREATE = `aws sagemaker create-model --model-name polarity --execution-role-arn arn:aws:iam::123456789012:role/me \\
  --primary-container Image=trenio,ModelDataUrl=s3://models/runs/NAME/output/model.tar.gz
aws sagemaker create-endpoint-config --endpoint-config-name polarity \\
  --production-variants VariantName=all,ModelName=polarity,InstanceType=ml.c5.large,InitialInstanceCount=1
aws sagemaker create-endpoint --endpoint-name polarity --endpoint-config-name polarity`;

const REFRESH_MS = 3000;

const toneOf = (status: string): Tone =>
  status === 'InService' ? 'good' : /Failed|OutOfService/.test(status) ? 'bad' : 'run';

const StatusBadge = ({ status }: { readonly status: string }) => (
  <Badge tone={toneOf(status)}>{status.replace(/([a-z])([A-Z])/g, '$1 $2')}</Badge>
);

export function Endpoints() {
  const name = query.value.get('name');
  return name === null ? <List /> : <Endpoint key={name} name={name} />;
}

function List() {
  const { data, error } = usePolled(signal => get<readonly EndpointRow[]>('endpoints', signal), REFRESH_MS, []);
  const now = useNow(5000);
  return (
    <>
      <PageHead title="Endpoints" note="Models that serve requests" />
      {error === undefined ? null : <Problem error={error} />}
      {data === undefined ? (
        error === undefined ? (
          <Skeleton lines={6} />
        ) : null
      ) : (
        <Card flush>
          {data.length === 0 ? (
            <Empty title="No endpoint yet" command={CREATE}>
              A model that a job has trained becomes an endpoint in three steps.
            </Empty>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
            <section class="scroll-x" tabIndex={0} aria-label="Endpoints">
              <table class="table">
                <thead>
                  <tr>
                    <th>Endpoint</th>
                    <th>State</th>
                    <th>Models</th>
                    <th class="num">Replicas</th>
                    <th class="num">Requests, last hour</th>
                    <th class="num">Errors</th>
                    <th class="num">p99</th>
                    <th>Changed</th>
                  </tr>
                </thead>
                <tbody>
                  {data.map(row => (
                    <tr key={row.name}>
                      <td>
                        <a class="name" href={href(`/endpoints?name=${encodeURIComponent(row.name)}`)}>
                          {row.name}
                        </a>
                      </td>
                      <td>
                        <StatusBadge status={row.status} />
                      </td>
                      <td class="quiet">{[...new Set(row.variants.map(one => one.modelName))].join(', ')}</td>
                      <td class="num">
                        {row.ready} of {row.desired}
                      </td>
                      <td class="num">{count(row.invocations)}</td>
                      <td class="num">{count(row.errors)}</td>
                      <td class="num nowrap">{milliseconds(row.p99Ms)}</td>
                      <td class="quiet nowrap">{ago(row.modifiedMs, now)}</td>
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

const milliseconds = (ms: number | null): string => (ms === null ? '–' : `${value(ms)} ms`);

const spans = { '60': 'Hour', '360': '6 hours', '1440': 'Day' } as const;

function Endpoint({ name }: { readonly name: string }) {
  const [dialog, setDialog] = useState<'update' | 'remove' | undefined>(undefined);
  const [span, setSpan] = useState<keyof typeof spans>('60');
  const { data, error } = usePolled(
    signal => get<EndpointDetail>(`endpoints/${encodeURIComponent(name)}?minutes=${span}`, signal),
    REFRESH_MS,
    [name, span],
  );
  const totals = useMemo(() => {
    const minutes = (data?.variants ?? []).filter(one => !one.isShadow).flatMap(one => one.minutes);
    const sum = (read: (minute: EndpointMinute) => number): number => minutes.reduce((all, one) => all + read(one), 0);
    const busy = minutes.filter(one => one.p99Ms !== null);
    return {
      invocations: sum(one => one.invocations),
      errors: sum(one => one.errors),
      clientErrors: sum(one => one.clientErrors),
      p50: busy.at(-1)?.p50Ms ?? null,
      p99: busy.at(-1)?.p99Ms ?? null,
      batch: busy.at(-1)?.batchSize ?? null,
    };
  }, [data]);
  if (data === undefined)
    return (
      <>
        <PageHead title={name} />
        {error === undefined ? <Skeleton lines={6} /> : <Problem error={error} />}
      </>
    );
  return (
    <>
      <PageHead
        title={name}
        note={
          <span class="row wrap">
            <StatusBadge status={data.status} />
            <span>configuration {data.configName}</span>
            <span>created {date(data.createdMs)}</span>
          </span>
        }
      >
        <Segments
          label="Time range"
          choices={(Object.keys(spans) as (keyof typeof spans)[]).map(key => ({ value: key, text: spans[key] }))}
          value={span}
          onChange={setSpan}
        />
        {mayWrite() ? (
          <>
            <Button onClick={() => setDialog('update')}>Update</Button>
            <Button kind="danger" onClick={() => setDialog('remove')}>
              Delete
            </Button>
          </>
        ) : null}
        <a class="button" href={href('/endpoints')}>
          All endpoints
        </a>
      </PageHead>
      {dialog === 'update' ? <UpdateDialog endpoint={data} onClose={() => setDialog(undefined)} /> : null}
      {dialog === 'remove' ? (
        <RemoveDialog
          name={name}
          remove={() => sagemaker('DeleteEndpoint', { EndpointName: name })}
          onClose={() => setDialog(undefined)}
          onRemoved={() => go('/endpoints')}
        />
      ) : null}
      <div class="stack">
        <Card flush>
          <dl class="stats">
            <Stat name="Requests">{count(totals.invocations)}</Stat>
            <Stat
              name="Errors"
              note={totals.clientErrors === 0 ? '' : `and ${count(totals.clientErrors)} invalid requests (4xx)`}
            >
              {count(totals.errors)}
            </Stat>
            <Stat name="Latency, median">{milliseconds(totals.p50)}</Stat>
            <Stat name="Latency, p99">{milliseconds(totals.p99)}</Stat>
            <Stat name="Batch size">{totals.batch === null ? '–' : value(totals.batch)}</Stat>
          </dl>
        </Card>
        <Charts variants={data.variants} minutes={Number(span)} />
        <Card title="Variants" flush>
          <div class="scroll-x">
            <table class="table">
              <thead>
                <tr>
                  <th>Variant</th>
                  <th>Model</th>
                  <th>Instances</th>
                  <th class="num">Weight</th>
                  <th class="num">In flight</th>
                  <th class="num">Waiting</th>
                  <th>Replicas</th>
                </tr>
              </thead>
              <tbody>
                {data.variants.map(variant => (
                  <tr key={variant.name}>
                    <td class="nowrap">
                      {variant.name} {variant.isShadow ? <span class="chip">shadow</span> : null}
                    </td>
                    <td class="nowrap">{variant.modelName}</td>
                    <td class="nowrap">
                      {variant.desiredCount} × {variant.instanceType}
                    </td>
                    <td class="num">{variant.weight}</td>
                    <td class="num">{variant.outstanding}</td>
                    <td class="num">{variant.waiting}</td>
                    <td>
                      <span class="row wrap">
                        {variant.replicas.map(replica => (
                          <Badge
                            key={replica.id}
                            tone={replica.status === 'ready' ? 'good' : replica.status === 'failed' ? 'bad' : 'run'}
                          >
                            {replica.status}
                          </Badge>
                        ))}
                      </span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
        {mayWrite() ? <TryIt name={name} /> : null}
      </div>
    </>
  );
}

/** Another configuration, or other numbers of instances for the variants of this one. */
function UpdateDialog({ endpoint, onClose }: { readonly endpoint: EndpointDetail; readonly onClose: () => void }) {
  const { data } = useLoaded(
    () =>
      sagemaker<{ readonly EndpointConfigs: readonly { readonly EndpointConfigName: string }[] }>(
        'ListEndpointConfigs',
        {},
      ),
    [],
  );
  const variants = endpoint.variants.filter(one => !one.isShadow);
  const fields: readonly Field[] = [
    {
      name: 'config',
      label: 'Configuration',
      initial: endpoint.configName,
      suggestions: (data?.EndpointConfigs ?? []).map(({ EndpointConfigName: name }) => name),
    },
    ...variants.map(({ name, desiredCount }) => ({
      name: `count ${name}`,
      label: `Instances of ${name}`,
      kind: 'number' as const,
      initial: String(desiredCount),
    })),
  ];
  const submit = async (values: Readonly<Record<string, string>>): Promise<void> => {
    const { config } = values;
    await (config === endpoint.configName
      ? sagemaker('UpdateEndpointWeightsAndCapacities', {
          EndpointName: endpoint.name,
          DesiredWeightsAndCapacities: variants.map(({ name }) => ({
            VariantName: name,
            DesiredInstanceCount: Number(values[`count ${name}`]),
          })),
        })
      : sagemaker('UpdateEndpoint', { EndpointName: endpoint.name, EndpointConfigName: config }));
    say(`Updating ${endpoint.name}`);
  };
  return (
    <FormDialog title={`Update ${endpoint.name}`} fields={fields} action="Update" submit={submit} onClose={onClose} />
  );
}

const MINUTE_MS = 60_000;
const charts = [
  { title: 'Requests a minute', isCount: true, read: (one: EndpointMinute) => one.invocations },
  { title: 'Latency p99, ms', isCount: false, read: (one: EndpointMinute) => one.p99Ms },
  { title: 'Errors a minute', isCount: true, read: (one: EndpointMinute) => one.errors },
  { title: 'Batch size', isCount: false, read: (one: EndpointMinute) => one.batchSize },
] as const;

function Charts({ variants, minutes }: { readonly variants: EndpointDetail['variants']; readonly minutes: number }) {
  const all = useMemo(() => {
    // The whole time range, even if most of it has no data.
    const end = serverNow() / 1000;
    const start = end - minutes * 60;
    return charts.map(({ title, read, isCount }) => ({
      title,
      curves: variants.map(variant => {
        const kept = variant.minutes.filter(one => read(one) !== null);
        const points = kept.flatMap((one, i) => [
          ...(isCount ? pauseBefore(one, kept[i - 1]) : []),
          [one.startMs, read(one)] as const,
        ]);
        return {
          label: variant.name,
          last: kept.length === 0 ? null : read(kept.at(-1)!),
          x: [start, ...points.map(([ms]) => Math.min(end, Math.max(start, ms / 1000))), end],
          y: [null, ...points.map(([, number]) => number), null],
        };
      }),
    }));
  }, [variants, minutes]);
  return (
    <div class="grid charts">
      {all
        .filter(({ curves }) => curves.some(({ last }) => last !== null))
        .map(({ title, curves }) => (
          <figure key={title} class="card chart-card">
            <header>
              <h3>{title}</h3>
            </header>
            <LineChart
              curves={curves}
              label={`${title}: ${curves.map(({ label, last }) => `${label} ${value(last)}`).join(', ')}`}
              xKind="clock"
              height={160}
            />
          </figure>
        ))}
    </div>
  );
}

/** Minutes without requests are not stored: the zeros between two minutes that were. */
function pauseBefore(
  minute: EndpointMinute,
  before: EndpointMinute | undefined,
): readonly (readonly [number, number])[] {
  if (before === undefined) return [];
  const [first, last] = [before.startMs + MINUTE_MS, minute.startMs - MINUTE_MS];
  return [...new Set([first, last])].filter(() => last >= first).map(ms => [ms, 0] as const);
}

type Client = 'curl' | 'typescript' | 'boto3';

function TryIt({ name }: { readonly name: string }) {
  const [contentType, setContentType] = useState('application/json');
  const [body, setBody] = useState('{"inputs": ["a wonderful film"]}');
  const [answer, setAnswer] = useState<TriedAnswer | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [client, setClient] = useState<Client>('curl');
  const send = async (): Promise<void> => {
    try {
      setAnswer(await post<TriedAnswer>(`endpoints/${encodeURIComponent(name)}/try`, { contentType, body }));
      setError(undefined);
    } catch (failure) {
      setError(failure);
      setAnswer(undefined);
    }
  };
  return (
    <div class="split">
      <Card title="Try it">
        <div class="stack">
          <label class="field">
            Content type
            <input
              class="input mono"
              value={contentType}
              onInput={event => setContentType(event.currentTarget.value)}
            />
          </label>
          <label class="field">
            Body
            <textarea class="textarea" rows={5} value={body} onInput={event => setBody(event.currentTarget.value)} />
          </label>
          <div>
            <Button kind="primary" onClick={() => void send()}>
              Send
            </Button>
          </div>
          <div aria-live="polite" class="stack">
            {error === undefined ? null : <Problem error={error} />}
            {answer === undefined ? null : (
              <div>
                <p class="small quiet">
                  {answer.contentType}, {value(answer.ms)} ms
                </p>
                <Command text={pretty(answer.body)} />
              </div>
            )}
          </div>
        </div>
      </Card>
      <Card title="From a program">
        <Segments
          label="Client"
          choices={[
            { value: 'curl', text: 'curl' },
            { value: 'typescript', text: 'TypeScript' },
            { value: 'boto3', text: 'boto3' },
          ]}
          value={client}
          onChange={setClient}
        />
        <Command text={snippet(client, name, contentType, body)} />
        <p class="small quiet" style={{ marginTop: '8px' }}>
          Set the environment variables that <code>trenio server</code> printed.
        </p>
      </Card>
    </div>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function snippet(client: Client, name: string, contentType: string, body: string): string {
  switch (client) {
    case 'curl':
      return [
        `curl "$AWS_ENDPOINT_URL/endpoints/${encodeURIComponent(name)}/invocations" \\`,
        '  --aws-sigv4 "aws:amz:$AWS_REGION:sagemaker" --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \\',
        `  -H ${shellWord(`content-type: ${contentType}`)} -d ${shellWord(body)}`,
      ].join('\n');
    case 'typescript':
      return [
        "import { InvokeEndpointCommand, SageMakerRuntimeClient } from '@aws-sdk/client-sagemaker-runtime';",
        '',
        'const client = new SageMakerRuntimeClient({});',
        'const { Body } = await client.send(',
        '  new InvokeEndpointCommand({',
        `    EndpointName: ${JSON.stringify(name)},`,
        `    ContentType: ${JSON.stringify(contentType)},`,
        `    Body: ${JSON.stringify(body)},`,
        '  }),',
        ');',
        'console.log(Body.transformToString());',
      ].join('\n');
    case 'boto3':
      return [
        'import boto3',
        '',
        'client = boto3.client("sagemaker-runtime")',
        'answer = client.invoke_endpoint(',
        `    EndpointName=${JSON.stringify(name)},`,
        `    ContentType=${JSON.stringify(contentType)},`,
        `    Body=${JSON.stringify(body)},`,
        ')',
        'print(answer["Body"].read().decode())',
      ].join('\n');
  }
}
