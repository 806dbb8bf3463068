// Reservations over time: five weeks, from a week ago, with a bar for each. A table next to it lists the same reservations.
import { useNow } from '../hooks.ts';

const DAY_MS = 86_400_000;

export interface CalendarEntry {
  readonly id: string;
  readonly name: string;
  /** The reserved instances or nodes. */
  readonly title: string;
  readonly state: string;
  readonly startMs: number;
  readonly endMs: number;
}

export function Calendar({ entries }: { readonly entries: readonly CalendarEntry[] }) {
  const now = useNow(60_000);
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const [from, to] = [midnight - 7 * DAY_MS, midnight + 28 * DAY_MS];
  const shown = entries.filter(({ startMs, endMs }) => endMs > from && startMs < to);
  if (shown.length === 0) return null;
  const at = (ms: number): string => `${(Math.min(1, Math.max(0, (ms - from) / (to - from))) * 100).toFixed(2)}%`;
  const wide = ({ startMs, endMs }: CalendarEntry): string =>
    `${(((Math.min(to, endMs) - Math.max(from, startMs)) / (to - from)) * 100).toFixed(2)}%`;
  const weeks = Array.from({ length: 6 }, (_, week) => from + week * 7 * DAY_MS);
  return (
    <div class="calendar" aria-hidden="true">
      {weeks.slice(0, -1).map(ms => (
        <span key={ms} class="calendar-week" style={{ left: at(ms) }}>
          {new Date(ms).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}
        </span>
      ))}
      <span class="calendar-now" style={{ left: at(now) }} />
      <div class="calendar-rows">
        {shown.map(entry => (
          <div key={entry.id} class="calendar-row">
            <span
              class="calendar-block"
              data-state={entry.state}
              style={{ marginLeft: at(entry.startMs), width: wide(entry) }}
              title={`${entry.name}: ${entry.title}`}
            >
              {entry.name}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}
