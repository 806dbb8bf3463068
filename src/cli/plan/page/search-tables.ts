// The result of the search: the best layout and the runners-up, then layouts that would be better but break a constraint.
import { formatBytes, formatLongDuration } from '../../../base/units.ts';
import {
  type Candidate,
  describeLoss,
  formatStep,
  type LostCandidate,
  type SearchResult,
} from '../../../simulator/plan/index.ts';
import { html, lines, type Markup } from '../../command/markup.ts';
import { entryOfCandidate } from '../entries.ts';
import { widthText } from '../interval.ts';
import { percent } from '../number-text.ts';
import type { PlanRequest } from '../request.ts';
import { costCell, layoutCell } from './comparison.ts';
import { type Row, table, wide, words } from './table.ts';

export function searchTables(
  request: PlanRequest,
  { best, runnersUp, rejected, withoutAny, impossible }: SearchResult,
  now: Date,
): Markup {
  const hasPlan = request.amount !== undefined;
  const rowOf = (candidate: Candidate, why: string, chosen: boolean): Row => {
    const { prediction } = candidate;
    const entry = entryOfCandidate(request, candidate, now);
    return {
      name: words(entry.name),
      chosen,
      cells: [
        ...(entry.seconds === undefined ? [] : [words(formatLongDuration(entry.seconds))]),
        costCell(entry),
        layoutCell(entry),
        words(formatStep(prediction.stepSeconds), widthText(entry.interval.uncertainty)),
        words(percent(prediction.mfu)),
        words(formatBytes(prediction.memory.total)),
        wide(why),
      ],
    };
  };
  const lost = (candidate: LostCandidate): Row => rowOf(candidate, describeLoss(candidate.loss), false);
  const tableOf = (caption: string, rows: readonly Row[]): Markup =>
    table({
      caption,
      headers: [
        { name: 'machines' },
        ...(hasPlan ? [{ name: 'time to train', number: true }] : []),
        { name: hasPlan ? 'cost' : 'cost per million samples', number: true },
        { name: 'layout' },
        { name: 'step', number: true },
        { name: 'MFU', number: true },
        { name: 'memory', number: true },
        { name: 'against the best' },
      ],
      rows,
    });
  const title = request.search?.objective === 'cost' ? 'cheapest' : 'fastest';
  return lines([
    ...(best === undefined
      ? [html`<p>No layout meets all constraints.</p>`]
      : [tableOf('The best layouts that the search found', [rowOf(best, title, true), ...runnersUp.map(lost)])]),
    ...(rejected.length === 0
      ? []
      : [
          html`<h3>${best === undefined ? 'The nearest layouts, and the constraints they break' : 'Better, but they break a constraint'}</h3>`,
          tableOf('Layouts that break a constraint', rejected.map(lost)),
        ]),
    ...(withoutAny.length === 0
      ? []
      : [
          html`<h3>Machines without a layout that meets all constraints</h3>`,
          html`<ul>${withoutAny.map(({ machine, why }) => html`<li><b>${machine.name}</b>: ${why}</li>`)}</ul>`,
        ]),
    ...(impossible.length === 0
      ? []
      : [
          html`<h3>Not possible</h3>`,
          html`<ul>${impossible.slice(0, 5).map(({ reason, count }) => html`<li>${reason}${count > 1 && ` (${count.toLocaleString('en-US')} layouts)`}</li>`)}</ul>`,
        ]),
  ]);
}
