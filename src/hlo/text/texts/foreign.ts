// Ops of Shardy, casts, and unknown ops.
import type { OpAttributes } from '../../attributes.ts';
import { printAxisNames, printSharding, printShardings } from '../../sharding/shardy-printer.ts';
import { readAxisNames, readSharding, readShardings } from '../../sharding/shardy-reader.ts';
import { formatType, type Type } from '../../types.ts';
import { type Codec, fromText, integer } from '../codecs.ts';
import { assignment, type Form, operands, type Piece, short } from '../form.ts';
import type { Binding } from '../form-text.ts';
import type { Lexer } from '../lexer.ts';
import { given, type OpTexts, withResultTypes, withType } from '../op-text.ts';
import { functional, operandsOnly, type Signature, same } from '../signature.ts';

/** An attribute with its own grammar, which the generic form wraps: `#sdy.sharding<…>` for `<…>`. */
const wrapped = <T>(prefix: string, read: (lexer: Lexer) => T, print: (value: T) => string, suffix = ''): Codec<T> => ({
  read: (node, source) => fromText(node, source, read, prefix, suffix),
  write: value => `${prefix}${print(value)}${suffix}`,
  bare: print,
});

/** ` <@mesh, [{"data"}, {}]>` */
const shardingPiece: Piece = {
  tells: ['sharding'],
  read(reader, draft) {
    const { start } = reader;
    if (!reader.is('<')) reader.fail("a sharding '<@mesh, …>'");
    reader.skipBalanced();
    draft.attributes.set('sharding', { kind: 'opaque', start, end: reader.lastEnd });
  },
  write: (writer, op) => ` ${writer.bare(op, 'sharding')}`,
};

/** ` group_id=0` */
const groupPiece: Piece = {
  tells: ['group_id'],
  read: assignment('group_id', 'group_id').read,
  write: (writer, op) => ` group_id=${writer.bare(op, 'group_id')}`,
};

const manualKeywords = [
  ['in_shardings', '['],
  ['out_shardings', '['],
  ['manual_axes', '{'],
] as const;
const manualTells = new Set<string>(manualKeywords.map(([keyword]) => keyword));
/** `(%0) in_shardings=[…] out_shardings=[…] manual_axes={"x"} (%a: T) { … } : types` */
const manualForm: Form = {
  read(reader, draft) {
    reader.expect('(');
    reader.list(')', () => draft.operands.push(reader.value()));
    for (const [keyword, open] of manualKeywords) {
      reader.expectWord(keyword);
      reader.expect('=');
      const { start } = reader;
      if (!reader.is(open)) reader.fail(`'${open}'`);
      reader.skipBalanced();
      draft.attributes.set(keyword, { kind: 'opaque', start, end: reader.lastEnd });
    }
    const bindings: Binding[] = [];
    reader.expect('(');
    reader.list(')', () => bindings.push(reader.binding()));
    draft.regions.push(reader.region(bindings, { isolated: true }));
    if (reader.is('{')) reader.dictionary(draft.attributes);
    functional.read(reader, draft);
  },
  write(writer, op) {
    const [region] = op.regions;
    if (op.regions.length !== 1) return undefined;
    const values = writer.names(op.operands);
    const told = manualKeywords.map(([keyword]) => `${keyword}=${writer.bare(op, keyword)}`).join(' ');
    const args = region!.args.map(arg => `${writer.argument(arg)}: ${formatType(arg.type)}`).join(', ');
    const block = writer.block(region!, 0, 'sdy.return');
    return `(${values}) ${told} (${args}) ${block}${writer.dictionary(op, manualTells)}${functional.write(op)}`;
  },
};

/** ` : type to type` */
const castTypes: Signature = {
  read(reader, draft) {
    reader.expect(':');
    const { start } = reader;
    const type: Type = reader.type();
    reader.checkTypes(start, draft.operands, [type]);
    reader.expectWord('to');
    draft.resultTypes = [reader.type()];
  },
  write: op =>
    op.operands.length === 1 && op.results.length === 1
      ? ` : ${formatType(op.operands[0].type)} to ${formatType(op.results[0].type)}`
      : undefined,
};

type Manual = OpAttributes['sdy.manual_computation'];
const perValue = wrapped('#sdy.sharding_per_value<', readShardings, printShardings, '>');

const resharding = {
  parts: [given('sharding', 'sharding', wrapped('#sdy.sharding', readSharding, printSharding))],
  form: short([operands, shardingPiece], same),
} as const;

export const foreignTexts: OpTexts<
  | 'sdy.sharding_constraint'
  | 'sdy.reshard'
  | 'sdy.sharding_group'
  | 'sdy.manual_computation'
  | 'tensor.cast'
  | 'unregistered'
> = {
  'sdy.sharding_constraint': resharding,
  'sdy.reshard': resharding,
  'sdy.sharding_group': {
    parts: [given('group_id', 'groupId', integer('i64'))],
    form: short([operands, groupPiece], operandsOnly(true)),
  },
  'sdy.manual_computation': {
    parts: [
      given('in_shardings', 'inShardings', perValue),
      given('manual_axes', 'manualAxes', wrapped('#sdy<manual_axes', readAxisNames, printAxisNames, '>')),
      given('out_shardings', 'outShardings', perValue),
    ],
    derive: op => withResultTypes(op) satisfies Partial<Manual>,
    form: manualForm,
  },
  'tensor.cast': { parts: [], derive: withType, form: short([operands], castTypes) },
  unregistered: {
    parts: [],
    derive: op => ({ name: op.name, properties: op.properties, ...withResultTypes(op) }),
  },
};
