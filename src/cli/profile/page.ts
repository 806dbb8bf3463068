// The page of a profile: one file that opens without a server, with the timelines in it.

import { formatBytes } from '../../base/units.ts';
import { alignedStarts } from '../../runtime/profiling/aligned-starts.ts';
import { kernelAverages } from '../../runtime/profiling/kernel-averages.ts';
import { bubbleText, labelOf } from '../../runtime/profiling/pipeline-lane.ts';
import { timeSentence, timeShares } from '../../runtime/profiling/time-shares.ts';
import type { Timeline } from '../../runtime/profiling/timeline.ts';
import { html } from '../command/markup.ts';
import { communicationOfProfile } from './communication.ts';
import type { KernelDifference } from './diff.ts';
import { viewerScript } from './viewer-script.ts';

/** HTML; with `differences`, also a table of them. */
export function profilePage(timelines: readonly Timeline[], differences: readonly KernelDifference[] = []): string {
  const starts = alignedStarts(timelines);
  const data = timelines.map((timeline, i) => ({
    ...timeline,
    start: starts[i]!,
    pipeline: timeline.pipeline.flat().map(span => ({ ...span, name: labelOf(span) })),
  }));
  const [first] = timelines;
  const title = `Profile of ${first!.script.split('/').at(-1) ?? 'a script'}`;
  const sections = timelines.map(timeline => {
    const shares = [...timeShares(timeline)].sort((a, b) => b[1] - a[1]);
    const all = shares.reduce((sum, [, ns]) => sum + ns, 0);
    return html`<section><h2>Rank ${timeline.rank} <small>${timeline.host}, process ${timeline.pid}, ${timeline.loop.length} steps</small></h2>
<p class="sentence">${timeSentence(timeline)}</p>
<div class="bar">${shares.map(([use, ns]) => html`<span class="use ${useClass(use)}" style="width:${((100 * ns) / all).toFixed(2)}%" title="${use}: ${((100 * ns) / all).toFixed(1)} %"></span>`)}</div>
<p class="legend">${shares.filter(([, ns]) => ns > 0.005 * all).map(([use, ns]) => html`<span><i class="${useClass(use)}"></i>${use} ${((100 * ns) / all).toFixed(1)} %</span> `)}</p>
<canvas data-rank="${timeline.rank}" height="10"></canvas></section>`;
  });
  const rows = kernelAverages(first!).map(
    k =>
      html`<tr data-kernel="${JSON.stringify([k.program, k.kernel, k.shape, k.ops])}"><td>${k.kernel}</td><td>${k.program}</td><td>${k.kind}</td><td class="n">${k.calls}</td><td class="n">${(k.totalNs / 1e6).toFixed(3)}</td><td class="n">${(k.totalNs / k.calls / 1e3).toFixed(1)}</td><td class="n">${(100 * k.share).toFixed(1)} %</td><td><span class="roof"><i style="width:${Math.min(100, Math.round(100 * k.ofLimit))}%"></i></span> ${k.ofLimit === 0 ? '' : `${Math.round(100 * k.ofLimit)} %`}</td><td>${k.shape}</td><td>${k.ops}</td><td>${k.line}</td></tr>`,
  );
  const { collectives, replicated } = communicationOfProfile(timelines);
  const sent =
    collectives.length === 0
      ? undefined
      : html`<h2>What rank ${first!.rank} sends in a step <small>exposed: it does nothing else, and may wait for late ranks</small></h2>
<table id="sent"><thead><tr><th>line</th><th>collective</th><th>ranks</th><th>count</th><th>bytes</th><th>exposed ms</th></tr></thead><tbody>${collectives.map(row => html`<tr><td>${row.at}</td><td>${row.kind}</td><td class="n">${row.devices}</td><td class="n">${Number(row.count.toFixed(1))}</td><td class="n">${formatBytes(row.bytes)}</td><td class="n">${row.exposedMs!.toFixed(2)}</td></tr>`)}</tbody></table>
${replicated.map(text => html`<p>${text}</p>`)}`;
  const ms = (ns: number | undefined): string => (ns === undefined ? '–' : (ns / 1e6).toFixed(3));
  const compared =
    differences.length === 0
      ? undefined
      : html`<h2>Compared with the earlier profile</h2><table><thead><tr><th>before ms</th><th>after ms</th><th>shape</th><th>ops</th><th>line</th></tr></thead><tbody>${differences.map(d => html`<tr><td class="n">${ms(d.before)}</td><td class="n">${ms(d.after)}</td><td>${d.shape}</td><td>${d.ops}</td><td>${d.line}</td></tr>`)}</tbody></table>`;
  const body = html`<h1>${title}</h1>
<p class="help">Wheel: zoom. Drag: move. Click a kernel: its ops and line. Double click: everything.</p>
<p class="sentence">${bubbleText(timelines)}</p>
${sections}
<pre id="details" aria-live="polite">Click a span.</pre>
${sent}
<h2>Kernels by time${timelines.length > 1 ? `, rank ${first!.rank}` : ''} <small>of limit: the time that the arithmetic or the memory of this machine needs at least</small></h2>
<table><thead><tr><th>kernel</th><th>program</th><th>kind</th><th>calls</th><th>total ms</th><th>mean µs</th><th>share</th><th>of limit</th><th>shape</th><th>ops</th><th>line</th></tr></thead><tbody>${rows}</tbody></table>
${compared}`;
  // Within a script element, only the end of the element could be misread.
  const json = JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
${html`<title>${title}</title>`.source}<style>${style}</style></head>
<body>${body.source}
<script type="application/json" id="data">${json}</script>
<script>${viewerScript}</script></body></html>
`;
}
const useClass = (use: string): string => (use.startsWith('idle') ? `idle ${use.slice(6)}` : use.replaceAll(' ', '-'));

const style = `
body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5rem; color: #1c2430; background: #fff; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin: 1.4rem 0 .3rem; } small, .help { color: #667; font-weight: normal; }
.sentence { font-size: 1.05rem; margin: .2rem 0 .5rem; } canvas { width: 100%; display: block; cursor: crosshair; border: 1px solid #dde; }
.bar { display: flex; height: 14px; margin: .3rem 0; } .use { display: block; height: 100%; }
.legend i { display: inline-block; width: 10px; height: 10px; margin: 0 4px 0 10px; }
.multiply { background: #2a6fbb; } .fused { background: #3a9d6e; } .other { background: #8a6fc0; } .collective { background: #d0733a; }
.between-kernels { background: #9aa4b2; } .idle { background: #d9dde4; } .data { background: #c94f4f; } .compile { background: #b59b2d; } .tracing { background: #c9b458; }
pre { background: #f5f7fa; padding: .6rem; white-space: pre-wrap; min-height: 3.2em; } table { border-collapse: collapse; font-size: 13px; }
th, td { text-align: left; vertical-align: top; padding: 2px 8px; border-bottom: 1px solid #eef; } td:nth-child(8), .n { white-space: nowrap; } .n { text-align: right; font-variant-numeric: tabular-nums; }
tr.chosen { background: #fff4d6; } .roof { display: inline-block; width: 60px; height: 8px; background: #eef; } .roof i { display: block; height: 100%; background: #2a6fbb; }
@media (prefers-color-scheme: dark) { body { background: #14181f; color: #dde3ec; } pre { background: #1d232d; } th, td { border-color: #2a3240; } tr.chosen { background: #4a3f1d; } canvas { border-color: #2a3240; } }
`;
