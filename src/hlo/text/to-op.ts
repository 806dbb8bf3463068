// Converts syntax to a typed op: known attributes by their descriptions, others stored as text.
import type { DiscardableAttributes, OpName } from '../attributes.ts';
import type { Op, Region, Value } from '../program.ts';
import { withoutSharding } from '../sharding/stated.ts';
import type { OpText } from './op-text.ts';
import { opTexts } from './op-texts.ts';
import type { AttributeSyntax, OpSyntax, SyntaxSource } from './syntax.ts';

const none = {};
const noRegions: readonly Region[] = [];

/** The op that syntax describes. Attributes that are missing or of the wrong kind are rejected; types are not inferred. */
export function toOp(name: OpName, syntax: OpSyntax, source: SyntaxSource, nextId: () => number): Op {
  const text: OpText<object> = opTexts[name];
  let attributes: object | undefined = text.derive?.(syntax, source);
  for (const part of text.parts) {
    const some = part.read(syntax.attributes.get(part.name), syntax, source);
    attributes = attributes === undefined ? some : { ...attributes, ...some };
  }
  const discardable = others(syntax, text, source);
  // A program has many small arrays, so they are trimmed to their length before they are stored.
  const count = syntax.resultTypes.length;
  const results = new Array<Value>(count);
  const op = {
    name,
    operands: syntax.operands.slice(),
    attributes: attributes ?? none,
    regions: syntax.regions.length === 0 ? noRegions : syntax.regions.slice(),
    results,
    location: syntax.location,
    ...withoutSharding(discardable, 'op'),
  } as unknown as Op;
  for (let index = 0; index < count; index++)
    results[index] = { id: nextId(), type: syntax.resultTypes[index]!, op, index };
  return op;
}

/** The context that is not part of the op. */
function others(syntax: OpSyntax, text: OpText<object>, source: SyntaxSource): DiscardableAttributes | undefined {
  if (syntax.attributes.size === 0) return undefined;
  let rest: Map<string, AttributeSyntax> | undefined;
  for (const [name, node] of syntax.attributes) {
    if (text.parts.some(part => part.name === name)) continue;
    rest ??= new Map();
    rest.set(name, node);
  }
  return rest === undefined ? undefined : textsOf(rest, source);
}
export function textsOf(attributes: OpSyntax['attributes'], source: SyntaxSource): DiscardableAttributes {
  return Object.fromEntries(
    [...attributes].map(([name, node]) => [name, node.kind === 'unit' ? '' : source.textOf(node)]),
  );
}
