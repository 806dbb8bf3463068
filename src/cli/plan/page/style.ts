// Type, spacing and colors of the page, for screens of any width, light and dark, and for paper.
import { html, type Markup } from '../../command/markup.ts';
import { type Theme, themes } from './palette.ts';

const variables = ({ series, ...named }: Theme): string =>
  [
    ...Object.entries(named).map(([name, color]) => `--${name}:${color}`),
    ...series.map((color, i) => `--c${i}:${color}`),
  ].join(';');
const seriesClasses = themes.light.series
  .map((_, i) => `.f${i}{fill:var(--c${i})}.s${i}{stroke:var(--c${i});fill:none}`)
  .join('\n');

export const style: Markup = html`<style>
:root { ${variables(themes.light)} }
@media screen and (prefers-color-scheme: dark) { :root { ${variables(themes.dark)} } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1160px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 30px; line-height: 1.2; letter-spacing: -0.01em; margin: 0 0 4px; }
h2 { font-size: 20px; line-height: 1.3; margin: 52px 0 4px; }
h3 { font-size: 15px; margin: 24px 0 8px; }
h1, .headline, th, dd, summary, li, .legend { overflow-wrap: anywhere; }
p { margin: 0 0 12px; }
.kind { margin: 0 0 4px; font-size: 13px; color: var(--quiet); }
.lead, .note { color: var(--quiet); max-width: 75ch; }
small { font-size: 12px; color: var(--quiet); }
.good { color: var(--good); } .bad { color: var(--bad); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.answer { margin-top: 24px; padding: 24px 28px; background: var(--panel); border-radius: 12px; }
.reason { margin: 0 0 6px; font-size: 13px; font-weight: 600; color: var(--quiet); }
.headline { font-size: 22px; line-height: 1.4; margin: 0 0 14px; max-width: 62ch; text-wrap: pretty; }
.checks { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 0 0 20px; padding: 0; font-weight: 600; }
.figures { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 18px 28px; margin: 0; padding-top: 20px; border-top: 1px solid var(--rule); }
.figures .broad { grid-column: 1 / -1; }
dt { font-size: 13px; color: var(--quiet); }
dd { margin: 0; font-size: 18px; font-weight: 600; font-variant-numeric: tabular-nums; }
dd small { display: block; font-size: 13px; font-weight: 400; }
.beside { margin: 16px 0 0; } .beside + .beside { margin-top: 4px; }

.scroll { overflow-x: auto; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--c0); outline-offset: 2px; border-radius: 4px; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; line-height: 1.35; font-variant-numeric: tabular-nums; }
th, td { padding: 7px 8px; text-align: left; vertical-align: top; font-weight: 400; }
.rows th:first-child { padding-left: 10px; }
.rows tbody tr { border-top: 1px solid var(--rule); }
.rows tbody tr.begins { border-top: 1px solid var(--quiet); }
.rows tbody tr.chosen { background: var(--kept); }
thead th { font-size: 12.5px; color: var(--quiet); vertical-align: bottom; }
tbody th { font-weight: 600; min-width: 12.5em; } .pair tbody th { min-width: 0; }
.number { text-align: right; } .number small, td.number, td.short { white-space: nowrap; }
td.wide { min-width: 20em; } td.layout { min-width: 9.5em; }
td small, tbody th small { display: block; }
.badge { display: inline-block; margin: 2px 4px 0 0; padding: 0 7px; border: 1px solid currentColor; border-radius: 9px; font-size: 11.5px; font-weight: 600; color: var(--good); }
details { border-top: 1px solid var(--rule); } details:last-of-type { border-bottom: 1px solid var(--rule); }
summary { padding: 9px 4px; cursor: pointer; } details[open] { padding-bottom: 8px; }

.scroll + figure { margin-top: 20px; }
figure { margin: 0 0 16px; padding: 16px; background: var(--panel); border-radius: 12px; }
.pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px; }
.pair figure { margin: 0; } .pair.cost { grid-template-columns: minmax(0, 1.9fr) minmax(0, 1fr); gap: 28px; } .pair h3 { margin-top: 0; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; margin: 4px 0 12px; font-size: 13px; }
.swatch { display: inline-block; width: 14px; height: 16px; margin-right: 6px; vertical-align: -3px; overflow: visible; }
.swatch.long { width: 24px; }
svg { font-size: 12px; } svg text { fill: var(--text); }
svg .tick, svg .axis, svg .beside { fill: var(--quiet); } svg .over { fill: var(--bad); font-weight: 600; } svg .beside { font-size: 11px; paint-order: stroke; stroke: var(--panel); stroke-width: 3px; stroke-linejoin: round; }
.plot { display: block; overflow: visible; width: calc(100% - 84px); height: 300px; margin: 24px 16px 44px 64px; }
.cost .plot { height: 380px; }
.grid, .rule { stroke: var(--rule); stroke-width: 1; } .limit { stroke: var(--bad); stroke-width: 2; }
.front { stroke: var(--quiet); stroke-width: 1.5; stroke-dasharray: 2 4; fill: none; }
.line { stroke: var(--quiet); stroke-width: 2; } polyline { stroke-width: 2; fill: none; } .dashed { stroke-dasharray: 6 4; }
.hollow { stroke-width: 2; fill: var(--panel) !important; } .outline { stroke: var(--quiet); stroke-width: 2; fill: none; }
.beyond { fill: var(--panel); opacity: 0.65; } .edge { stroke: var(--text); stroke-width: 3; }
.ring { fill: none; stroke: var(--text); stroke-width: 2; } rect.kept { fill: var(--kept); } .room { fill: var(--rule); }
.stem { stroke: var(--quiet); stroke-width: 2; } line.interval { stroke: var(--text); stroke-width: 4; stroke-opacity: 0.35; } .dot { fill: var(--text); }

.chart { table-layout: fixed; }
.chart caption { text-align: left; padding: 0 0 8px; font-weight: 600; }
col.name { width: 168px; } col.narrow { width: 23%; } col.notes { width: 252px; }
.chart th, .chart td { padding: 0 8px 0 0; vertical-align: middle; } .chart th.panel, .chart td.panel { padding: 0 20px 0 0; }
.chart thead th { padding-bottom: 4px; } .chart tbody th { font-weight: 400; min-width: 0; line-height: 1.25; }
.chart .begins th, .chart .begins td { padding-top: 8px; } .chart td small { display: inline; }
.chart .note { color: var(--text); }
.chart .axis-name { display: none; }
.track { display: block; width: 100%; height: 22px; overflow: visible; }
.assumed { overflow-wrap: anywhere; padding-left: 20px; columns: 2; column-gap: 40px; font-size: 14px; } .assumed li { margin: 0 0 6px; break-inside: avoid; }
${seriesClasses}

@media screen and (max-width: 1080px) {
.cards, .cards tbody, .cards tr, .cards th, .cards td { display: block; }
.cards thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
.cards tbody tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(136px, 1fr)); gap: 6px 16px; padding: 12px 8px; }
.cards th, .cards td, .cards th:first-child { padding: 0; text-align: left; } .cards td.layout { min-width: 0; } .cards th, .cards td.wide { grid-column: 1 / -1; min-width: 0; }
.cards tbody th { font-size: 15px; } .cards td.number, .cards td.short, .cards .number small { white-space: normal; }
.cards td::before { content: attr(data-header); display: block; font-size: 12px; color: var(--quiet); }
}
@media screen and (max-width: 760px) {
main { padding: 20px 16px 48px; }
h1 { font-size: 25px; } h2 { margin-top: 40px; }
.answer { padding: 18px 16px; margin-left: -6px; margin-right: -6px; } .headline { font-size: 19px; }
.figures { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px 18px; } dd { font-size: 16px; }
.pair, .pair.cost { grid-template-columns: minmax(0, 1fr); }
.assumed { columns: 1; }
figure { padding: 14px 12px; margin-left: -6px; margin-right: -6px; } .pair figure { margin-left: -6px; margin-right: -6px; }
.plot { width: calc(100% - 66px); margin-left: 56px; margin-right: 10px; } .cost .plot { height: 320px; } .between { display: none; }
.chart, .chart tbody, .chart thead, .chart tfoot { display: block; } .chart caption { display: block; } .chart colgroup, .chart thead { display: none; }
.chart tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 12px; padding-top: 8px; } .chart tfoot tr { padding: 0; }
.chart tbody th { order: 0; font-weight: 600; } .chart .note { order: 1; text-align: right; padding: 0; } .chart .note small { display: block; } .chart td.panel, .chart th.panel { order: 2; grid-column: 1 / -1; padding: 0; }
.chart tfoot td:not(.panel) { display: none; } .chart .axis-name { display: block; padding-bottom: 6px; }
}
@media print {
@page { size: landscape; margin: 12mm; }
body { font-size: 12px; } main { max-width: none; padding: 0; }
h2 { margin-top: 28px; break-after: avoid; } h3, .legend { break-after: avoid; }
figure, .answer, tr { break-inside: avoid; } table { font-size: 11px; } .scroll { overflow: visible; }
.answer, figure { background: none; border: 1px solid var(--rule); } .hollow { fill: var(--back) !important; }
tr.chosen, .answer, figure { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
details::details-content { content-visibility: visible; height: auto; display: block; }
}
</style>`;
