// Locations: `loc("model.py":3:7)`, possibly nested in names, call sites and other locations. Only the innermost file position
// is used.
import type { SourceLocation } from '../../base/errors.ts';
import type { AttributeReader } from './attribute-reader.ts';
import { tokens } from './lexer.ts';
import { unquote } from './strings.ts';

export interface LocationReader {
  /** Reads `loc(…)`. */
  read(): SourceLocation | undefined;
}

export function locationReader(reader: AttributeReader): LocationReader {
  const aliases = new Map<string, SourceLocation | undefined>();

  function wrapped(): SourceLocation | undefined {
    reader.expectWord('loc');
    reader.expect('(');
    const place = reader.nested(inner);
    reader.expect(')');
    return place;
  }
  function inner(): SourceLocation | undefined {
    switch (reader.kind) {
      case tokens.string:
        return named();
      case tokens.attribute:
        return aliased();
      case tokens.word:
        break;
      default:
        return reader.fail('a location');
    }
    if (reader.isWord('loc')) return wrapped();
    if (reader.takeWord('unknown')) return undefined;
    if (reader.takeWord('callsite')) {
      reader.expect('(');
      const callee = reader.nested(inner);
      reader.expectWord('at');
      const caller = reader.nested(inner);
      reader.expect(')');
      return callee ?? caller;
    }
    if (reader.takeWord('fused')) {
      if (reader.is('<')) reader.skipBalanced();
      reader.expect('[');
      let first: SourceLocation | undefined;
      reader.list(']', () => {
        const place = reader.nested(inner);
        first ??= place;
      });
      return first;
    }
    return reader.fail('a location');
  }
  /** `"file":1:2`, `"file":1:2 to 3:4`, `"name"` or `"name"(location)`. */
  function named(): SourceLocation | undefined {
    const file = unquote(reader.tokenText());
    reader.next();
    if (reader.take(':')) {
      const line = reader.integer('a line');
      const column = reader.take(':') ? reader.integer('a column') : 0;
      if (reader.takeWord('to')) {
        if (reader.kind === tokens.integer) reader.next();
        if (reader.take(':')) reader.integer('a column');
      }
      return { file, line, column };
    }
    if (!reader.take('(')) return undefined;
    const place = reader.nested(inner);
    reader.expect(')');
    return place;
  }
  function aliased(): SourceLocation | undefined {
    const name = reader.tokenText();
    if (!aliases.has(name)) {
      let place: SourceLocation | undefined;
      const known = reader.alias(() => {
        place = wrapped();
        return true;
      });
      if (known === undefined) reader.fail('a location, or the alias of one');
      aliases.set(name, place);
      return place;
    }
    reader.next();
    return aliases.get(name);
  }
  return { read: wrapped };
}
