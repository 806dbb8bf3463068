// Control flow, calls, tuples and tokens.
import { zip } from '../../../base/zip.ts';
import { type OpAttributes, textsOfCustomCall } from '../../attributes.ts';
import type { Value } from '../../program.ts';
import { sameType, type Type } from '../../types.ts';
import { anyText, boolean, integer, listOf, string, stringOrSymbol, symbolName } from '../codecs.ts';
import { attributeValue, type Form, operands, operandsInParentheses, short, symbolValue } from '../form.ts';
import type { Binding } from '../form-text.ts';
import { tokens } from '../lexer.ts';
import { given, type OpTexts, optional, type Part, unless, withResultTypes } from '../op-text.ts';
import { formatTypes, functional, resultsOnly, tupleOfOperands } from '../signature.ts';
import { quoted } from '../strings.ts';
import type { OpSyntax, SyntaxSource } from '../syntax.ts';
import { plain } from './elementwise.ts';

/** `(%x = %0, %y = %1) : T, U cond { … } do { … }`: the two regions name their arguments alike. */
const whileForm: Form = {
  read(reader, draft) {
    const names: { readonly name: string; readonly at: number }[] = [];
    reader.expect('(');
    reader.list(')', () => {
      names.push({ at: reader.start, name: reader.takeText(tokens.value, "a value such as '%iterArg'") });
      reader.expect('=');
      draft.operands.push(reader.value());
    });
    const types: Type[] = [];
    if (names.length > 0) {
      reader.expect(':');
      const { start } = reader;
      do types.push(reader.type());
      while (reader.take(','));
      reader.checkTypes(start, draft.operands, types);
    }
    draft.resultTypes = types;
    if (reader.takeWord('attributes')) reader.dictionary(draft.attributes);
    const bindings = names.map(({ name, at }, i): Binding => ({ name, at, type: types[i]! }));
    reader.expectWord('cond');
    draft.regions.push(reader.region(bindings));
    reader.expectWord('do');
    draft.regions.push(reader.region(bindings));
  },
  write(writer, op) {
    const [cond, body] = op.regions;
    const alike = (values: readonly Value[]): boolean =>
      values.length === op.operands.length && zip(values, op.operands).every(([v, x]) => sameType(v.type, x.type));
    if (op.regions.length !== 2 || ![cond!.args, body!.args, op.results].every(alike)) return undefined;
    const initial = op.operands.map(v => writer.names([v]));
    const names = body!.args.map(arg => writer.argument(arg));
    const list = names.map((name, i) => `${name} = ${initial[i]}`).join(', ');
    const types = op.operands.length === 0 ? '' : ` : ${formatTypes(op.operands.map(v => v.type))}`;
    const dictionary = writer.dictionary(op, none);
    const rest = dictionary === '' ? '' : ` attributes${dictionary}`;
    const pad = `${writer.pad}  `;
    writer.renamed(cond!.args, names);
    const regions = `cond ${writer.block(cond!, 1)} do ${writer.block(body!, 1)}`;
    return `(${list})${types}${rest}\n${pad}${regions}`;
  },
};
const none: ReadonlySet<string> = new Set();

/** Attributes of a custom call that are kept as text. */
const moreParts = textsOfCustomCall.map(
  (name): Part<OpAttributes['custom_call']> => ({
    name,
    read: () => ({}),
    write: attributes => attributes.more?.[name],
    bare: attributes => attributes.more?.[name],
  }),
);
function withMore(op: OpSyntax, source: SyntaxSource): Pick<OpAttributes['custom_call'], 'more'> {
  const found = textsOfCustomCall.flatMap(name => {
    const node = op.attributes.get(name);
    return node === undefined ? [] : [[name, source.textOf(node)] as const];
  });
  return found.length === 0 ? {} : { more: Object.fromEntries(found) };
}
/** A string; a dictionary from API version 4 on. */
const writeConfig = ({ backendConfig, apiVersion }: OpAttributes['custom_call']): string | undefined =>
  backendConfig === '' ? undefined : apiVersion === 4 ? backendConfig : quoted(backendConfig);
const backendConfig: Part<OpAttributes['custom_call']> = {
  name: 'backend_config',
  read(node, op, source) {
    if (node === undefined) return { backendConfig: '' };
    const version = op.attributes.get('api_version');
    if (version?.kind !== 'integer' || Number(version.digits) !== 4)
      return { backendConfig: string.read(node, source) };
    if (node.kind !== 'dictionary') return source.refuse(node.start, 'a dictionary, as required by API version 4');
    return { backendConfig: source.textOf(node) };
  },
  write: writeConfig,
  bare: writeConfig,
};

type Names =
  | 'while'
  | 'if'
  | 'case'
  | 'func.call'
  | 'custom_call'
  | 'composite'
  | 'tuple'
  | 'get_tuple_element'
  | 'after_all'
  | 'create_token'
  | 'infeed'
  | 'outfeed'
  | 'async_start'
  | 'async_done';

export const controlTexts: OpTexts<Names> = {
  while: { parts: [], form: whileForm },
  if: { parts: [] },
  case: { parts: [] },
  'func.call': {
    parts: [given('callee', 'callee', symbolName)],
    derive: withResultTypes,
    form: short([symbolValue('callee'), operandsInParentheses], functional),
  },
  custom_call: {
    parts: [
      optional('api_version', 'apiVersion', integer('i32')),
      backendConfig,
      given('call_target_name', 'callTargetName', stringOrSymbol),
      optional('called_computations', 'calledComputations', listOf(symbolName, 'a list of symbols')),
      unless('has_side_effect', 'hasSideEffect', boolean, false),
      ...moreParts,
    ],
    derive: (op, source) => ({ ...withResultTypes(op), ...withMore(op, source) }),
    form: short([symbolValue('call_target_name'), operandsInParentheses], functional),
  },
  composite: {
    parts: [
      unless('composite_attributes', 'compositeAttributes', anyText, '{}'),
      given('decomposition', 'decomposition', symbolName),
      given('name', 'name', string),
      unless('version', 'version', integer('i32'), 0),
    ],
    derive: withResultTypes,
    form: short([attributeValue('name', ' ', ''), operands], functional),
  },
  tuple: { parts: [], form: short([operands], tupleOfOperands) },
  get_tuple_element: {
    parts: [given('index', 'index', integer('i32'))],
    form: short([operands, attributeValue('index', '[', ']')], functional),
  },
  after_all: plain,
  create_token: { parts: [], form: short([], resultsOnly) },
  infeed: {
    parts: [unless('infeed_config', 'infeedConfig', string, ''), optional('layout', 'layout', anyText)],
    derive: withResultTypes,
  },
  outfeed: { parts: [unless('outfeed_config', 'outfeedConfig', string, '')] },
  async_start: { parts: [] },
  async_done: { parts: [] },
};
