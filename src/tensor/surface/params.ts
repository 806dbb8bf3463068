// The kinds of parameters of rows: the accepted arguments, their text in messages and TypeScript, and the value that a lowering
// gets. In the lowering, a tensor argument is a value of the program.
import type { Value } from '../../hlo/program.ts';
import { type ElementType, isContinuous } from '../../hlo/types.ts';
import { deviceNamed, isScalar } from '../check-arguments.ts';
import { Device } from '../device.ts';
import { deviceFrom } from '../devices.ts';
import type { Operand, Scalar } from '../lower/elementwise.ts';
import { Generator } from '../random/generator.ts';
import { Traced } from '../traced.ts';
import { type DType, elementTypeOf, isDType } from '../types/dtype.ts';

/** `T`: the type that a lowering receives. */
export interface Param<T> {
  /** Its description, as a phrase: `the dims to reduce; all of them by default`. */
  readonly doc: string;
  /** The accepted values, for messages: `an integer`. */
  readonly expected: string;
  /** The accepted type, as TypeScript: `T` is the class of tensors. */
  readonly type: string;
  readonly accepts: (value: unknown) => boolean;
  /** Converts the given value to the one that a lowering receives. */
  readonly convert?: (value: never) => unknown;
  /** Whether a value may be a tensor, or a list of them. */
  readonly tensors: 'none' | 'one' | 'many';
  readonly isOptional: boolean;
  readonly fallback?: unknown;
  /** The default in words, if it is not a JavaScript value. */
  readonly fallbackText?: string;
  /** Given by name only, as in PyTorch. */
  readonly byNameOnly?: boolean;
  /** Sizes may be given one by one: `x.view(2, 3)`. */
  readonly isVariadic?: boolean;
  /** PyTorch's spelling, where it is not the snake_case of the name. */
  readonly torch?: string;
  /** The fix for a value that is not accepted; `expected` by default. */
  readonly adviceFor?: (value: unknown) => string;
  /** Never set: carries the type. */
  readonly value?: T;
}
export type Params = Readonly<Record<string, Param<unknown>>>;
type ValueOf<P> = P extends Param<infer T> ? T : never;
/** The arguments of a lowering with these parameters. */
export type ArgumentsOf<P extends Params> = { readonly [K in keyof P]: ValueOf<P[K]> };

type TensorFor<T> = T extends Value ? Traced : T extends readonly Value[] ? readonly Traced[] : T;
/** The arguments of a row that computes its results by other calls: the tensors themselves. */
export type TensorArgumentsOf<P extends Params> = { readonly [K in keyof P]: TensorFor<ValueOf<P[K]>> };

const plain = <T>(
  doc: string,
  expected: string,
  type: string,
  accepts: (value: unknown) => boolean,
  convert?: (value: never) => T,
): Param<T> => ({
  doc,
  expected,
  type,
  accepts,
  ...(convert === undefined ? {} : { convert }),
  tensors: 'none',
  isOptional: false,
});
const isTensor = (value: unknown): boolean => value instanceof Traced;
const isWhole = (value: unknown): boolean => Number.isSafeInteger(value);
const areWhole = (value: unknown): boolean => Array.isArray(value) && value.every(isWhole);

export const tensor = (doc: string): Param<Value> => ({
  ...plain<Value>(doc, 'a tensor', 'T', isTensor),
  tensors: 'one',
});
/** A tensor, or a number that takes the type of the other operand. */
export const operand = (doc: string): Param<Operand> => ({
  ...plain<Operand>(doc, 'a tensor or a number', 'T | Scalar', value => isTensor(value) || isScalar(value)),
  tensors: 'one',
});
export const tensors = (doc: string): Param<readonly Value[]> => ({
  ...plain<readonly Value[]>(
    doc,
    'an array of tensors',
    'readonly T[]',
    value => Array.isArray(value) && value.every(isTensor),
  ),
  tensors: 'many',
});
export const scalar = (doc: string): Param<Scalar> => plain(doc, 'a number', 'Scalar', isScalar);
export const number = (doc: string): Param<number> =>
  plain(doc, 'a number', 'number', value => typeof value === 'number');
export const int = (doc: string): Param<number> => plain(doc, 'an integer', 'number', isWhole);
export const flag = (doc: string): Param<boolean> =>
  plain(doc, 'true or false', 'boolean', value => typeof value === 'boolean');
export const dim = (doc: string): Param<number> => plain(doc, 'a dim, an integer', 'number', isWhole);
export const dims = (doc: string): Param<number | readonly number[]> =>
  plain(doc, 'a dim or an array of dims', 'number | readonly number[]', value => isWhole(value) || areWhole(value));
export const ints = (doc: string): Param<readonly number[]> =>
  plain(doc, 'an array of integers', 'readonly number[]', areWhole);
export const intOrInts = (doc: string): Param<number | readonly number[]> =>
  plain(
    doc,
    'an integer or an array of them',
    'number | readonly number[]',
    value => isWhole(value) || areWhole(value),
  );
/** The size of an output in each dim; null keeps the input's. */
export const outputSizes = (doc: string): Param<number | readonly (number | null)[]> =>
  plain(
    doc,
    'an integer, or an array of them and of null',
    'number | readonly (number | null | undefined)[]',
    value => isWhole(value) || (Array.isArray(value) && value.every(size => size == null || isWhole(size))),
  );
/** Padding of a convolution. */
export const paddingOrWord = (doc: string): Param<number | readonly number[] | 'same' | 'valid'> =>
  plain(
    doc,
    "an integer, an array of them, 'same' or 'valid'",
    "number | readonly number[] | 'same' | 'valid'",
    value => isWhole(value) || areWhole(value) || value === 'same' || value === 'valid',
  );
/** A tensor for which only the shape matters. */
export const shapeLike = (doc: string): Param<readonly number[]> =>
  plain(doc, 'a tensor', 'T', isTensor, (value: Traced) => value.shape);
/** A tensor for which only the data type matters. */
export const dtypeLike = (doc: string): Param<ElementType> =>
  plain(doc, 'a tensor', 'T', isTensor, (value: Traced) => value.type.elementType);
/** Integers, as an array or one by one. */
export const sizes = (doc: string): Param<readonly number[]> => ({
  ...plain<readonly number[]>(doc, 'integers', 'readonly number[] | readonly [readonly number[]]', areWhole),
  isVariadic: true,
});
const areSizes = (value: unknown): boolean => Array.isArray(value) && value.every(size => isWhole(size) && size >= 0);
/** The sizes of a new tensor, as an array or one by one. */
export const newSizes = (doc: string): Param<readonly number[]> => ({ ...newShape(doc), ...variadicSizes });
const variadicSizes = { type: 'readonly number[] | readonly [readonly number[]]', isVariadic: true } as const;
/** The sizes of a new tensor, as an array. */
export const newShape = (doc: string): Param<readonly number[]> =>
  plain<readonly number[]>(doc, 'an array of sizes, such as [2, 3]', 'readonly number[]', areSizes);
/** How many there are. */
export const count = (doc: string): Param<number> =>
  plain(doc, 'an integer of at least 0', 'number', value => isWhole(value) && (value as number) >= 0);
export const nonNegative = (doc: string): Param<number> =>
  plain(doc, 'a number of at least 0', 'number', value => typeof value === 'number' && value >= 0);
export const finite = (doc: string): Param<number> => plain(doc, 'a number', 'number', Number.isFinite);
/** A device, or the word for this machine. */
export const device = (doc: string): Param<Device> => ({
  ...plain<Device>(
    doc,
    'a device',
    "Device | 'cpu'",
    value => value instanceof Device || value === 'cpu',
    (value: Device | 'cpu') => deviceFrom('device', value),
  ),
  adviceFor: value => deviceNamed(value) ?? 'a device, such as device()',
});
export const dtype = (doc: string): Param<ElementType> =>
  plain(
    doc,
    "a data type, such as 'float32'",
    'DType',
    value => typeof value === 'string' && isDType(value),
    (value: DType) => elementTypeOf(value),
  );
/** A data type of the given kind. */
const dtypeOfKind = (doc: string, expected: string, accepts: (type: ElementType) => boolean): Param<ElementType> => ({
  ...dtype(doc),
  expected,
  accepts: value => typeof value === 'string' && isDType(value) && accepts(elementTypeOf(value)),
});
/** That of a result that is not whole. */
export const continuousType = (doc: string): Param<ElementType> =>
  dtypeOfKind(doc, "a floating-point or complex data type, such as 'float32'", isContinuous);
export const oneOf = <const C extends readonly string[]>(doc: string, choices: C): Param<C[number]> => {
  const names = choices.map(choice => `'${choice}'`);
  return plain(doc, names.join(' or '), names.join(' | '), value => choices.includes(value as string));
};

/** An option that selects an overload by its value. */
export const exactly = <const V extends boolean>(doc: string, value: V): Param<V> =>
  plain(doc, String(value), String(value), given => given === value);
export const text = (doc: string): Param<string> => plain(doc, 'a text', 'string', value => typeof value === 'string');
/** Tensors, as an array or one by one. */
export const listOfTensors = (doc: string): Param<readonly Value[]> => ({
  ...tensors(doc),
  type: 'readonly T[] | readonly [readonly T[]]',
  isVariadic: true,
});
/** Dims of two tensors, paired: the last of the one with the first of the other, or a list of each. */
export const dimPairs = (doc: string): Param<number | readonly (readonly number[])[]> =>
  plain(
    doc,
    'an integer, or two arrays of dims',
    'number | readonly [readonly number[], readonly number[]]',
    value => isWhole(value) || (Array.isArray(value) && value.length === 2 && value.every(areWhole)),
  );

/** The class is named by its module: `Generator` alone is JavaScript's. */
export const generator = (doc: string): Param<Generator> =>
  plain(doc, 'a Generator', "import('../random/generator.ts').Generator", value => value instanceof Generator);

/** The order of a norm. */
export const normOrder = (doc: string): Param<number | 'fro'> =>
  plain(doc, "a number or 'fro'", "number | 'fro'", value => typeof value === 'number' || value === 'fro');

/** The order of a norm of vectors or matrices. */
export const matrixNormOrder = (doc: string): Param<number | 'fro' | 'nuc'> =>
  plain(
    doc,
    "a number, 'fro' or 'nuc'",
    "number | 'fro' | 'nuc'",
    value => typeof value === 'number' || value === 'fro' || value === 'nuc',
  );

const areLengths = (value: unknown): boolean =>
  Array.isArray(value) && value.every(n => isWhole(n) && (n as number) >= 0);
/** Lengths, known or computed. */
export const lengths = (doc: string): Param<readonly number[] | Value> => ({
  ...plain<readonly number[] | Value>(
    doc,
    'an array of integers, or a tensor',
    'readonly number[] | T',
    value => isTensor(value) || areLengths(value),
  ),
  tensors: 'one',
});
/** A function of two tensors. */
export const distance = (doc: string): Param<(x: Traced, y: Traced) => Traced> =>
  plain(doc, 'a function of two tensors', '(x: T, y: T) => T', value => typeof value === 'function');

/** May be left out, or given as undefined or null. */
export function optional<T>(param: Param<T>): Param<T | undefined>;
export function optional<T, F extends T>(param: Param<T>, fallback: F): Param<T>;
export function optional<T>(param: Param<T>, fallback?: T): Param<T | undefined> {
  return { ...(param as Param<T | undefined>), isOptional: true, fallback };
}
/** Given by name only. */
export const byName = <T>(param: Param<T>): Param<T> => ({ ...param, byNameOnly: true });
/** Under another name in PyTorch: its spelling is accepted too. */
export const spelled = <T>(torch: string, param: Param<T>): Param<T> => ({ ...param, torch });

/** `keepDim` as PyTorch spells it by rule: `keep_dim`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
