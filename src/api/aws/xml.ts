// XML documents of requests and responses: elements and text. Prefixes of namespaces, attributes, comments and processing
// instructions are skipped; document types are rejected, so nothing can be expanded or fetched.
// https://www.w3.org/TR/xml/
import { AwsError } from './aws-error.ts';

/**
 * Text, or elements by name; a list repeats the element. `@name` is an attribute, `#` the text next to attributes; undefined
 * values are omitted.
 */
export type XmlContent = string | number | boolean | undefined | XmlElements | readonly XmlContent[];
export interface XmlElements {
  readonly [name: string]: XmlContent;
}

/** Characters that XML 1.0 has no notation for, such as control characters. */
const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A reader would take it for the end of a line.
  '\r': '&#xD;',
};

/** Without notation, a character becomes U+FFFD: a client must be able to read the rest. */
const escaped = (text: string): string => text.replace(NOT_XML, '\ufffd').replace(/[&<>"\r]/g, c => escapes[c]!);

/** A document with one root element. */
export const writeXml = (root: XmlElements): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${Object.entries(root)
    .map(([name, content]) => element(name, content))
    .join('')}`;

function element(name: string, content: XmlContent): string {
  if (content === undefined) return '';
  if (isList(content)) return content.map(one => element(name, one)).join('');
  if (typeof content !== 'object') return `<${name}>${escaped(String(content))}</${name}>`;
  let [attributes, inner] = ['', ''];
  for (const [key, value] of Object.entries(content))
    if (key === '#') inner += escaped(String(value));
    else if (!key.startsWith('@')) inner += element(key, value);
    else if (value !== undefined) attributes += ` ${key.slice(1)}="${escaped(String(value))}"`;
  return `<${name}${attributes}>${inner}</${name}>`;
}

/** A parsed document: text, elements by name, or a list of repeated ones. */
export type ParsedXml = string | { readonly [name: string]: ParsedXml } | readonly ParsedXml[];

const NAME = /[\p{L}_:][\p{L}\p{N}\p{M}_:.·-]*/u.source;
const ATTRIBUTES = `(?:\\s+${NAME}\\s*=\\s*(?:"[^<"]*"|'[^<']*'))*\\s*`;
const TOKEN = new RegExp(
  [
    '(?<text>[^<]+)',
    '<!--(?<comment>[^]*?)-->|<\\?[^]*?\\?>',
    '<!\\[CDATA\\[(?<data>[^]*?)\\]\\]>',
    `</(?<end>${NAME})\\s*>`,
    `<(?<start>${NAME})${ATTRIBUTES}(?<empty>/?)>`,
  ].join('|'),
  'uy',
);

/** No document of these protocols has more levels. */
const MAX_DEPTH = 32;

interface OpenElement {
  readonly name: string;
  readonly elements: Record<string, ParsedXml | ParsedXml[]>;
  hasElements: boolean;
  text: string;
}

const open = (name: string): OpenElement => ({ name, elements: Object.create(null), hasElements: false, text: '' });

/** @throws {AwsError} MalformedXML */
export function readXml(text: string): ParsedXml {
  if (text.search(NOT_XML) >= 0) throw malformed('it has characters that XML does not allow');
  const source = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const document = open('');
  const path = [document];
  const close = ({ name, elements, hasElements, text }: OpenElement): void => {
    if (hasElements && text.trim() !== '') throw malformed(`${name} has both text and elements`);
    const local = name.slice(name.indexOf(':') + 1);
    const parent = path.at(-1)!;
    const value = hasElements ? elements : text;
    const before = parent.elements[local];
    parent.elements[local] = before === undefined ? value : isList(before) ? before : [before];
    if (before !== undefined) (parent.elements[local] as ParsedXml[]).push(value);
    parent.hasElements = true;
  };
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const { groups } = TOKEN.exec(source) ?? {};
    if (groups === undefined) throw malformed(`unexpected ${JSON.stringify(source.slice(at, at + 20))}`);
    const inner = path.at(-1)!;
    if (groups.text !== undefined) inner.text += decodeReferences(groups.text);
    else if (groups.data !== undefined) inner.text += groups.data;
    else if (groups.comment?.includes('--')) throw malformed('a comment has two hyphens');
    else if (groups.end !== undefined) {
      if (inner.name !== groups.end) throw malformed(`</${groups.end}> ends <${inner.name}>`);
      path.pop();
      close(inner);
    } else if (groups.start !== undefined) {
      if (path.length === 1 && document.hasElements) throw malformed('it has several root elements');
      if (path.length > MAX_DEPTH) throw malformed(`it has more than ${MAX_DEPTH} levels`);
      const child = open(groups.start);
      if (groups.empty === '') path.push(child);
      else close(child);
    }
  }
  if (path.length > 1) throw malformed(`<${path.at(-1)!.name}> has no end`);
  if (!document.hasElements || document.text.trim() !== '') throw malformed('it is not one element');
  return document.elements;
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** @throws {AwsError} MalformedXML */
const decodeReferences = (text: string): string =>
  text.replace(/&(?:#x([\da-fA-F]{1,8});|#(\d{1,8});|(amp|lt|gt|quot|apos);)?/g, (found, hex, decimal, name) => {
    if (name !== undefined) return named[name as string]!;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : '';
    if (character === '' || character.search(NOT_XML) >= 0) throw malformed(`${found} is not a character`);
    return character;
  });

/** The child elements with a name; none if the parent has no elements. */
export function children(parent: ParsedXml | undefined, name: string): readonly ParsedXml[] {
  const child = typeof parent === 'object' && !isList(parent) ? parent[name] : undefined;
  return child === undefined ? [] : isList(child) ? child : [child];
}

/** The text of the only child element with a name; undefined if it is absent or has child elements. */
export function textOf(parent: ParsedXml | undefined, name: string): string | undefined {
  const [child] = children(parent, name);
  return typeof child === 'string' ? child : undefined;
}

const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value);

const malformed = (why: string): AwsError =>
  new AwsError(
    'MalformedXML',
    `The XML you provided was not well-formed or did not validate against our published schema: ${why}`,
  );
