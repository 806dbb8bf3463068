// XML documents of requests and responses. Document type declarations are rejected, so nothing can be expanded or fetched.
import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { AwsError } from './aws-error.ts';

/** Text, or elements by name; a list repeats the element. `@name` is an attribute; undefined values are omitted. */
export type XmlContent = string | number | boolean | undefined | XmlElements | readonly XmlContent[];
export interface XmlElements {
  readonly [name: string]: XmlContent;
}

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', suppressEmptyNode: false });

/** A document with one root element. */
export const writeXml = (root: XmlElements): string => `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(root)}`;

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: true,
  htmlEntities: false,
});

/** A parsed document: text, elements by name, or a list of repeated ones. */
export type ParsedXml = string | { readonly [name: string]: ParsedXml } | readonly ParsedXml[];

/** @throws {AwsError} MalformedXML */
export function readXml(text: string): ParsedXml {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw malformed('document type declarations are not accepted');
  try {
    return parser.parse(text, true) as ParsedXml;
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : String(error));
  }
}

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

const isList = (value: ParsedXml): value is readonly ParsedXml[] => Array.isArray(value);

const malformed = (why: string): AwsError =>
  new AwsError(
    'MalformedXML',
    `The XML you provided was not well-formed or did not validate against our published schema: ${why}`,
  );
