// The picture of a program as a page: zoom with the wheel, move with the mouse or the keys, search by any text of an op,
// details of the op under the pointer. One file that needs nothing else.
import type { Module } from '../../../hlo/program.ts';
import { escaped } from '../../command/markup.ts';
import { colors, drawModule } from './svg.ts';

export function pageOf(module: Module, name: string): string {
  const { svg, kinds, width, height } = drawModule(module);
  const legend = kinds
    .map(kind => `<span><i style="background:${colors[kind][0]};border-color:${colors[kind][1]}"></i>${kind}</span>`)
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(name)}</title>
<style>${style}</style>
</head>
<body>
<header>
<b>${escaped(name)}</b>
<input id="search" type="search" placeholder="search (/)" aria-label="search">
<span id="found"></span>
<button id="all" type="button">whole (0)</button>
<span id="legend">${legend}</span>
</header>
<main id="view" tabindex="0" data-width="${width}" data-height="${height}">
${svg}</main>
<pre id="details" hidden></pre>
<script>${script}</script>
</body>
</html>
`;
}

const style = `
html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; font: 13px system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; padding: 8px 12px; border-bottom: 1px solid #ccc; }
#search { width: 16em; padding: 3px 6px; font: inherit; }
#legend { display: flex; flex-wrap: wrap; gap: 4px 12px; }
#legend i { display: inline-block; width: 11px; height: 11px; margin-right: 4px; border: 1px solid; border-radius: 3px; vertical-align: -1px; }
main { flex: 1; min-height: 0; overflow: hidden; cursor: grab; outline: none; touch-action: none; }
main:active { cursor: grabbing; }
main svg { width: 100%; height: 100%; display: block; user-select: none; }
#details { margin: 0; max-height: 25%; overflow: auto; padding: 8px 12px; border-top: 1px solid #ccc; white-space: pre-wrap; }
.node.chosen > rect { stroke: #111; stroke-width: 2.5; }
.searching .node:not(.match):not(:has(.match)) { opacity: 0.3; }
`;

// Plain script for the browser: it is data here. The view box is the state; everything else follows from it.
const script = `
const view = document.getElementById('view');
const svg = view.querySelector('svg');
const search = document.getElementById('search');
const found = document.getElementById('found');
const details = document.getElementById('details');
const nodes = [...svg.querySelectorAll('.node')];
const whole = { x: 0, y: 0, w: +view.dataset.width, h: +view.dataset.height };
let box = { ...whole };
let matches = [];
let at = -1;
const show = () => svg.setAttribute('viewBox', [box.x, box.y, box.w, box.h].join(' '));
const scale = () => Math.max(box.w / view.clientWidth, box.h / view.clientHeight);
function zoom(factor, clientX, clientY) {
  const size = svg.getBoundingClientRect();
  const s = scale();
  const px = box.x + box.w / 2 + (clientX - size.left - size.width / 2) * s;
  const py = box.y + box.h / 2 + (clientY - size.top - size.height / 2) * s;
  if (s * factor < 0.1 || box.w * factor > 4 * Math.max(whole.w, view.clientWidth)) return;
  box = { x: px - (px - box.x) * factor, y: py - (py - box.y) * factor, w: box.w * factor, h: box.h * factor };
  show();
}
function start() {
  // At its size, from its upper left corner; whole and in the middle if it fits.
  box = { x: 0, y: 0, w: view.clientWidth, h: view.clientHeight };
  if (whole.w < box.w && whole.h < box.h) box = { ...whole };
  else if (whole.w < box.w) box.x = (whole.w - box.w) / 2;
  show();
}
function center(node) {
  const m = svg.getScreenCTM().inverse().multiply(node.getScreenCTM());
  const r = node.firstElementChild.nextElementSibling.getBBox();
  const p = new DOMPoint(r.width / 2, Math.min(r.height / 2, 60)).matrixTransform(m);
  const s = Math.min(scale(), 1.2);
  box = { w: view.clientWidth * s, h: view.clientHeight * s };
  box.x = p.x - box.w / 2;
  box.y = p.y - box.h / 2;
  show();
}
function choose(node) {
  for (const other of svg.querySelectorAll('.chosen')) other.classList.remove('chosen');
  node?.classList.add('chosen');
  details.hidden = !node;
  details.textContent = node ? node.querySelector('title').textContent : '';
}
function find() {
  const text = search.value.trim().toLowerCase();
  for (const node of nodes) node.classList.remove('match');
  svg.classList.toggle('searching', text !== '');
  matches = text === '' ? [] : nodes.filter(node => [...node.children].some(c => c.tagName !== 'g' && c.textContent.toLowerCase().includes(text)) || node.dataset.name.toLowerCase().endsWith(text));
  for (const node of matches) node.classList.add('match');
  at = -1;
  found.textContent = text === '' ? '' : matches.length + ' found (Enter: next)';
}
function next(step) {
  if (matches.length === 0) return;
  at = (at + step + matches.length) % matches.length;
  found.textContent = at + 1 + ' of ' + matches.length;
  choose(matches[at]);
  center(matches[at]);
}
search.addEventListener('input', find);
search.addEventListener('keydown', event => {
  if (event.key === 'Enter') next(event.shiftKey ? -1 : 1);
  if (event.key === 'Escape') { search.value = ''; find(); view.focus(); }
});
view.addEventListener('wheel', event => { event.preventDefault(); zoom(Math.exp(event.deltaY * 0.0015), event.clientX, event.clientY); }, { passive: false });
const pointers = new Map();
let moved = false;
view.addEventListener('pointerdown', event => { pointers.set(event.pointerId, event); moved = false; });
view.addEventListener('pointermove', event => {
  const last = pointers.get(event.pointerId);
  if (!last) return;
  const s = scale();
  const dx = event.clientX - last.clientX;
  const dy = event.clientY - last.clientY;
  if (pointers.size === 2) {
    const other = [...pointers.values()].find(p => p.pointerId !== event.pointerId);
    const before = Math.hypot(last.clientX - other.clientX, last.clientY - other.clientY);
    const after = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
    if (after > 0) zoom(before / after, other.clientX, other.clientY);
  } else {
    box.x -= dx * s;
    box.y -= dy * s;
    show();
  }
  if (Math.abs(dx) + Math.abs(dy) > 1) moved = true;
  pointers.set(event.pointerId, event);
});
for (const name of ['pointerup', 'pointercancel', 'pointerleave']) view.addEventListener(name, event => pointers.delete(event.pointerId));
view.addEventListener('click', event => { if (!moved) choose(event.target.closest('.node')); });
document.getElementById('all').addEventListener('click', () => { box = { ...whole }; show(); });
document.addEventListener('keydown', event => {
  if (event.target === search) return;
  const step = 60 * scale();
  const middle = [view.clientWidth / 2, view.getBoundingClientRect().top + view.clientHeight / 2];
  if (event.key === '/') { event.preventDefault(); search.focus(); }
  else if (event.key === '0') box = { ...whole };
  else if (event.key === '+' || event.key === '=') zoom(0.8, ...middle);
  else if (event.key === '-') zoom(1.25, ...middle);
  else if (event.key === 'ArrowLeft') box.x -= step;
  else if (event.key === 'ArrowRight') box.x += step;
  else if (event.key === 'ArrowUp') box.y -= step;
  else if (event.key === 'ArrowDown') box.y += step;
  else return;
  show();
});
start();
`;
