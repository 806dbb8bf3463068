// The catalog of machines: specifications and prices, and the source of each figure.
import { useMemo, useState } from 'preact/hooks';
import { command } from '../api.ts';
import { Card, Empty, PageHead, Problem, Search, Skeleton } from '../components/basics.tsx';
import { bytes, money, rate } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { href, query, setQuery } from '../router.ts';

interface MachineRow {
  readonly name: string;
  readonly chips: number;
  readonly devices: number;
  readonly device: string;
  readonly peakFlops: Readonly<Record<string, number>>;
  readonly memoryBytes: number;
  readonly memoryBandwidth: number;
  readonly network: { readonly bandwidth: number; readonly name: string } | null;
  readonly fabric: { readonly name: string };
  readonly prices: readonly { readonly kind: string; readonly service: string; readonly usdPerHour: number }[];
}

interface FactRow {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly unit: string | null;
  readonly source: string;
  readonly note: string | null;
  readonly uncertain: boolean;
  readonly alternatives: readonly { readonly value: unknown; readonly note: string }[];
}

const onDemand = ({ prices }: MachineRow): number | null =>
  prices.find(({ kind, service }) => kind === 'on-demand' && service === 'ec2')?.usdPerHour ?? null;

export function Hardware() {
  const { data, error } = useLoaded(
    signal => command<{ readonly machines: readonly MachineRow[] }>(['hardware', 'ls'], signal),
    [],
  );
  const [text, setText] = useState('');
  const chosen = query.value.get('machine');
  const machines = useMemo(
    () => (data?.machines ?? []).filter(one => `${one.name} ${one.device}`.toLowerCase().includes(text.toLowerCase())),
    [data, text],
  );
  return (
    <>
      <PageHead title="Hardware" note="Specifications and hourly prices of machines">
        <Search label="Search machines" value={text} onInput={setText} />
      </PageHead>
      {error === undefined ? null : <Problem error={error} />}
      {data === undefined ? (
        error === undefined ? (
          <Skeleton lines={10} />
        ) : null
      ) : (
        <div class="stack">
          {chosen === null ? null : <Machine name={chosen} />}
          <Card flush>
            {machines.length === 0 ? (
              <Empty title="No machine matches">The catalog has Trainium, Inferentia and NVIDIA instances.</Empty>
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
              <section class="scroll-x" tabIndex={0} aria-label="Machines">
                <table class="table">
                  <thead>
                    <tr>
                      <th>Machine</th>
                      <th>Devices</th>
                      <th class="num">bf16</th>
                      <th class="num">Memory</th>
                      <th class="num">Bandwidth</th>
                      <th>Network</th>
                      <th class="num">On demand, per hour</th>
                      <th class="num">PFLOP per dollar</th>
                    </tr>
                  </thead>
                  <tbody>
                    {machines.map(machine => {
                      const price = onDemand(machine);
                      const peak = machine.peakFlops.bf16;
                      return (
                        <tr key={machine.name}>
                          <td>
                            <a class="name" href={href(`/hardware?machine=${encodeURIComponent(machine.name)}`)}>
                              {machine.name}
                            </a>
                          </td>
                          <td class="quiet nowrap">
                            {machine.devices} × {machine.device}
                          </td>
                          <td class="num nowrap">{peak === undefined ? '–' : rate(peak, 'FLOP/s')}</td>
                          <td class="num">{bytes(machine.memoryBytes)}</td>
                          <td class="num nowrap">{rate(machine.memoryBandwidth, 'B/s')}</td>
                          <td class="quiet nowrap">
                            {machine.network === null ? '–' : rate(machine.network.bandwidth * 8, 'bit/s')}
                          </td>
                          <td class="num">{money(price)}</td>
                          <td class="num">
                            {price === null || peak === undefined
                              ? '–'
                              : Math.round((peak * 3600) / price / 1e15).toLocaleString('en-US')}
                          </td>
                        </tr>
                      );
                    })}
                  </tbody>
                </table>
              </section>
            )}
          </Card>
        </div>
      )}
    </>
  );
}

function Machine({ name }: { readonly name: string }) {
  const { data, error } = useLoaded(
    signal => command<{ readonly facts: readonly FactRow[] }>(['hardware', 'show', name], signal),
    [name],
  );
  const close = (
    <button type="button" class="button" onClick={() => setQuery({ machine: undefined })}>
      Close
    </button>
  );
  return (
    <Card title={name} actions={close} flush>
      {error === undefined ? null : <Problem error={error} />}
      {data === undefined ? (
        error === undefined ? (
          <div class="card-body">
            <Skeleton lines={5} />
          </div>
        ) : null
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <section class="scroll-x" tabIndex={0} aria-label={`Figures of ${name}`} style={{ maxHeight: '46vh' }}>
          <table class="table">
            <thead>
              <tr>
                <th>Figure</th>
                <th>Value</th>
                <th>Source</th>
              </tr>
            </thead>
            <tbody>
              {data.facts.map(fact => (
                <tr key={fact.path.join()}>
                  <td class="quiet nowrap">{labelOf(fact.path)}</td>
                  <td class="tabular">
                    {shown(fact.value, fact.unit)}
                    {fact.uncertain ? <span class="chip">uncertain</span> : null}
                    {fact.alternatives.map(one => (
                      <div key={one.note} class="quiet small">
                        or {shown(one.value, fact.unit)}: {one.note}
                      </div>
                    ))}
                  </td>
                  <td class="quiet small">
                    {fact.source}
                    {fact.note === null ? '' : `; ${fact.note}`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  );
}

/** `peakTflops`, `bf16` is "peak, bf16": the unit is next to the value. */
const labelOf = (path: readonly string[]): string =>
  path
    .map(name =>
      name
        .replace(/GBs$|^gbps$/, ' bandwidth')
        .replace(/(?:Gib|Mib|Gbps|Ghz|Us|[TP]flops)$/, '')
        .replace(/(?<=[a-z])[A-Z](?!PU)/g, letter => ` ${letter.toLowerCase()}`)
        .replace(/vcpus/, 'vCPUs')
        .trim(),
    )
    .filter(name => name !== '')
    .join(', ');

function shown(value: unknown, unit: string | null): string {
  if (unit === '$/h') return `${money(Number(value))} an hour`;
  const text = Array.isArray(value)
    ? value.join(' × ')
    : typeof value === 'number'
      ? value.toLocaleString('en-US')
      : String(value);
  return unit === null ? text : `${text} ${unit}`;
}
