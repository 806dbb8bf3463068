// Short forms of ops, composed of pieces that can each be read and written:
//
//   stablehlo.broadcast_in_dim %0, dims = [1] {mhlo.note = "x"} : (tensor<3xf32>) -> tensor<2x3xf32>
//                             ╰operands╯╰─clauses─╯╰─dictionary─╯ ╰────────────signature───────────╯
import type { Op } from '../program.ts';
import type { Draft, FormReader, FormWriter } from './form-text.ts';
import { tokens } from './lexer.ts';
import type { Signature } from './signature.ts';

export interface Form {
  /** Reads what follows the name of the op. */
  read(reader: FormReader, draft: Draft): void;
  /** The text after the name of the op; undefined if this op does not fit the form. */
  write(writer: FormWriter, op: Op): string | undefined;
}

export interface Piece {
  /** MLIR's names of the attributes that it covers: they are left out of the dictionary. */
  readonly tells: readonly string[];
  read(reader: FormReader, draft: Draft): void;
  /** Undefined if the piece cannot express this op. */
  write(writer: FormWriter, op: Op): string | undefined;
}

/** A form of pieces, then a dictionary of the other attributes, then types. */
export function short(pieces: readonly Piece[], signature: Signature): Form {
  const told = new Set(pieces.flatMap(piece => piece.tells));
  return {
    read(reader, draft) {
      for (const piece of pieces) piece.read(reader, draft);
      if (reader.is('{')) reader.dictionary(draft.attributes);
      signature.read(reader, draft);
    },
    write(writer, op) {
      const types = signature.write(op);
      if (types === undefined) return undefined;
      const texts = pieces.map(piece => piece.write(writer, op));
      if (texts.includes(undefined)) return undefined;
      return `${texts.join('')}${writer.dictionary(op, told)}${types}`;
    },
  };
}

/** ` %0, %1` */
export const operands: Piece = {
  tells: [],
  read(reader, draft) {
    if (reader.kind !== tokens.value) return;
    do {
      draft.operands.push(reader.value());
      // The comma may belong to the next piece.
    } while (reader.takeCommaBeforeValue());
  },
  write: (writer, op) => (op.operands.length === 0 ? '' : ` ${writer.names(op.operands)}`),
};
/** `(%0, %1)` */
export const operandsInParentheses: Piece = {
  tells: [],
  read(reader, draft) {
    reader.expect('(');
    reader.list(')', () => draft.operands.push(reader.value()));
  },
  write: (writer, op) => `(${writer.names(op.operands)})`,
};

const readBare = (reader: FormReader, draft: Draft, attribute: string): void => {
  if (draft.attributes.has(attribute)) reader.fail(`'${attribute}' once`);
  draft.attributes.set(attribute, reader.bareAttribute());
};

/** `, dims = [1], lower = true`: the form allows each clause to be missing. */
export function clauses(list: Readonly<Record<string, string>>): Piece {
  const entries = Object.entries(list);
  return {
    tells: Object.values(list),
    read(reader, draft) {
      while (reader.take(',')) {
        const attribute = reader.kind === tokens.word ? list[reader.tokenText()] : undefined;
        if (attribute === undefined) return reader.fail(entries.map(([keyword]) => `'${keyword}'`).join(' or '));
        reader.next();
        reader.expect('=');
        readBare(reader, draft, attribute);
      }
    },
    write: (writer, op) =>
      entries
        .map(([keyword, attribute]) => {
          const value = writer.bare(op, attribute);
          return value === undefined ? '' : `, ${keyword} = ${value}`;
        })
        .join(''),
  };
}
/** ` dim = 0` */
export function assignment(keyword: string, attribute: string): Piece {
  return {
    tells: [attribute],
    read(reader, draft) {
      reader.expectWord(keyword);
      reader.expect('=');
      readBare(reader, draft, attribute);
    },
    write: (writer, op) => ` ${keyword} = ${writer.bare(op, attribute)}`,
  };
}
/** The value of an attribute alone, between two punctuation strings: `[0]`, ` LT,`. */
export function attributeValue(attribute: string, before: string, after: string): Piece {
  const pass = (reader: FormReader, text: string): void => {
    for (const char of text.trim()) reader.expect(char);
  };
  return {
    tells: [attribute],
    read(reader, draft) {
      pass(reader, before);
      readBare(reader, draft, attribute);
      pass(reader, after);
    },
    write: (writer, op) => `${before}${writer.bare(op, attribute)}${after}`,
  };
}
/** ` @name` */
export function symbolValue(attribute: string): Piece {
  return {
    tells: [attribute],
    read(reader, draft) {
      if (reader.kind !== tokens.symbol) reader.fail("a symbol such as '@main'");
      readBare(reader, draft, attribute);
    },
    write: (writer, op) => ` ${writer.bare(op, attribute)}`,
  };
}
/** `, SIGNED`, or nothing. */
export function trailing(attribute: string): Piece {
  return {
    tells: [attribute],
    read(reader, draft) {
      if (reader.take(',')) readBare(reader, draft, attribute);
    },
    write(writer, op) {
      const value = writer.bare(op, attribute);
      return value === undefined ? '' : `, ${value}`;
    },
  };
}
