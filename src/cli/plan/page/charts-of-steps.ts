// The time of a step by phase and the memory of a device by kind, one row per machine and number of nodes. Parts are shares of
// their own row, so that a row with a thousand nodes is as readable as one with a single node; total times are on a logarithmic
// scale.
import { formatBytes } from '../../../base/units.ts';
import { type MemoryKind, memoryKinds, phases } from '../../../simulator/index.ts';
import { formatStep } from '../../../simulator/plan/index.ts';
import { html, lines, type Markup } from '../../command/markup.ts';
import type { Entry } from '../entries.ts';
import { between } from '../interval.ts';
import { percent as percentOf } from '../number-text.ts';
import { type Axis, type ChartRow, chartTable, type Segment, stack } from './chart-table.ts';
import { begins } from './comparison.ts';
import { partLegend } from './legend.ts';
import { colorOf } from './palette.ts';
import { durationScale, logScale } from './scale.ts';
import { line, percent } from './svg.ts';
import { memoryUse, tickOf, wholePercent } from './words.ts';

const shares: Axis = { ticks: [0, 25, 50, 75, 100].map(at => ({ at, label: `${at} %` })) };
const filled = (series: number): string => `f${colorOf(series)}`;

export function timeChart(id: string, entries: readonly Entry[]): Markup {
  const seconds = entries.flatMap(({ interval }) => interval.stepSeconds);
  const scale = Math.max(...seconds) < 1 ? logScale(seconds, 0, 100) : durationScale(seconds, 0, 100);
  const every = Math.ceil(scale.ticks.length / 4);
  const times: Axis = {
    ticks: scale.ticks.filter((_, i) => i % every === 0).map(tick => ({ at: scale.at(tick), label: tickOf(tick) })),
  };
  const rows = entries.map(({ name, prediction, interval }, i): ChartRow => {
    const { stepSeconds, byPhase, mfu } = prediction;
    const segments = phases.map((phase, series): Segment => {
      const value = byPhase[phase];
      return {
        series,
        value,
        hint: `${phase}: ${formatStep(value)}, ${wholePercent(value / stepSeconds)} of the step`,
      };
    });
    const x = scale.at(stepSeconds);
    const [least, most] = interval.stepSeconds.map(end => scale.at(end)) as [number, number];
    const hint = `${formatStep(stepSeconds)}; in 80 of 100 cases ${between(interval.stepSeconds, formatStep)}`;
    return {
      name,
      begins: begins(entries, i),
      pictures: [
        {
          description: hint,
          body: html`${line(0, '11', least, '11', 'stem')}${line(least, '11', most, '11', 'interval')}<circle cx="${percent(x)}" cy="11" r="5" class="dot"><title>${hint}</title></circle>`,
        },
        { description: describe(segments, stepSeconds), body: stack(segments, 100, filled) },
      ],
      note: [html`<b>${formatStep(stepSeconds)}</b> `, html`<small>MFU ${percentOf(mfu)}</small>`],
    };
  });
  const used = (name: string): boolean => entries.some(({ prediction: { byPhase } }) => byPhase[name as never] > 0);
  return lines([
    partLegend(phases, used),
    chartTable({
      id,
      caption: 'Time of a step by phase',
      nameHeader: 'machines',
      panels: [
        { header: 'time of a step, logarithmic scale', axis: times, width: 'narrow' },
        { header: 'share of the step', axis: shares },
      ],
      noteHeader: 'step',
      rows,
    }),
  ]);
}

const describe = (segments: readonly Segment[], all: number): string =>
  segments
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value)
    .map(({ hint, value }) => `${hint.slice(0, hint.indexOf(':'))} ${wholePercent(value / all)}`)
    .join(', ');

const memorySegments = ({ prediction: { memory } }: Entry): readonly Segment[] =>
  memoryKinds.map((kind: MemoryKind, series) => {
    const value = memory.byKind[kind];
    return {
      series,
      value,
      hint: `${kind}: ${formatBytes(value)}, ${wholePercent(value / memory.capacity)} of a device`,
    };
  });

/** The memory of the rows that fit: a full bar is the memory of a device. */
export function memoryChart(id: string, entries: readonly Entry[]): Markup {
  return memoryTable(id, entries, {
    caption: 'Memory of the fullest device, as a share of what it has',
    header: "share of the device's memory",
    axis: shares,
    note: ({ spare }) => `${formatBytes(spare)} to spare`,
    extent: ({ total, capacity }) => (total / capacity) * 100,
    limit: () => undefined,
  });
}

/** Rows that do not fit: the bar is the needed memory, and a line marks the memory of the device. */
export function overfullChart(id: string, entries: readonly Entry[]): Markup {
  return memoryTable(id, entries, {
    caption: 'Layouts that do not fit: the memory that a device would need',
    header: 'share of what is needed; the device ends at the line',
    axis: shares,
    note: ({ spare }) => `${formatBytes(-spare)} too much`,
    extent: () => 100,
    limit: ({ capacity, total }) => (capacity / total) * 100,
  });
}

interface MemoryStyle {
  readonly caption: string;
  readonly header: string;
  readonly axis: Axis;
  readonly note: (memory: Entry['prediction']['memory']) => string;
  readonly extent: (memory: Entry['prediction']['memory']) => number;
  readonly limit: (memory: Entry['prediction']['memory']) => number | undefined;
}
function memoryTable(id: string, entries: readonly Entry[], style: MemoryStyle): Markup {
  const rows = entries.map((entry, i): ChartRow => {
    const { memory } = entry.prediction;
    const segments = memorySegments(entry);
    const limit = style.limit(memory);
    return {
      name: entry.name,
      begins: begins(entries, i),
      pictures: [
        {
          description: describe(segments, memory.total),
          body: [
            html`<rect x="0" y="3" width="100%" height="16" class="room"/>`,
            stack(segments, style.extent(memory), filled),
            limit !== undefined && [
              html`<rect x="${percent(limit)}" y="0" width="${percent(100 - limit)}" height="100%" class="beyond" pointer-events="none"/>`,
              line(limit, '0', limit, '100%', 'edge'),
            ],
          ],
        },
      ],
      note: [
        html`<b>${memoryUse(memory)}</b> `,
        html`<small${!memory.fits && html` class="bad"`}>${style.note(memory)}</small>`,
      ],
    };
  });
  const used = new Set(
    entries.flatMap(({ prediction: { memory } }) => memoryKinds.filter(kind => memory.byKind[kind] > 0)),
  );
  return lines([
    partLegend(memoryKinds, name => used.has(name as MemoryKind)),
    chartTable({
      id,
      caption: style.caption,
      nameHeader: 'machines',
      panels: [{ header: style.header, axis: style.axis }],
      noteHeader: 'memory of a device',
      rows,
    }),
  ]);
}
