// The rows of the plan as tables: those that fit in memory; those that do not, with advice; and those that are impossible.
import { formatBytes, formatLongDuration } from '../../../base/units.ts';
import { formatLayout, formatStep } from '../../../simulator/plan/index.ts';
import { largestBound } from '../../../simulator/plan/training.ts';
import { type Content, html, lines, type Markup } from '../../command/markup.ts';
import { type Entries, type Entry, isSame } from '../entries.ts';
import { between, widthText } from '../interval.ts';
import { compact, percent } from '../number-text.ts';
import { costOfPurchase, wayOf, whyUnpriced } from '../purchases.ts';
import { isCountedInTokens } from '../table.ts';
import { type Cell, none, type Row, table, wide, words } from './table.ts';
import { memoryUse, roundedUsd, wholePercent } from './words.ts';

export function comparison({ fitting, unfitting, impossible }: Entries, chosen: Entry): Markup {
  return lines([
    fitting.length === 0 ? html`<p>None of these layouts fits in memory.</p>` : fittingTable(fitting, chosen),
    ...(unfitting.length === 0
      ? []
      : [
          html`<h3>Does not fit in memory</h3>`,
          table({
            caption: 'Layouts that do not fit in memory',
            headers: [
              { name: 'machines' },
              { name: 'layout' },
              { name: 'memory per device', number: true },
              { name: 'too much', number: true },
              { name: 'what would make it fit' },
            ],
            rows: unfitting.map((entry, i) => ({
              name: words(entry.name),
              begins: begins(unfitting, i),
              cells: [
                layoutCell(entry),
                words(memoryUse(entry.prediction.memory)),
                words(formatBytes(-entry.prediction.memory.spare)),
                wide(entry.prediction.memory.remedies.join('; ')),
              ],
            })),
          }),
        ]),
    ...(impossible.length === 0
      ? []
      : [
          html`<h3>Not possible</h3>`,
          html`<ul>${impossible.map(row => html`<li><b>${`${row.nodes} × ${row.machine.name}`}</b>: ${row.reason} (${row.fix})</li>`)}</ul>`,
        ]),
  ]);
}

export const begins = (entries: readonly { readonly machine: { readonly name: string } }[], i: number): boolean =>
  entries[i]!.machine.name !== entries[i - 1]?.machine.name;

function fittingTable(entries: readonly Entry[], chosen: Entry): Markup {
  const hasPlan = entries.some(entry => entry.seconds !== undefined);
  const inTokens = entries.some(entry => isCountedInTokens(entry.prediction));
  return table({
    caption: 'Layouts that fit in memory',
    headers: [
      { name: 'machines' },
      ...(hasPlan ? [{ name: 'time to train', number: true }] : []),
      { name: hasPlan ? 'cost' : 'cost per million samples', number: true },
      { name: 'layout' },
      { name: 'step', number: true },
      { name: inTokens ? 'tokens/s' : 'samples/s', number: true },
      { name: 'MFU', number: true },
      { name: 'memory per device', number: true },
      { name: 'limited by' },
    ],
    rows: entries.map((entry, i): Row => {
      const { prediction, seconds, interval } = entry;
      const { bound, share } = largestBound(prediction);
      return {
        name: words(entry.name, badges(entry)),
        begins: begins(entries, i),
        chosen: isSame(entry, chosen),
        cells: [
          ...(hasPlan
            ? [
                seconds === undefined
                  ? none
                  : words(
                      formatLongDuration(seconds),
                      interval.seconds && between(interval.seconds, formatLongDuration),
                    ),
              ]
            : []),
          costCell(entry),
          layoutCell(entry),
          words(formatStep(prediction.stepSeconds), widthText(entry.interval.uncertainty)),
          isCountedInTokens(prediction)
            ? words(
                compact(prediction.tokensPerStep! / prediction.stepSeconds),
                `${compact(prediction.samplesPerSecond)} samples/s`,
              )
            : words(compact(prediction.samplesPerSecond)),
          words(percent(prediction.mfu)),
          words(memoryUse(prediction.memory)),
          { ...words(bound, `${wholePercent(share)} of a step`), room: 'short' },
        ],
      };
    }),
  });
}

export const layoutCell = ({ prediction }: Pick<Entry, 'prediction'>): Cell => {
  const [split, batches] = formatLayout(prediction.layout).split(' · ');
  return { ...words(split, batches === undefined ? undefined : `${batches} samples`), room: 'layout' };
};

export function costCell({ bought }: Pick<Entry, 'bought'>): Cell {
  if (bought.kind !== 'priced') return words(whyUnpriced(bought));
  const { price } = bought;
  const doubt = price.uncertain ? ', uncertain' : '';
  return words(roundedUsd(costOfPurchase(bought)!), `${wayOf(price)}${doubt}`);
}

function badges({ cheapest, fastest }: Entry): Content {
  const names = [...(cheapest ? ['cheapest'] : []), ...(fastest ? ['fastest'] : [])];
  return names.length === 0 ? undefined : names.map(name => html`<b class="badge">${name}</b>`);
}
