// The audit log, newest first: who changed what, and who was refused. It updates while the page is visible.
import { useEffect, useState } from 'preact/hooks';
import type { AccessKeyRow, AuditRow, AuditRows } from '../../../src/api/console/messages.ts';
import { get, serverNow } from '../api.ts';
import { moment, stamp } from '../format.ts';
import { usePolled } from '../hooks.ts';
import type { Tone } from '../job-row.ts';
import { query, setQuery } from '../router.ts';
import { Badge, Button, Card, type Choice, Download, Empty, Problem, Search, Segments, Skeleton } from './basics.tsx';

const REFRESH_MS = 3000;
const HOUR_MS = 3_600_000;

const spans = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, all: undefined } as const;
type Span = keyof typeof spans;
const spanChoices: readonly Choice<Span>[] = [
  { value: 'hour', text: 'Hour' },
  { value: 'day', text: 'Day' },
  { value: 'week', text: 'Week' },
  { value: 'all', text: 'All' },
];
type Result = AuditRow['result'] | 'any';
const resultChoices: readonly Choice<Result>[] = [
  { value: 'any', text: 'Any result' },
  { value: 'done', text: 'Done' },
  { value: 'refused', text: 'Refused' },
  { value: 'failed', text: 'Failed' },
];
const choiceOf = <T extends string>(choices: readonly Choice<T>[], text: string | null, otherwise: T): T =>
  choices.find(({ value }) => value === text)?.value ?? otherwise;

/** The lines of one filter: the newest page, and older pages that were loaded. */
interface Lines extends AuditRows {
  readonly filter: string;
}

/** Prepends the newest page to the lines that are already loaded, if the two overlap. */
function joined(known: Lines | undefined, newest: Lines): Lines {
  const last = newest.entries.at(-1);
  const at = known?.filter === newest.filter ? known.entries.findIndex(({ place }) => place === last?.place) : -1;
  if (known === undefined || at < 0) return newest;
  return { ...known, entries: [...newest.entries, ...known.entries.slice(at + 1)] };
}

export function AuditLog({ keys }: { readonly keys: readonly AccessKeyRow[] }) {
  const result = choiceOf(resultChoices, query.value.get('result'), 'any');
  const span = choiceOf(spanChoices, query.value.get('since'), 'week');
  const key = query.value.get('key') ?? '';
  const text = query.value.get('text') ?? '';
  const filter = new URLSearchParams({
    ...(result === 'any' ? {} : { result }),
    ...(key === '' ? {} : { key }),
    ...(text === '' ? {} : { contains: text }),
  }).toString();
  const spanMs = spans[span];
  const address = (path: string, more: Readonly<Record<string, string>> = {}): string => {
    const parameters = new URLSearchParams(filter);
    if (spanMs !== undefined) parameters.set('sinceMs', String(Math.floor(serverNow() - spanMs)));
    for (const [name, value] of Object.entries(more)) parameters.set(name, value);
    return `${path}?${parameters}`;
  };
  const shown = `${span} ${filter}`;
  const load = async (signal: AbortSignal): Promise<Lines> => ({
    filter: shown,
    ...(await get<AuditRows>(address('access/audit'), signal)),
  });
  const { data: newest, error } = usePolled(load, REFRESH_MS, [shown]);
  const [lines, setLines] = useState<Lines | undefined>(undefined);
  const [olderError, setOlderError] = useState<unknown>(undefined);
  useEffect(() => {
    if (newest !== undefined) setLines(known => joined(known, newest));
  }, [newest]);
  const loadOlder = async (from: Lines, before: string): Promise<void> => {
    try {
      const { entries, next } = await get<AuditRows>(address('access/audit', { before }));
      setOlderError(undefined);
      setLines(known =>
        known?.filter === from.filter ? { ...known, entries: [...known.entries, ...entries], next } : known,
      );
    } catch (failure) {
      setOlderError(failure);
    }
  };
  const problem = error ?? olderError;
  return (
    <Card
      title="Audit log"
      flush
      actions={(['csv', 'json'] as const).map(format => (
        <Download key={format} address={address('access/audit/file', { format })}>
          {format.toUpperCase()}
        </Download>
      ))}
    >
      <div class="audit-tools">
        <Search label="Action or resource" value={text} onInput={next => setQuery({ text: next })} />
        <select
          class="select"
          aria-label="Key"
          value={key}
          onChange={event => setQuery({ key: event.currentTarget.value })}
        >
          <option value="">Any key</option>
          {keyChoices(keys, lines?.entries ?? [], key).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <Segments
          label="Result"
          choices={resultChoices}
          value={result}
          onChange={next => setQuery({ result: next === 'any' ? undefined : next })}
        />
        <Segments
          label="Time range"
          choices={spanChoices}
          value={span}
          onChange={next => setQuery({ since: next === 'week' ? undefined : next })}
        />
      </div>
      {problem === undefined ? null : (
        <div class="card-body">
          <Problem error={problem} />
        </div>
      )}
      {lines === undefined ? (
        problem === undefined ? (
          <div class="card-body">
            <Skeleton lines={5} />
          </div>
        ) : null
      ) : lines.entries.length === 0 && lines.next === null ? (
        <Empty title="Nothing was recorded">
          The log has a line for each request that changed something, or tried to, and for each that was refused. Reads
          are not recorded.
        </Empty>
      ) : (
        <AuditTable keys={keys} entries={lines.entries} />
      )}
      {lines === undefined || lines.next === null ? null : (
        <div class="table-note">
          <Button onClick={() => void loadOlder(lines, lines.next!)}>Older lines</Button>
        </div>
      )}
    </Card>
  );
}

/** The keys of the server, and those of the lines: removed ones, unknown ones, and users of the machine. */
function keyChoices(
  keys: readonly AccessKeyRow[],
  entries: readonly AuditRow[],
  chosen: string,
): readonly (readonly [string, string])[] {
  const known = new Map(keys.map(({ id, name }) => [id, name === null ? id : `${name} (${id})`]));
  for (const { key } of entries) if (!known.has(key)) known.set(key, key);
  if (chosen !== '' && !known.has(chosen)) known.set(chosen, chosen);
  return [...known];
}

const tones: Readonly<Record<AuditRow['result'], Tone>> = { done: 'good', refused: 'bad', failed: 'warn' };

function AuditTable({
  keys,
  entries,
}: {
  readonly keys: readonly AccessKeyRow[];
  readonly entries: readonly AuditRow[];
}) {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="scroll-x" tabIndex={0} aria-label="Audit log">
      <table class="table">
        <thead>
          <tr>
            <th>Time</th>
            <th>Key</th>
            <th>From</th>
            <th>Action</th>
            <th>Resource</th>
            <th>Result</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(entry => (
            <tr key={entry.place}>
              <td class="nowrap tabular quiet" title={moment(Date.parse(entry.time))}>
                {stamp(Date.parse(entry.time))}
              </td>
              <td class="nowrap">{names.get(entry.key) ?? <code>{entry.key}</code>}</td>
              <td class="nowrap quiet">{entry.from}</td>
              <td class="nowrap">
                <code>{entry.action}</code>
              </td>
              <td class="audit-resource">{entry.resource ?? <span class="quiet">–</span>}</td>
              <td class="nowrap" title={entry.request === undefined ? undefined : `Request ${entry.request}`}>
                <Badge tone={tones[entry.result]}>{entry.result}</Badge>{' '}
                {entry.code === undefined ? null : <span class="quiet">{entry.code}</span>}
                {entry.leftOut === undefined ? null : <span class="chip">{entry.leftOut} more left out</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
