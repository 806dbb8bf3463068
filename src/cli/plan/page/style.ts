// Colours and type of the page. Series colours are Okabe and Ito's, which people with any colour vision can tell apart, made
// lighter for the dark page.

const light = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8a8a8a', '#b8a800', '#4a3fb5'];
const dark = ['#4da3e0', '#f0b94a', '#3cc79c', '#e39bc4', '#8fd0f5', '#f08a4a', '#a9a9a9', '#e6d84a', '#9a90f0'];
const variables = (colours: readonly string[]): string => colours.map((c, i) => `--c${i}:${c};`).join('');
const classes = light
  .map((_, i) => `.f${i}{fill:var(--c${i})}.s${i}{stroke:var(--c${i});fill:none}.b${i}{background:var(--c${i})}`)
  .join('\n');

export const style = `
:root { color-scheme: light dark; --back:#ffffff; --panel:#f6f7f9; --text:#1b1f24; --quiet:#59636e; --rule:#d5dae0; --bad:#b3261e; --good:#0b6e4f; ${variables(light)} }
@media (prefers-color-scheme: dark) { :root { --back:#14171a; --panel:#1d2125; --text:#e8eaed; --quiet:#a3acb6; --rule:#363c43; --bad:#ff8a80; --good:#5fd3a6; ${variables(dark)} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 20px 60px; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 36px 0 8px; } h3 { font-size: 15px; margin: 12px 0 4px; }
p { margin: 4px 0 10px; } .lead, .note { color: var(--quiet); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 9px; text-align: left; border-bottom: 1px solid var(--rule); white-space: nowrap; }
th { font-weight: 600; color: var(--quiet); } .number { text-align: right; } td.wide { white-space: normal; min-width: 22em; }
.badge { display: inline-block; padding: 0 7px; border: 1px solid currentColor; border-radius: 9px; font-size: 12px; margin-right: 4px; }
.good { color: var(--good); } .bad { color: var(--bad); }
figure { margin: 0; padding: 14px; background: var(--panel); border-radius: 8px; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(360px, 1fr)); gap: 14px; }
svg { display: block; width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--text); } svg .tick, svg .axis, svg .note { fill: var(--quiet); } svg .over { fill: var(--bad); }
.grid { stroke: var(--rule); stroke-width: 1; } .limit { stroke: var(--bad); stroke-width: 2; fill: none; } .front { stroke: var(--quiet); stroke-width: 1.5; stroke-dasharray: 2 3; fill: none; }
polyline { stroke-width: 2; } polyline.dashed { stroke-dasharray: 6 4; } .hollow { stroke-width: 2; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 16px; padding: 0; margin: 0 0 8px; font-size: 13px; }
.legend .swatch { display: inline-block; width: 14px; height: 14px; margin-right: 5px; vertical-align: -2px; }
.legend i { display: inline-block; width: 11px; height: 11px; margin-right: 6px; border-radius: 2px; }
.assumed li { margin: 2px 0; }
${classes}
@media print { figure { break-inside: avoid; } body { font-size: 12px; } }
`;
