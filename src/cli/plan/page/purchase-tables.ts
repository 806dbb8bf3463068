// The same training under every purchase option: a table for each row of the plan. Only the answer's table is open at first.

import { formatUsd } from '../../../base/money.ts';
import { formatLongDuration } from '../../../base/units.ts';
import type { PurchaseOption } from '../../../simulator/plan/index.ts';
import { html, lines, type Markup } from '../../command/markup.ts';
import type { Entry } from '../entries.ts';
import { wayName } from '../purchases.ts';
import type { Purchase } from '../report.ts';
import { none, type Row, table, wide, words } from './table.ts';
import { roundedUsd } from './words.ts';

export function purchaseTables(purchases: readonly Purchase[], chosen: Entry): Markup {
  return lines(
    purchases.map(purchase => {
      const { machine, nodes, options } = purchase;
      const least = leastOf(options);
      const isOpen = purchases.length === 1 || (machine === chosen.machine.name && nodes === chosen.nodes);
      const summary =
        least === undefined ? 'no public price' : `${wayName(least)} is cheapest: ${roundedUsd(least.toPay)}`;
      return html`<details${isOpen && html` open`}><summary><b>${`${nodes} × ${machine}`}</b>: ${summary}</summary>${purchaseTable(purchase, least)}</details>`;
    }),
  );
}

type Priced = Extract<PurchaseOption, { kind: 'priced' }>;
function leastOf(options: readonly PurchaseOption[]): Priced | undefined {
  const priced = options.filter(option => option.kind === 'priced');
  return priced.toSorted((a, b) => a.toPay - b.toPay)[0];
}

function purchaseTable({ machine, nodes, options }: Purchase, least: Priced | undefined): Markup {
  return table({
    caption: `Purchase options for ${nodes} × ${machine}`,
    headers: [
      { name: 'purchase option' },
      { name: 'to pay', number: true },
      { name: 'share of this training', number: true },
      { name: 'time', number: true },
      { name: 'per instance and hour', number: true },
      { name: 'rule' },
    ],
    rows: options.map((option): Row => {
      const name = words(wayName(option), option === least ? html`<b class="badge">cheapest</b>` : undefined);
      if (option.kind === 'impossible')
        return { name, cells: [none, none, none, none, wide(`Not possible: ${option.reason}`)] };
      const time = words(formatLongDuration(option.seconds));
      const rule = wide(option.notes.join(' '));
      if (option.kind !== 'priced') return { name, cells: [words('no public price'), none, time, none, rule] };
      const { price, used, toPay, block } = option;
      const dates = block === undefined ? undefined : `${dayOf(block.starts)} to ${dayOf(block.ends)}, 11:30 UTC. `;
      return {
        name,
        chosen: option === least,
        cells: [
          words(roundedUsd(toPay), option.commitment ? 'for the whole term' : undefined),
          words(roundedUsd(used)),
          time,
          words(formatUsd(price.perHour, { maxDecimals: 4 }), price.uncertain ? 'uncertain' : undefined),
          wide([dates, option.notes.join(' ')]),
        ],
      };
    }),
  });
}
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
