// The script of a profile's page: flame charts on canvases, moved together. Plain JavaScript for browsers, without libraries.
export const viewerScript = `
'use strict';
const ranks = JSON.parse(document.getElementById('data').textContent);
const details = document.getElementById('details');
const canvases = [...document.querySelectorAll('canvas')];
// The names of rows are left of the chart.
const rowHeight = 18, gap = 6, gutter = 96;
const tickWidth = 80;
const colors = { step: '#7b8798', program: '#5c6b80', multiply: '#2a6fbb', fused: '#3a9d6e', other: '#8a6fc0', collective: '#d0733a', worker: '#9fb6cf',
  tracing: '#c9b458', compile: '#b59b2d', wait: '#aab2bd', data: '#c94f4f', user: '#b06ab3' };

// The same kernel in all ranks, and in the table: names repeat in other programs. As in page.ts.
const keyOf = (program, kernel) => JSON.stringify([program.name, kernel.name, kernel.shape, kernel.ops]);
const detailsOf = kernel => kernel.name + ' ' + kernel.shape + ': ' + kernel.ops;
const kernelsByKey = new Map(ranks.flatMap(rank => rank.programs.flatMap(program => program.kernels.map(kernel => [keyOf(program, kernel), kernel]))));
const rowsOfTable = [...document.querySelectorAll('tr[data-kernel]')];
const choose = key => {
  chosen = key;
  for (const row of rowsOfTable) row.classList.toggle('chosen', row.dataset.kernel === key);
};

// Rows of spans, each sorted by its start: [at, ns, color, label, details, key of the kernel].
const rowsOf = rank => {
  const line = kernel => (kernel.line ? '\\n' + kernel.line : '');
  const rows = [];
  rows.push(['steps', rank.loop.map(([at, ns], i) => [at, ns, colors.step, 'step ' + i, 'step ' + i + ' of the loop'])]);
  // Nested spans of the script go to deeper rows.
  const depth = [];
  for (const span of [...rank.spans].sort((a, b) => a.at - b.at || b.ns - a.ns)) {
    let level = 0;
    while (depth[level] && depth[level].at(-1)[0] + depth[level].at(-1)[1] > span.at) level++;
    (depth[level] ??= []).push([span.at, span.ns, colors[span.kind], span.kind + ': ' + span.name, span.kind + ': ' + span.name]);
  }
  depth.forEach((spans, i) => rows.push([i === 0 ? 'script' : '', spans]));
  rows.push(['programs', rank.steps.map(([at, ns, p]) => [at, ns, colors.program, rank.programs[p]?.name ?? 'runtime', rank.programs[p]?.name ?? 'runtime'])]);
  rows.push(['kernels', rank.kernels.map(([at, ns, p, k]) => {
    const kernel = rank.programs[p].kernels[k];
    const rates = (kernel.flops / ns).toFixed(1) + ' GFLOP/s, ' + (kernel.bytes / ns).toFixed(1) + ' GB/s';
    const least = Math.max(kernel.computeNs ?? 0, kernel.memoryNs ?? 0);
    const limit = least > 0 ? ', ' + Math.round((100 * least) / ns) + ' % of the limit (' + (kernel.computeNs > kernel.memoryNs ? 'arithmetic' : 'memory') + ')' : '';
    return [at, ns, colors[kernel.kind], kernel.name + ' ' + kernel.ops, detailsOf(kernel) + '\\n' + rates + limit + line(kernel), keyOf(rank.programs[p], kernel)];
  })]);
  for (const worker of [...new Set(rank.workers.map(w => w[2]))].sort((a, b) => a - b))
    rows.push(['worker ' + worker, rank.workers.filter(w => w[2] === worker).map(([at, ns]) => [at, ns, colors.worker, '', 'tasks of the kernel at this time'])]);
  if (rank.pipeline.length > 0)
    rows.push(['pipeline', rank.pipeline.map(({ at, ns, name, stage, kind, microBatch, bytes }) => [at, ns, stage === undefined ? colors.collective : colors[kind === 'F' ? 'multiply' : 'fused'], name,
      name + (bytes === undefined ? '' : ' ' + (bytes / 1e6).toFixed(2) + ' MB') + (stage !== undefined ? ' (action and micro-batch)' : microBatch === undefined ? '' : ' of micro-batch ' + microBatch)])]);
  if (rank.collectives.length > 0)
    rows.push(['communication', rank.collectives.map(([at, ns, name, bytes]) => [at, ns, colors.collective, name, name + ': ' + (bytes / 1e6).toFixed(2) + ' MB, ' + (bytes / ns).toFixed(2) + ' GB/s; it goes on while kernels run'])]);
  return rows;
};
const charts = ranks.map((rank, i) => ({ canvas: canvases[i], start: rank.start, rows: rowsOf(rank) }));
const end = Math.max(...ranks.map(rank => rank.start + rank.durationNs));
let from = 0, to = end, chosen;

const first = (spans, time) => {
  let low = 0, high = spans.length;
  while (low < high) { const middle = (low + high) >> 1; if (spans[middle][0] + spans[middle][1] < time) low = middle + 1; else high = middle; }
  return low;
};
const time = ns => (ns >= 1e9 ? (ns / 1e9).toFixed(3) + ' s' : ns >= 1e6 ? (ns / 1e6).toFixed(3) + ' ms' : (ns / 1e3).toFixed(1) + ' µs');
function draw({ canvas, start, rows }) {
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth;
  const height = rows.length * rowHeight + gap + 16;
  canvas.style.height = height + 'px';
  canvas.width = width * ratio; canvas.height = height * ratio;
  const c = canvas.getContext('2d');
  c.scale(ratio, ratio);
  c.font = '11px system-ui, sans-serif';
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const scale = (width - gutter) / (to - from);
  const x = at => gutter + (start + at - from) * scale;
  // 1, 2 or 5 times a power of ten: labels do not overlap.
  const least = tickWidth / scale, power = 10 ** Math.floor(Math.log10(least));
  const unit = power * ([1, 2, 5].find(n => n * power >= least) ?? 10);
  for (let t = Math.ceil(from / unit) * unit; t <= to; t += unit) {
    const at = gutter + (t - from) * scale;
    c.fillStyle = dark ? '#2a3240' : '#e8ecf2'; c.fillRect(at, 14, 1, height);
    c.fillStyle = dark ? '#8a95a5' : '#778'; c.fillText(time(t), at + 3, 10);
  }
  c.fillStyle = dark ? '#dde3ec' : '#1c2430';
  rows.forEach(([name], row) => c.fillText(name, 4, 16 + row * rowHeight + 11));
  c.save(); c.beginPath(); c.rect(gutter, 0, width - gutter, height); c.clip();
  rows.forEach(([, spans], row) => {
    const y = 16 + row * rowHeight;
    let drawn = -1;
    for (let i = first(spans, from - start); i < spans.length; i++) {
      const [at, ns, color, label, , key] = spans[i];
      const left = x(at), right = Math.max(x(at + ns), left + 0.5);
      if (left > width) break;
      // Spans that are narrower than a pixel, next to one that was drawn, add nothing.
      if (right < drawn + 0.5) continue;
      drawn = right;
      c.fillStyle = chosen && key === chosen ? '#e0a800' : color;
      c.fillRect(left, y, right - left - (right - left > 3 ? 0.5 : 0), rowHeight - 3);
      if (right - left > 40) {
        c.save(); c.beginPath(); c.rect(left, y, right - left - 4, rowHeight); c.clip();
        c.fillStyle = '#fff'; c.fillText(label, Math.max(left, gutter) + 4, y + 11); c.restore();
      }
    }
  });
  c.restore();
}
const timeAt = (canvas, event) => {
  const box = canvas.getBoundingClientRect();
  return from + ((event.clientX - box.left - gutter) / (box.width - gutter)) * (to - from);
};
const drawAll = () => charts.forEach(draw);
function spanAt({ canvas, start, rows }, event) {
  const box = canvas.getBoundingClientRect();
  const row = rows[Math.floor((event.clientY - box.top - 16) / rowHeight)];
  if (!row) return undefined;
  const at = timeAt(canvas, event) - start;
  const span = row[1][first(row[1], at)];
  return span && span[0] <= at ? span : undefined;
}
for (const chart of charts) {
  let dragged;
  chart.canvas.addEventListener('wheel', event => {
    event.preventDefault();
    const at = Math.max(from, timeAt(chart.canvas, event));
    const scale = Math.exp(event.deltaY * 0.002);
    from = Math.max(0, at - (at - from) * scale); to = Math.min(end, at + (to - at) * scale);
    if (to - from < 100) to = from + 100;
    drawAll();
  }, { passive: false });
  chart.canvas.addEventListener('mousedown', event => { dragged = { x: event.clientX, from, to, moved: false }; });
  addEventListener('mousemove', event => {
    if (!dragged) return;
    const by = ((dragged.x - event.clientX) / (chart.canvas.clientWidth - gutter)) * (dragged.to - dragged.from);
    const shift = Math.max(-dragged.from, Math.min(end - dragged.to, by));
    if (Math.abs(dragged.x - event.clientX) > 3) dragged.moved = true;
    from = dragged.from + shift; to = dragged.to + shift;
    drawAll();
  });
  addEventListener('mouseup', event => {
    const was = dragged;
    dragged = undefined;
    if (!was || was.moved) return;
    const span = spanAt(chart, event);
    if (!span) return;
    details.textContent = span[4] + '\\n' + time(span[1]) + ' from ' + time(chart.start + span[0]);
    choose(span[5]);
    drawAll();
  });
  chart.canvas.addEventListener('dblclick', () => { from = 0; to = end; drawAll(); });
}
for (const row of rowsOfTable)
  row.addEventListener('click', () => {
    const kernel = kernelsByKey.get(row.dataset.kernel);
    details.textContent = kernel ? detailsOf(kernel) + '\\n' + kernel.line : '';
    choose(row.dataset.kernel);
    drawAll();
  });
addEventListener('resize', drawAll);
drawAll();
`;
