// The few things every chart of a plan needs. Positions are in percent of the chart across and in pixels or percent down, never a
// view box: so a chart is as wide as its page, and its text and marks keep their size on a telephone.
import { type Content, html, type Markup } from '../../command/markup.ts';
import { colorOf } from './palette.ts';

/** A hundredth of a percent is enough. */
export const n = (value: number): string => String(Math.round(value * 100) / 100);
export const percent = (value: number): string => `${n(value)}%`;

export interface Frame {
  /** One of its kind on the page. */
  readonly id: string;
  readonly className: string;
  /** The text alternative of the picture. */
  readonly title: string;
  readonly description: string;
}
export function svg({ id, className, title, description }: Frame, body: Content): Markup {
  return html`<svg class="${className}" role="img" aria-labelledby="${id}-t" aria-describedby="${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${description}</desc>${body}</svg>`;
}

export interface TextOptions {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly className?: string;
  /** Offset from the position, in pixels. */
  readonly dx?: number;
  readonly dy?: number;
}
export function text(x: number, y: string, content: string, options: TextOptions = {}): Markup {
  const { anchor = 'start', className, dx = 0, dy = 0 } = options;
  return html`<text x="${percent(x)}" y="${y}"${dx !== 0 && html` dx="${dx}"`}${dy !== 0 && html` dy="${dy}"`} text-anchor="${anchor}"${className !== undefined && html` class="${className}"`}>${content}</text>`;
}

export const line = (x1: number, y1: string, x2: number, y2: string, className: string): Markup =>
  html`<line x1="${percent(x1)}" y1="${y1}" x2="${percent(x2)}" y2="${y2}" class="${className}"/>`;

/** Lines through points in percent of both directions, with a pen that is not stretched with them. */
export const polyline = (points: readonly { readonly x: number; readonly y: number }[], className: string): Markup =>
  html`<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" overflow="visible"><polyline points="${points.map(({ x, y }) => `${n(x)},${n(y)}`).join(' ')}" class="${className}" vector-effect="non-scaling-stroke"/></svg>`;

const R = 5;
// Different shapes, so that series can be distinguished without colors.
const shapes = [
  `M${-R},0a${R},${R} 0 1,0 ${2 * R},0a${R},${R} 0 1,0 ${-2 * R},0z`,
  `M${-R},${-R}h${2 * R}v${2 * R}h${-2 * R}z`,
  `M0,${-R - 1}l${R + 1},${2 * R}h${-2 * (R + 1)}z`,
  `M0,${-R - 1}l${R + 1},${R + 1}l${-(R + 1)},${R + 1}l${-(R + 1)},${-(R + 1)}z`,
] as const;

export const shape = (series: number, hollow: boolean, hint?: string): Markup =>
  html`<path d="${shapes[series % shapes.length]}" class="${hollow ? 'hollow s' : 'f'}${colorOf(series)}">${hint !== undefined && html`<title>${hint}</title>`}</path>`;

/** A mark at a position in percent. */
export const mark = (x: number, y: number, series: number, hollow: boolean, hint: string): Markup =>
  html`<svg x="${percent(x)}" y="${percent(y)}" overflow="visible">${shape(series, hollow, hint)}</svg>`;
