// Pages of known questions, and the requirements for every page: well-formed, self-contained, with names for its pictures.
import { usd } from '../../../base/money.ts';
import { machineOf } from '../../../hardware/machine-of.ts';
import { modelOf } from '../../../simulator/index.ts';
import { makeReport, type PlanReport } from '../report.ts';
import type { PlanRequest } from '../request.ts';

export interface Question extends Partial<Omit<PlanRequest, 'machines' | 'workload' | 'budget'>> {
  readonly model: string;
  readonly machines: readonly string[];
  readonly dollars?: number;
}
export function reportOf({ model, machines, dollars, ...rest }: Question): PlanReport {
  const request: PlanRequest = {
    workload: {
      model: modelOf(model),
      run: { kind: 'training', sequence: 512, optimizer: 'adamw' },
      precision: 'bf16-mixed',
      attention: 'blocked',
    },
    recordings: undefined,
    software: undefined,
    storage: {},
    machines: machines.map(name => machineOf(name, { profile: 'docs' })),
    nodes: [1],
    space: { globalBatch: 1024 },
    amount: undefined,
    startUp: undefined,
    search: undefined,
    recipe: undefined,
    purchase: { kinds: undefined, compare: false, spot: {}, start: undefined },
    failures: undefined,
    deadlineSeconds: undefined,
    budget: dollars === undefined ? undefined : usd(dollars),
    assumptions: [],
    ...rest,
  };
  return makeReport(request, new Date('2026-07-01T00:00:00Z'));
}

/** Sections by heading; the text above the first heading is under ''. */
export function sectionsOf(page: string): ReadonlyMap<string, string> {
  const [head, ...rest] = page.split('<h2>');
  return new Map([
    ['', head!],
    ...rest.map(part => [part.slice(0, part.indexOf('<')), part.slice(part.indexOf('</h2>'))] as const),
  ]);
}

/** The visible text, without tags. */
export const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

export const headlineOf = (page: string): string => textOf(/<p class="headline">(.*?)<\/p>/s.exec(page)![1]!);

const voidElements = new Set(['meta', 'col', 'br']);
/** The problems with a page, one per line. */
export function faultsOf(page: string): readonly string[] {
  const faults: string[] = [];
  const open: string[] = [];
  const body = page.replace(/<style>.*?<\/style>/s, '').replace('<!doctype html>', '');
  for (const [tag, closing, name, , selfClosing] of body.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:[^<>"]|"[^"<>]*")*?)(\/?)>/gi,
  )) {
    if (closing === '/') {
      if (open.pop() !== name) faults.push(`${tag} closes another element`);
    } else if (selfClosing !== '/' && !voidElements.has(name!)) open.push(name!);
  }
  if (open.length > 0) faults.push(`open at the end: ${open.join(' ')}`);
  if (/<(?![a-z/])/i.test(body)) faults.push('a < that begins no tag');
  const ids = [...body.matchAll(/ id="([^"]*)"/g)].map(match => match[1]!);
  if (new Set(ids).size !== ids.length) faults.push('an id is there twice');
  for (const [, id] of body.matchAll(/ aria-(?:labelledby|describedby)="([^"]*)"/g))
    if (!ids.includes(id!)) faults.push(`no element has the id ${id}`);
  for (const [picture] of body.matchAll(
    /<svg [^>]*role="img"[^>]*>(?!<title id="[^"]+">[^<]+<\/title><desc id="[^"]+">[^<]+<\/desc>)/g,
  ))
    faults.push(`without title and description: ${picture}`);
  for (const [, inside] of body.matchAll(/<table[^>]*>(.*?)<\/table>/gs)) {
    if (!inside!.includes('<caption')) faults.push('a table without a caption');
    if (!inside!.includes('scope="col"') || !inside!.includes('scope="row"')) faults.push('a table without headers');
  }
  const foreign = /NaN|undefined|Infinity|\[object|https?:|<script|<link|@import|url\(| on[a-z]+=/.exec(page);
  if (foreign !== null) faults.push(`not for a page: ${foreign[0]}`);
  return faults;
}
