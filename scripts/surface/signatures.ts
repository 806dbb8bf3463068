// The TypeScript signatures of a row, with documentation.

import { groups } from '../../src/tensor/surface/index.ts';
import type { Param } from '../../src/tensor/surface/params.ts';
import { dtypeRules, type Row, type Variant } from '../../src/tensor/surface/row.ts';

export type Place = 'method' | 'inPlace' | 'function';
/** The type of tensors: a type parameter in the abstract class of methods, `Tensor` elsewhere. */
export type TensorName = 'T' | 'Tensor';
type Named = readonly [name: string, param: Param<unknown>];

const pascal = (name: string): string => name[0]!.toUpperCase() + name.slice(1);
const withTensor = (type: string, tensor: TensorName): string => type.replace(/\bT\b/g, tensor);

function paramsOf(row: Row, variant: Variant, place: Place): readonly Named[] {
  return Object.entries(variant.params).filter(([name]) => place === 'function' || name !== row.self);
}
const isByNameOnly = ([, param]: Named): boolean => param.byNameOnly === true;
const isOptional = ([, param]: Named): boolean => param.isOptional;

/** The interface of the named arguments of a variant; undefined if it has none. */
interface NamedArguments {
  readonly name: string;
  readonly params: readonly Named[];
  readonly isGeneric: boolean;
}
function optionsOf(row: Row, variant: Variant): NamedArguments | undefined {
  const params = Object.entries(variant.params).filter(([name, param]) => param.isOptional && name !== row.self);
  if (params.length === 0) return undefined;
  return { name: `${pascal(row.name)}Options${suffix(row, variant)}`, params, isGeneric: mentionsTensor(params) };
}
function suffix(row: Row, variant: Variant): string {
  const i = row.variants.indexOf(variant);
  return i === 0 || row.variants.slice(0, i).every(v => Object.values(v.params).every(p => !p.isOptional))
    ? ''
    : String(i + 1);
}
const mentionsTensor = (params: readonly Named[]): boolean => params.some(([, { type }]) => /\bT\b/.test(type));
const reference = ({ name, isGeneric }: NamedArguments, tensor: TensorName): string =>
  isGeneric ? `${name}<${tensor}>` : name;

/** The interfaces of the options of a row. */
export function optionInterfaces(row: Row): string {
  return row.variants
    .map(variant => optionsOf(row, variant))
    .filter(options => options !== undefined)
    .map(({ name, params, isGeneric }) => {
      const members = params.map(
        ([member, param]) =>
          `  /** ${sentence(param.doc)}${fallback(param)} */\n  readonly ${member}?: ${param.type}${orNull(param)} | undefined;\n`,
      );
      const torch = row.torch[0]!;
      return `/** Named arguments of \`${row.name}\` (${torch}). */\nexport interface ${name}${isGeneric ? '<T>' : ''} {\n${members.join('')}}\n`;
    })
    .join('\n');
}
/** Ported code passes `None` for tensors that are optional. */
const orNull = ({ tensors }: Param<unknown>): string => (tensors === 'one' ? ' | null' : '');
export const sentence = (phrase: string): string => `${pascal(phrase)}${phrase.endsWith('.') ? '' : '.'}`;
function fallback(param: Param<unknown>): string {
  if (param.fallbackText !== undefined) return ` Default: ${param.fallbackText}.`;
  return param.fallback === undefined ? '' : ` Default: ${JSON.stringify(param.fallback)}.`;
}

interface Signature {
  readonly parameters: string;
  readonly result: string;
  readonly documentation: string;
}
/** The overloads of a row. */
export function signatures(row: Row, place: Place, tensor: TensorName): readonly Signature[] {
  return row.variants.flatMap(variant => {
    const params = paramsOf(row, variant, place);
    const result = place === 'inPlace' ? 'this' : resultType(variant, tensor);
    return [
      positional(row, variant, params, tensor),
      byName(row, variant, params, tensor),
      selected(row, variant, params, tensor),
    ]
      .filter(list => list !== undefined)
      .map(({ parameters, names }) => ({ parameters, result, documentation: documented(row, variant, params, names) }));
  });
}
const ordinals = ['first', 'second', 'third', 'fourth'] as const;
export function resultType({ result }: Variant, tensor: TensorName): string {
  if (result === 'tensor') return tensor;
  if (result === 'list') return `${tensor}[]`;
  const tuple = result.map(name => `${name}: ${tensor}`).join(', ');
  const names = result.map((name, i) => `\n/** The ${ordinals[i]} result. */\nreadonly ${name}: ${tensor}`).join(';');
  return `readonly [${tuple}] & {${names} }`;
}

/** The parameters of a signature, and the name of each in its documentation: `options.alpha` within an object. */
export interface ParameterList {
  readonly parameters: string;
  readonly names: ReadonlyMap<string, string>;
}
/** In PyTorch's order; optional ones may also be given by name, in an object at the position of the first omitted one. */
const positional = (row: Row, variant: Variant, params: readonly Named[], tensor: TensorName): ParameterList =>
  positionalOf(optionsOf(row, variant), params, tensor);
function positionalOf(
  options: NamedArguments | undefined,
  params: readonly Named[],
  tensor: TensorName,
): ParameterList {
  const names = new Map<string, string>();
  const type = (param: Param<unknown>): string => withTensor(param.type, tensor);
  const list: string[] = [];
  for (const [name, param] of params.filter(entry => !isByNameOnly(entry))) {
    names.set(name, name);
    if (param.isVariadic)
      list.push(`...${name}: ${variadic(type(param), params.some(isByNameOnly) && reference(options!, tensor))}`);
    else if (!param.isOptional) list.push(`${name}: ${type(param)}`);
    else if (params.some((_, i) => isLate(params, i))) list.push(`${name}: ${type(param)} | null | undefined`);
    else list.push(`${name}?: ${type(param)}${orNull(param)} | ${reference(options!, tensor)} | undefined`);
  }
  const isVariadic = params.some(([, param]) => param.isVariadic);
  if (params.some(isByNameOnly) && !isVariadic) {
    list.push(`options?: ${reference(options!, tensor)}`);
    for (const [name] of params.filter(isByNameOnly)) names.set(name, `options.${name}`);
  }
  return { parameters: list.join(', '), names };
}
/** Sizes as an array or as separate arguments, followed by options if there are any. */
const variadic = (type: string, options: string | false): string =>
  options === false ? type : `${type} | readonly [readonly number[], ${options}?] | readonly [...number[], ${options}]`;
/** Whether a parameter that must be given follows one that may be left out, such as an option that selects the overload. */
const isLate = (params: readonly Named[], i: number): boolean =>
  !isOptional(params[i]!) && params.slice(0, i).some(isOptional);
/** The option that selects the overload by name, as in `maxPool2d(x, 2, { returnIndices: true })`. */
function selected(row: Row, variant: Variant, params: readonly Named[], tensor: TensorName): ParameterList | undefined {
  const selectors = params.filter(entry => entry[1].type === 'true' && !isOptional(entry));
  if (selectors.length === 0) return undefined;
  const first = params.findIndex(entry => isOptional(entry) || selectors.includes(entry));
  return byNameOf(optionsOf(row, variant), params, tensor, first, selectors);
}
/** Required arguments by name too, if they are not only tensors. */
function byName(row: Row, variant: Variant, params: readonly Named[], tensor: TensorName): ParameterList | undefined {
  const firstPlain = params.findIndex(([, param]) => !param.isOptional && !/\bT\b/.test(param.type));
  const required = params.slice(firstPlain).filter(entry => !isOptional(entry));
  if (firstPlain < 0 || required.some(([, param]) => param.isVariadic)) return undefined;
  const options = optionsOf(row, variant);
  return byNameOf(options, params, tensor, firstPlain, required);
}
function byNameOf(
  options: NamedArguments | undefined,
  params: readonly Named[],
  tensor: TensorName,
  firstPlain: number,
  required: readonly Named[],
): ParameterList {
  const lead = params.slice(0, firstPlain).map(([name, param]) => `${name}: ${withTensor(param.type, tensor)}`);
  const named = required.map(([name, param]) => `readonly ${name}: ${withTensor(param.type, tensor)}`).join('; ');
  const type = `{ ${named} }${options === undefined ? '' : ` & ${reference(options, tensor)}`}`;
  const names = params.map(([name], i) => [name, i < firstPlain ? name : `named.${name}`] as const);
  return { parameters: [...lead, `named: ${type}`].join(', '), names: new Map(names) };
}

/** The constructors of a module of a row, and the interface of their named settings. */
export function moduleSignatures(
  name: string,
  params: readonly Named[],
): { readonly constructors: readonly ParameterList[]; readonly settings: string } {
  const optional = params.filter(isOptional);
  const options = optional.length === 0 ? undefined : { name: `${name}Settings`, params: optional, isGeneric: false };
  const required = params.filter(entry => !isOptional(entry));
  const lists = [positionalOf(options, params, 'Tensor')];
  if (required.length > 0) lists.push(byNameOf(options, params, 'Tensor', 0, required));
  const members = optional.map(
    ([member, param]) =>
      `  /** ${sentence(param.doc)}${fallback(param)} */\n  readonly ${member}?: ${withTensor(param.type, 'Tensor')}${orNull(param)} | undefined;\n`,
  );
  const settings =
    options === undefined
      ? ''
      : `/** Settings of \`${name}\`. */\nexport interface ${options.name} {\n${members.join('')}}\n`;
  return { constructors: lists, settings };
}
/** Lines on parameters. */
export const parameterLines = (params: readonly Named[], names: ReadonlyMap<string, string>): string[] =>
  params
    .filter(([name]) => names.has(name))
    .map(([name, param]) => `@param ${names.get(name)} - ${sentence(param.doc)}${fallback(param)}`);

/** The title of the group of a row: functions are listed under it. */
const topicOf = (row: Row): string => groups.find(({ rows }) => Object.values(rows).includes(row))!.title;

/** The documentation of a signature. */
function documented(row: Row, variant: Variant, params: readonly Named[], names: ReadonlyMap<string, string>): string {
  const lines = [row.summary, ...(row.details === undefined ? [] : ['', row.details])];
  if (row.differs !== undefined) lines.push('', `Differs from PyTorch: ${row.differs}`);
  lines.push('', `PyTorch: ${row.torch.map(name => `\`${name}\``).join(', ')}.`, '');
  lines.push(...parameterLines(params, names));
  lines.push(`@returns ${returned(row, variant)}`);
  for (const code of ['WRONG_ARGUMENT', 'UNKNOWN_ARGUMENT', ...row.throws]) lines.push(`@throws {${code}}`);
  lines.push(`@category ${topicOf(row)}`);
  return comment(lines, ['@example', ...row.example.split('\n')]);
}
function returned(row: Row, { result }: Variant): string {
  if (result === 'tensor') return `${row.shape}; ${dtypeRules[row.dtype]}`;
  if (result === 'list') return `A list: ${row.shape}; ${dtypeRules[row.dtype]}`;
  return `${result.map(name => `\`${name}\``).join(' and ')}, by name or in this order: ${row.shape}`;
}
/** A documentation comment, wrapped at 120 columns; `code` after it is not. */
export function comment(lines: readonly string[], code: readonly string[] = []): string {
  const broken = lines.flatMap(line => {
    const out: string[] = [];
    let rest = line;
    while (rest.length > 112) {
      const at = rest.lastIndexOf(' ', 112);
      if (at <= 0) break;
      out.push(rest.slice(0, at));
      rest = rest.slice(at + 1);
    }
    return [...out, rest];
  });
  return `/**\n${[...broken, ...code].map(line => ` * ${line}`.trimEnd()).join('\n')}\n */`;
}
