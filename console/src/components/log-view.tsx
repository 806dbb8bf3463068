// The live log of a job: colors, search, hosts, following the end. Earlier lines are loaded on request.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { LogLine, LogPage } from '../../../src/api/console/messages.ts';
import { parseAnsi, plainText } from '../ansi.ts';
import { get } from '../api.ts';
import { clock, count } from '../format.ts';
import { useVirtual } from '../hooks.ts';
import { bindKeys } from '../keyboard.ts';
import { listen, watchJob } from '../live.ts';
import { Button, Card, Empty, Problem, Search, Skeleton } from './basics.tsx';

const LINE = 20;
const PAGE = 2000;
/** Older lines are dropped from the page, not from the log. */
const MAX_LINES = 50_000;

export function LogView({ job }: { readonly job: string }) {
  const [lines, setLines] = useState<readonly LogLine[] | undefined>(undefined);
  const [hasMore, setHasMore] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const [text, setText] = useState('');
  const [host, setHost] = useState('');
  const [isFollowing, setFollowing] = useState(true);
  const [hit, setHit] = useState(0);
  const path = `jobs/${encodeURIComponent(job)}/log`;

  useEffect(() => {
    let ended = false;
    get<LogPage>(`${path}?limit=${PAGE}`).then(
      page => {
        if (ended) return;
        setLines(page.lines);
        setHasMore(page.hasMore);
        watchJob(job, page.lines.at(-1)?.id ?? 0);
      },
      (failure: unknown) => setError(failure),
    );
    const stop = listen('log', event =>
      setLines(before => {
        const last = before?.at(-1)?.id ?? 0;
        const fresh = event.lines.filter(({ id }) => id > last);
        return before === undefined || fresh.length === 0 ? before : [...before, ...fresh].slice(-MAX_LINES);
      }),
    );
    return () => {
      ended = true;
      stop();
    };
  }, [job]);

  const shown = useMemo(() => (lines ?? []).filter(line => host === '' || line.host === host), [lines, host]);
  const hosts = useMemo(() => [...new Set((lines ?? []).map(line => line.host))].toSorted(), [lines]);
  const hits = useMemo(() => {
    const wanted = text.toLowerCase();
    if (wanted === '') return [];
    return shown.flatMap((line, i) => (plainText(line.text).toLowerCase().includes(wanted) ? [i] : []));
  }, [shown, text]);
  const list = useVirtual(shown.length, LINE);
  const current = hits[hit];

  useEffect(() => {
    if (isFollowing && shown.length > 0) list.scrollTo(shown.length - 1);
  }, [shown.length, isFollowing]);
  const scrolledAt = useRef(0);
  const onScroll = (): void => {
    const element = list.ref.current!;
    const up = element.scrollTop < scrolledAt.current;
    scrolledAt.current = element.scrollTop;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 2 * LINE;
    if (up && !atEnd) setFollowing(false);
    else if (atEnd) setFollowing(true);
  };
  const move = (by: number): void => {
    if (hits.length === 0) return;
    const next = (hit + by + hits.length) % hits.length;
    setHit(next);
    setFollowing(false);
    list.scrollTo(hits[next]!);
  };
  useEffect(() => {
    setHit(0);
    if (hits.length > 0) {
      setFollowing(false);
      list.scrollTo(hits[0]!);
    }
  }, [text]);
  useEffect(() => bindKeys({ n: () => move(1), N: () => move(-1) }));
  const loadEarlier = async (): Promise<void> => {
    try {
      const page = await get<LogPage>(`${path}?limit=${PAGE}&before=${lines![0]!.id}`);
      setFollowing(false);
      setLines([...page.lines, ...lines!]);
      setHasMore(page.hasMore);
    } catch (failure) {
      setError(failure);
    }
  };

  if (error !== undefined) return <Problem error={error} />;
  if (lines === undefined) return <Skeleton lines={8} />;
  if (lines.length === 0)
    return (
      <Card>
        <Empty title="No lines yet">The output of the job appears here live.</Empty>
      </Card>
    );
  return (
    <div class="card log">
      <div class="card-head">
        <Search
          label="Search the log"
          value={text}
          onInput={setText}
          onKeyDown={event => {
            if (event.key === 'Enter') move(event.shiftKey ? -1 : 1);
          }}
        />
        {text === '' ? null : (
          <span class="row small quiet tabular" role="status">
            {hits.length === 0 ? 'not found' : `${count(hit + 1)} of ${count(hits.length)}`}
            <Button icon="up" kind="bare" onClick={() => move(-1)} title="Previous match">
              <span class="visually-hidden">Previous match</span>
            </Button>
            <Button icon="down" kind="bare" onClick={() => move(1)} title="Next match">
              <span class="visually-hidden">Next match</span>
            </Button>
          </span>
        )}
        <div class="actions">
          {hosts.length < 2 ? null : (
            <select
              class="select"
              aria-label="Host"
              value={host}
              onChange={event => setHost(event.currentTarget.value)}
            >
              <option value="">all hosts</option>
              {hosts.map(name => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
          {hasMore ? (
            <Button onClick={() => void loadEarlier()}>Earlier lines</Button>
          ) : (
            <span class="small quiet tabular">{count(shown.length)} lines</span>
          )}
          <label class="check">
            <input
              type="checkbox"
              checked={isFollowing}
              onChange={event => setFollowing(event.currentTarget.checked)}
            />
            Follow
          </label>
        </div>
      </div>
      <section
        class="log-scroll"
        ref={list.ref}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        aria-label="Log lines"
      >
        <div class="vlist" style={{ height: `${list.height}px` }}>
          {list.rows.map(({ index, start }) => {
            const line = shown[index]!;
            return (
              <div
                key={line.id}
                class="log-line"
                data-current={index === current}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span class="at">{clock(line.timeMs)}</span>
                {hosts.length < 2 ? null : <span class="host">{line.host}</span>}
                <span>
                  {parseAnsi(line.text).map((span, i) => (
                    <span key={i} class={span.classes}>
                      <Marked text={span.text} wanted={text} />
                    </span>
                  ))}
                </span>
              </div>
            );
          })}
        </div>
      </section>
    </div>
  );
}

function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }) {
  if (wanted === '') return <>{text}</>;
  const parts: (string | { readonly hit: string })[] = [];
  const low = text.toLowerCase();
  let at = 0;
  for (let found = low.indexOf(wanted.toLowerCase()); found >= 0; found = low.indexOf(wanted.toLowerCase(), at)) {
    parts.push(text.slice(at, found), { hit: text.slice(found, found + wanted.length) });
    at = found + wanted.length;
  }
  parts.push(text.slice(at));
  return <>{parts.map((part, i) => (typeof part === 'string' ? part : <mark key={i}>{part.hit}</mark>))}</>;
}
