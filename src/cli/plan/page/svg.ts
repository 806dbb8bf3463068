// The few things every chart of a plan needs: escaped text, numbers without noise, a frame that says what it shows.

export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

/** A tenth of a pixel is enough. */
export const n = (value: number): string => String(Math.round(value * 10) / 10);

export interface Frame {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** Said aloud instead of the picture. */
  readonly title: string;
  readonly description: string;
}

export function svg({ id, width, height, title, description }: Frame, body: readonly string[]): string {
  return [
    `<svg viewBox="0 0 ${n(width)} ${n(height)}" role="img" aria-labelledby="${id}-title ${id}-description">`,
    `<title id="${id}-title">${escaped(title)}</title>`,
    `<desc id="${id}-description">${escaped(description)}</desc>`,
    ...body,
    '</svg>',
  ].join('\n');
}

export interface TextOptions {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly className?: string;
}
export function text(x: number, y: number, content: string, { anchor = 'start', className }: TextOptions = {}): string {
  const named = className === undefined ? '' : ` class="${className}"`;
  return `<text x="${n(x)}" y="${n(y)}" text-anchor="${anchor}"${named}>${escaped(content)}</text>`;
}

/** A box with a text that shows when it is pointed at. */
export function box(x: number, y: number, width: number, height: number, series: number, hint: string): string {
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(Math.max(0, width))}" height="${n(height)}" class="f${series}"><title>${escaped(hint)}</title></rect>`;
}

export const line = (x1: number, y1: number, x2: number, y2: number, className: string): string =>
  `<line x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}" class="${className}"/>`;

/** Marks of different shapes, so that series can be told apart without colours. */
export function mark(x: number, y: number, series: number, hint: string, hollow = false): string {
  const r = 5;
  const shapes = [
    `M${n(x - r)},${n(y)}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0z`,
    `M${n(x - r)},${n(y - r)}h${2 * r}v${2 * r}h${-2 * r}z`,
    `M${n(x)},${n(y - r - 1)}l${r + 1},${2 * r}h${-2 * (r + 1)}z`,
    `M${n(x)},${n(y - r - 1)}l${r + 1},${r + 1}l${-(r + 1)},${r + 1}l${-(r + 1)},${-(r + 1)}z`,
  ];
  const className = hollow ? `s${series} hollow` : `f${series}`;
  return `<path d="${shapes[series % shapes.length]}" class="${className}"><title>${escaped(hint)}</title></path>`;
}

/** Names of series, with the colour of each; `used` keeps those that are in the picture. */
export function legend(names: readonly string[], used: (name: string) => boolean = () => true): string {
  const items = names.flatMap((name, i) => (used(name) ? [`<li><i class="b${i}"></i>${escaped(name)}</li>`] : []));
  return `<ul class="legend">${items.join('')}</ul>`;
}

/** The same for charts of marks: their shapes beside the names. */
export function markLegend(names: readonly string[]): string {
  const items = names.map(
    (name, i) =>
      `<li><svg class="swatch" viewBox="0 0 14 14" aria-hidden="true">${mark(7, 7, i, name)}</svg>${escaped(name)}</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul>`;
}
