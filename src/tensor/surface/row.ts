// A row of the tensor-surface table: one function of PyTorch, under all of its names and forms. Methods, free functions, in-place
// variants, types, documentation and tests are generated from rows.
import type { ErrorCode } from '../../base/error-catalog.ts';
import type { Builder } from '../../hlo/builder.ts';
import type { Value } from '../../hlo/program.ts';
import type { Device } from '../device.ts';
import type { RecordOptions } from '../record.ts';
import type { Trace } from '../step/trace.ts';
import type { TensorInit } from '../tensor-core.ts';
import type { Traced } from '../traced.ts';
import type { ViewKind } from '../views/view.ts';
import { type ArgumentsOf, type Param, type Params, snakeCase, type TensorArgumentsOf } from './params.ts';
import { type Signature, signatureOf } from './signature.ts';

/** The data type of the result. */
export const dtypeRules = {
  same: 'the data type of the input',
  float: 'the data type of the input; float32 for integers and booleans',
  promoted: 'the promoted data type of the operands',
  promotedFloat: 'the promoted data type of the operands; float32 for integers and booleans',
  quotient: 'the promoted data type of the operands; float32 for integers and booleans unless the quotient is rounded',
  boolean: 'bool',
  part: 'the real type of a complex input, or that of the input',
  floatPart: 'the real type of a complex input, or that of the input; float32 for integers and booleans',
  complex: 'the complex type of the input',
  index: 'int64',
  indexOfWidth: 'int64; int32 with `outInt32`',
  total: 'the data type of the input; int64 for integers and booleans',
  given: 'the requested data type',
} as const;
export type DTypeRule = keyof typeof dtypeRules;

/**
 * Whether gradients flow: smooth; almost everywhere (kinks and jumps have PyTorch's gradients); or not at all,
 * because the result is a boolean, an index or a copy.
 */
export type Gradient = 'smooth' | 'almost everywhere' | 'none';

/**
 * `method` x.f(), `function` f(x), `inPlace` x.f_(), `functional` nn.functional.f(x); `linalg`, `fft` and `special` are
 * namespaces, in which a function has the last part of PyTorch's name: linalg.solve(x, y).
 */
export type Form = 'method' | 'function' | 'inPlace' | 'functional' | Namespace;
export const namespaces = ['linalg', 'fft', 'special'] as const;
export type Namespace = (typeof namespaces)[number];
/** The name of a row in a namespace: `norm` for `torch.linalg.norm`. */
export function nameIn(namespace: Namespace, row: Row): string {
  const path = `torch.${namespace}.`;
  const found = row.torch.find(name => name.startsWith(path)) ?? row.name;
  return found.replace(path, '').replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Where a lowering records to. `stop`: no gradient flows through this value. */
export interface Context {
  readonly b: Builder;
  readonly trace: Trace;
  readonly device: Device;
  readonly stop: (value: Value) => void;
}

/** Creates results that need no tensor of the caller. */
export interface Maker {
  readonly make: (init: TensorInit) => Traced;
}
/** `lower` appends the ops that compute the results; `run` makes them by other calls, such as uploads of new tensors. */
export type Computation =
  | { readonly kind: 'lower'; readonly lower: (context: Context, args: never) => Value | readonly Value[] }
  | { readonly kind: 'run'; readonly run: (maker: Maker, args: never) => Traced | readonly Traced[] };

/** One way to call a function: PyTorch's overloads are variants of a row. */
export interface Variant {
  readonly params: Params;
  /** The results: one tensor, a list of them, or some with names (`values`, `indices`). */
  readonly result: 'tensor' | 'list' | readonly string[];
  readonly computation: Computation;
}

/** The module form of a row: arguments that are not settings are passed to `forward`. */
export interface ModuleForm {
  /** The class in `nn`, named as PyTorch's. */
  readonly name: string;
  /** TypeScript that makes one and calls it, with the result after `// `. */
  readonly example: string;
  /** The arguments of the constructor, in PyTorch's order: parameters of the row. */
  readonly settings: readonly string[];
  /** Defaults of settings that differ from the row's. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Which settings are printed, in this order. */
  readonly prints?: readonly string[];
  /** Settings are printed without their names. */
  readonly isBare?: boolean;
  /** The constructor takes `inplace`, which changes nothing: the compiler plans memory. */
  readonly inplace?: boolean;
  /** The row has `training`, which is the module's. */
  readonly training?: boolean;
}

export interface Row {
  /** camelCase of PyTorch's name. */
  readonly name: string;
  /** PyTorch's spellings, the one that tests call first: `torch.sum`, `Tensor.sum`. */
  readonly torch: readonly string[];
  /** Other names here, for PyTorch's aliases: `subtract` for `sub`. */
  readonly aliases: readonly string[];
  readonly forms: readonly Form[];
  /** One sentence. */
  readonly summary: string;
  /** Additional remarks. */
  readonly details: string | undefined;
  /** The shape of the result, as a phrase. */
  readonly shape: string;
  readonly dtype: DTypeRule;
  readonly gradient: Gradient;
  readonly throws: readonly ErrorCode[];
  /** A few lines of TypeScript, with their results after `// `: tests run them (test/api). */
  readonly example: string;
  /** The parameter that is `this` in the method; the first by default. */
  readonly self: string;
  /** An intended difference from PyTorch's contract, with the reason. */
  readonly differs: string | undefined;
  /**
   * Results (by number) whose entries along a dim (-1 columns, -2 rows) may have either sign, the same in each of them: tests
   * compare eigenvectors up to it.
   */
  readonly freeSigns: readonly (readonly [result: number, dim: -1 | -2])[];
  /** Tensors whose gradient is not compared with PyTorch's, which has none or a different one (see `differs`). */
  readonly uncompared: readonly string[];
  /** The modules that are this function with settings. */
  readonly modules: readonly ModuleForm[];
  /** The results share the elements of the first tensor; `reshape`: where PyTorch would not copy. */
  readonly view: ViewKind | undefined;
  readonly variants: readonly [Variant, ...Variant[]];
  /** The signatures of the variants, in order. */
  readonly signatures: readonly Signature[];
  /** How its calls are recorded; undefined for the usual way. */
  readonly recorded: RecordOptions | undefined;
}

type Optional =
  | 'freeSigns'
  | 'uncompared'
  | 'modules'
  | 'view'
  | 'aliases'
  | 'details'
  | 'throws'
  | 'self'
  | 'differs'
  | 'name'
  | 'torch'
  | 'variants'
  | 'signatures'
  | 'recorded';
type Facts = Omit<Row, Optional> &
  Partial<
    Pick<
      Row,
      'torch' | 'freeSigns' | 'uncompared' | 'modules' | 'view' | 'aliases' | 'details' | 'throws' | 'self' | 'differs'
    >
  >;
type Shorthand<P extends Params> = Omit<Variant, 'params' | 'result' | 'computation'> & {
  readonly params: P;
  readonly result?: Variant['result'];
  readonly lower: (context: Context, args: ArgumentsOf<P>) => Value | readonly Value[];
};
type RunShorthand<P extends Params> = Omit<Shorthand<P>, 'lower'> & {
  readonly run: (maker: Maker, args: TensorArgumentsOf<P>) => Traced | readonly Traced[];
};
/** PyTorch's spellings are those of the name, in each of the forms, if there are no others. */
export type UnnamedRow = Omit<Row, 'name' | 'torch'> & { readonly torch: Row['torch'] | undefined };

export const variant = <P extends Params>({ params, result = 'tensor', lower }: Shorthand<P>): Variant => ({
  params,
  result,
  computation: { kind: 'lower', lower },
});
/** A variant that computes its results by other calls. */
const runVariant = <P extends Params>({ params, result = 'tensor', run }: RunShorthand<P>): Variant => ({
  params,
  result,
  computation: { kind: 'run', run },
});
const unnamed = (facts: Facts, variants: Row['variants']): UnnamedRow => {
  const self = facts.self ?? Object.keys(variants[0].params)[0]!;
  return {
    torch: facts.torch,
    aliases: facts.aliases ?? [],
    forms: facts.forms,
    summary: facts.summary,
    details: facts.details,
    shape: facts.shape,
    dtype: facts.dtype,
    gradient: facts.gradient,
    throws: facts.throws ?? [],
    example: facts.example,
    self,
    differs: facts.differs,
    freeSigns: facts.freeSigns ?? [],
    uncompared: facts.uncompared ?? [],
    modules: facts.modules ?? [],
    view: facts.view,
    variants,
    signatures: variants.map(({ params }) => signatureOf(params, self)),
    recorded:
      facts.gradient === 'none' || facts.view !== undefined
        ? { differentiable: facts.gradient !== 'none', view: facts.view }
        : undefined,
  };
};
/** A row that is called in one way. */
export const row = <P extends Params>(facts: Facts & Shorthand<P>): UnnamedRow => unnamed(facts, [variant(facts)]);
/** A row without overloads, whose results are made by other calls. */
export const runRow = <P extends Params>(facts: Facts & RunShorthand<P>): UnnamedRow =>
  unnamed(facts, [runVariant(facts)]);
/** A row with several overloads; the first that matches the arguments is used. */
export const overloaded = (facts: Facts & { readonly variants: Row['variants'] }): UnnamedRow =>
  unnamed(facts, facts.variants);

/** PyTorch's spellings of functions that are methods too. */
export const spellings = (...names: readonly string[]): string[] =>
  names.flatMap(name => [`torch.${name}`, `Tensor.${name}`]);

function torchNames(name: string, forms: readonly Form[]): readonly string[] {
  const places = [
    ['function', 'torch'],
    ['method', 'Tensor'],
    ['functional', 'torch.nn.functional'],
  ] as const;
  return places.flatMap(([form, place]) => (forms.includes(form) ? [`${place}.${snakeCase(name)}`] : []));
}
/** A group of rows, which take their names from the keys, and PyTorch's too where it has just those. */
export function group<G extends Readonly<Record<string, UnnamedRow>>>(rows: G): { readonly [K in keyof G]: Row } {
  const named = Object.entries(rows).map(([name, rest]) => [
    name,
    { name, ...rest, torch: rest.torch ?? torchNames(name, rest.forms) },
  ]);
  return Object.fromEntries(named) as { readonly [K in keyof G]: Row };
}
export type { Param, Params };
