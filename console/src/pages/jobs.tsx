// All training jobs: filter, sort, choose columns, select to compare. Only visible rows are in the document.
import { memo } from 'preact/compat';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { JobRow } from '../../../src/api/console/messages.ts';
import { mayWrite } from '../api.ts';
import { Button, type Choice, Empty, PageHead, Search, Segments, Skeleton } from '../components/basics.tsx';
import { CreateJobDialog } from '../components/create-dialogs.tsx';
import { Icon } from '../components/icon.tsx';
import { ago, count, duration, money, value } from '../format.ts';
import { useNow, useVirtual } from '../hooks.ts';
import { costOf, isActive, isQueued, onInstancesMs } from '../job-row.ts';
import { bindKeys } from '../keyboard.ts';
import { jobs } from '../live.ts';
import { go, href, query, setQuery } from '../router.ts';
import { State } from './overview.tsx';

const ROW = 40;

interface Column {
  readonly id: string;
  readonly name: string;
  readonly width: string;
  readonly isNumber?: boolean;
  readonly show: (row: JobRow, now: number) => unknown;
  /** The sort key. */
  readonly key: (row: JobRow, now: number) => number | string;
}

const columns: readonly Column[] = [
  { id: 'name', name: 'Name', width: 'minmax(220px, 2fr)', show: row => row.name, key: row => row.name },
  {
    id: 'state',
    name: 'State',
    width: '150px',
    show: row => <State row={row} />,
    key: row => (isQueued(row) ? 'Queued' : row.secondary),
  },
  {
    id: 'created',
    name: 'Created',
    width: '130px',
    show: (row, now) => ago(row.createdMs, now),
    key: row => row.createdMs,
  },
  {
    id: 'instances',
    name: 'Instances',
    width: 'minmax(170px, 1fr)',
    show: row => `${row.instanceCount} × ${row.instanceType}${row.isSpot ? ' spot' : ''}`,
    key: row => row.instanceType,
  },
  {
    id: 'time',
    name: 'Time',
    width: '130px',
    isNumber: true,
    show: (row, now) => duration(onInstancesMs(row, now)),
    key: onInstancesMs,
  },
  {
    id: 'cost',
    name: 'Cost',
    width: '100px',
    isNumber: true,
    show: (row, now) => money(costOf(row, now)),
    key: (row, now) => costOf(row, now) ?? -1,
  },
  {
    id: 'metric',
    name: 'Metric',
    width: '150px',
    isNumber: true,
    show: row => (row.metric === null ? '–' : `${row.metric.name} ${value(row.metric.value)}`),
    key: row => row.metric?.value ?? Number.POSITIVE_INFINITY,
  },
  { id: 'image', name: 'Image', width: 'minmax(130px, 1fr)', show: row => row.image, key: row => row.image },
];
const standard = 'name,state,created,instances,time,cost,metric';

type Filter = 'all' | 'running' | 'queued' | 'completed' | 'failed' | 'stopped';
const filters: Readonly<Record<Filter, (row: JobRow) => boolean>> = {
  all: () => true,
  running: row => isActive(row) && !isQueued(row),
  queued: isQueued,
  completed: row => row.status === 'Completed',
  failed: row => row.status === 'Failed',
  stopped: row => row.status === 'Stopped',
};

export function Jobs() {
  const [isNew, setNew] = useState(false);
  const all = useMemo(() => [...(jobs.value?.values() ?? [])], [jobs.value]);
  const parameters = query.value;
  const text = parameters.get('q') ?? '';
  const filter = (parameters.get('state') ?? 'all') as Filter;
  const [sortId, direction] = (parameters.get('sort') ?? 'created,down').split(',');
  const shownText = parameters.get('columns') ?? standard;
  const shown = shownText.split(',');
  const visible = useMemo(() => columns.filter(({ id }) => id === 'name' || shown.includes(id)), [shownText]);
  const now = useNow(1000, all.some(isActive));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const sorted = useMemo(() => {
    const column = columns.find(({ id }) => id === sortId) ?? columns[2]!;
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const keep = filters[filter] ?? filters.all;
    const kept = all.filter(row => {
      if (!keep(row)) return false;
      const searched = `${row.name} ${row.instanceType} ${row.image} ${row.secondary}`.toLowerCase();
      return words.every(word => searched.includes(word));
    });
    const keys = new Map(kept.map(row => [row, column.key(row, now)]));
    const sign = direction === 'up' ? 1 : -1;
    return kept.sort((a, b) => {
      const [x, y] = [keys.get(a)!, keys.get(b)!];
      return (x < y ? -1 : x > y ? 1 : a.name < b.name ? -1 : 1) * sign;
    });
    // Running times grow constantly, so rows are not sorted again when they change.
  }, [all, text, filter, sortId, direction]);
  const toggle = useCallback((name: string): void => {
    setSelected(before => {
      const next = new Set(before);
      if (!next.delete(name)) next.add(name);
      return next;
    });
  }, []);
  const counts = useMemo(
    () => Object.fromEntries(Object.entries(filters).map(([id, keep]) => [id, all.filter(keep).length])),
    [all],
  );
  const choices = (Object.keys(filters) as Filter[]).map(
    (id): Choice<Filter> => ({ value: id, text: id[0]!.toUpperCase() + id.slice(1), count: counts[id]! }),
  );
  if (jobs.value === undefined)
    return (
      <>
        <PageHead title="Jobs" />
        <Skeleton lines={10} />
      </>
    );
  return (
    <>
      <PageHead title="Jobs" note={`${count(sorted.length)} of ${count(all.length)}`}>
        <Columns shown={shown} />
        {mayWrite() ? (
          <Button icon="plus" kind="primary" onClick={() => setNew(true)}>
            New job
          </Button>
        ) : null}
        <Button
          icon="compare"
          onClick={() => go(`/compare?jobs=${[...selected].map(encodeURIComponent).join(',')}`)}
          disabled={selected.size < 2}
          title="Select two or more jobs"
        >
          Compare{selected.size > 0 ? ` ${selected.size}` : ''}
        </Button>
      </PageHead>
      {isNew ? <CreateJobDialog onClose={() => setNew(false)} /> : null}
      <div class="jobs-tools">
        <Search label="Search jobs" value={text} onInput={q => setQuery({ q })} />
        <div class="scroll-x">
          <Segments label="State" choices={choices} value={filter} onChange={state => setQuery({ state })} />
        </div>
      </div>
      <div class="card vtable">
        {sorted.length === 0 ? (
          <Empty title={all.length === 0 ? 'No jobs yet' : 'No job matches'}>
            {all.length === 0
              ? 'Jobs that you create with the aws command, boto3 or Trenio appear here immediately.'
              : 'Change the search or the state above.'}
          </Empty>
        ) : (
          <Table
            sorted={sorted}
            visible={visible}
            now={now}
            selected={selected}
            toggle={toggle}
            sortId={sortId}
            direction={direction}
          />
        )}
      </div>
    </>
  );
}

interface TableProps {
  readonly sorted: readonly JobRow[];
  readonly visible: readonly Column[];
  readonly now: number;
  readonly selected: ReadonlySet<string>;
  readonly toggle: (name: string) => void;
  readonly sortId: string | undefined;
  readonly direction: string | undefined;
}

/** A separate component: scrolling renders only the rows again. */
function Table({ sorted, visible, now, selected, toggle, sortId, direction }: TableProps) {
  const [current, setCurrent] = useState(-1);
  const list = useVirtual(sorted.length, ROW, ROW);
  const at = useRef(-1);
  useEffect(() => {
    // The row's link takes the focus: Enter opens it, and screen readers read it out.
    const focusRow = (): boolean => {
      const link = list.ref.current?.querySelector<HTMLElement>(`[aria-rowindex="${at.current + 2}"] a`);
      link?.focus({ preventScroll: true });
      return link !== undefined && link !== null;
    };
    const move = (by: number) => () => {
      at.current = Math.max(0, Math.min(sorted.length - 1, at.current + by));
      setCurrent(at.current);
      list.scrollTo(at.current);
      if (!focusRow()) requestAnimationFrame(focusRow);
    };
    return bindKeys({
      j: move(1),
      k: move(-1),
      x: () => {
        const row = sorted[at.current];
        if (row !== undefined) toggle(row.name);
      },
    });
  });
  const template = `44px ${visible.map(({ width }) => width).join(' ')}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot hold rows that are placed by hand
    <div
      class="vtable-scroll"
      ref={list.ref}
      role="table"
      aria-label="Training jobs"
      aria-rowcount={sorted.length + 1}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      style={{ '--columns': template }}
    >
      <div class="vtable-inner" style={{ '--min': `${120 + visible.length * 130}px` }} role="presentation">
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: a row of headings */}
        <div class="vhead" role="row" aria-rowindex={1}>
          {/* biome-ignore lint/a11y/useSemanticElements: as above */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
          <span role="columnheader">
            <span class="visually-hidden">Select</span>
          </span>
          {visible.map(column => (
            <Head
              key={column.id}
              column={column}
              direction={column.id === sortId ? (direction === 'up' ? 'up' : 'down') : undefined}
            />
          ))}
        </div>
        <div class="vlist" style={{ height: `${list.height}px` }} role="presentation">
          {/* A row that scrolls out of view becomes one that comes into view: making elements anew takes longer than a frame. */}
          {list.rows.map(({ index, start }) => (
            <Row
              key={index % list.rows.length}
              row={sorted[index]!}
              index={index}
              start={start}
              visible={visible}
              now={now}
              isSelected={selected.has(sorted[index]!.name)}
              isCurrent={index === current}
              toggle={toggle}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: JobRow;
  readonly index: number;
  readonly start: number;
  readonly visible: readonly Column[];
  readonly now: number;
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  readonly toggle: (name: string) => void;
}

const Row = memo(({ row, index, start, visible, now, isSelected, isCurrent, toggle }: RowProps) => {
  const ref = useRef<HTMLDivElement>(null);
  // The focus stays on the same job, not on the same element.
  useLayoutEffect(
    () => () => {
      const focused = document.activeElement;
      if (focused instanceof HTMLElement && ref.current?.contains(focused) === true) focused.blur();
    },
    [row.name],
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    // biome-ignore lint/a11y/useFocusableInteractive: the link in it is
    <div
      ref={ref}
      class="vrow"
      role="row"
      aria-rowindex={index + 2}
      data-current={isCurrent}
      style={{ transform: `translateY(${start}px)` }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <span role="cell">
        <input
          type="checkbox"
          aria-label={`Select ${row.name}`}
          checked={isSelected}
          onChange={() => toggle(row.name)}
        />
      </span>
      {visible.map(column =>
        column.id === 'name' ? (
          // biome-ignore lint/a11y/useSemanticElements: as above
          <span key="name" role="cell">
            <a class="name" href={href(`/jobs/${encodeURIComponent(row.name)}`)}>
              {row.name}
            </a>
          </span>
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: as above
          <span key={column.id} role="cell" class={column.isNumber ? 'num' : ''}>
            {column.show(row, now) as string}
          </span>
        ),
      )}
    </div>
  );
});

function Head({ column, direction }: { readonly column: Column; readonly direction: 'up' | 'down' | undefined }) {
  const sort = direction === undefined ? undefined : direction === 'up' ? 'ascending' : 'descending';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot hold rows that are placed by hand
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it is
    <span
      role="columnheader"
      class={column.isNumber ? 'num' : ''}
      {...(sort === undefined ? {} : { 'aria-sort': sort })}
    >
      <button type="button" onClick={() => setQuery({ sort: `${column.id},${direction === 'down' ? 'up' : 'down'}` })}>
        {column.name}
        {direction === undefined ? null : (
          <span style={{ width: '12px', height: '12px', display: 'inline-flex' }}>
            <Icon name={direction} />
          </span>
        )}
      </button>
    </span>
  );
}

function Columns({ shown }: { readonly shown: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="menu">
      <button type="button" class="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="columns" />
        Columns
      </button>
      {isOpen ? (
        <fieldset class="menu-panel" aria-label="Columns">
          {columns
            .filter(({ id }) => id !== 'name')
            .map(({ id, name }) => (
              <label key={id} class="check">
                <input
                  type="checkbox"
                  checked={shown.includes(id)}
                  onChange={() => {
                    const next = shown.includes(id) ? shown.filter(one => one !== id) : [...shown, id];
                    const list = columns.map(column => column.id).filter(one => next.includes(one) || one === 'name');
                    setQuery({ columns: list.join(',') === standard ? undefined : list.join(',') });
                  }}
                />
                {name}
              </label>
            ))}
        </fieldset>
      ) : null}
    </div>
  );
}
