// The names that a pickle of torch.save may use, and the values of calls: those that PyTorch's weights_only allows, the
// containers of `collections`, and numbers and arrays of NumPy. Nothing else is called.
import { type Literal, literalOfBytes } from '../../hlo/literal.ts';
import { byteSize, type ElementType, tensorType } from '../../hlo/types.ts';
import {
  type Global,
  type GlobalKind,
  hasKind,
  type NumpyDtype,
  type Pickled,
  type PickledStorage,
  type PickledTensor,
} from './pickled.ts';

/** Types of elements by the name of the storage, and of the dtype. */
const storages: Readonly<Record<string, ElementType>> = {
  Float: 'f32',
  Double: 'f64',
  Half: 'f16',
  BFloat16: 'bf16',
  Long: 'i64',
  Int: 'i32',
  Short: 'i16',
  Char: 'i8',
  Byte: 'ui8',
  Bool: 'i1',
  ComplexFloat: 'complex<f32>',
  ComplexDouble: 'complex<f64>',
};
export const elementTypesOfDtypes: Readonly<Record<string, ElementType>> = {
  float32: 'f32',
  float64: 'f64',
  float16: 'f16',
  bfloat16: 'bf16',
  int64: 'i64',
  int32: 'i32',
  int16: 'i16',
  int8: 'i8',
  uint8: 'ui8',
  uint16: 'ui16',
  uint32: 'ui32',
  uint64: 'ui64',
  bool: 'i1',
  complex64: 'complex<f32>',
  complex128: 'complex<f64>',
  float8_e4m3fn: 'f8E4M3FN',
  float8_e4m3fnuz: 'f8E4M3FNUZ',
  float8_e5m2: 'f8E5M2',
  float8_e5m2fnuz: 'f8E5M2FNUZ',
  float8_e8m0fnu: 'f8E8M0FNU',
};
const isDtype = /^torch\.(bfloat16|bool|(float|complex|u?int|qu?int|bits)\d\w*)$/;

const named = (kind: GlobalKind, ...names: readonly string[]): [string, Global][] =>
  names.map(name => [name, { kind }]);
const globals = new Map<string, Global>([
  ...named('dict', 'collections.OrderedDict'),
  ...named('counter', 'collections.Counter'),
  ...named('default-dict', 'collections.defaultdict'),
  ...named('set', 'builtins.set', '__builtin__.set', 'builtins.frozenset', '__builtin__.frozenset'),
  ...named('complex', 'builtins.complex', '__builtin__.complex'),
  ...named('encode', '_codecs.encode'),
  ...named('bytes', 'builtins.bytearray', '__builtin__.bytearray', 'builtins.bytes', '__builtin__.bytes'),
  ...named('tuple', 'torch.Size'),
  ...named('device', 'torch.device'),
  ...named('layout', 'torch.serialization._get_layout'),
  ...named('type', 'torch.Tensor', 'torch.nn.parameter.Parameter', 'torch.nn.parameter.Buffer', 'numpy.ndarray'),
  ...['builtins', '__builtin__'].flatMap(from =>
    named('type', ...['int', 'long', 'float', 'bool', 'str', 'list', 'dict'].map(name => `${from}.${name}`)),
  ),
  ...named('tensor', 'torch._utils._rebuild_tensor_v2'),
  ...named('tensor-of-dtype', 'torch._utils._rebuild_tensor_v3'),
  ...named('tensor-of-class', 'torch._tensor._rebuild_from_type_v2'),
  ...named('parameter', 'torch._utils._rebuild_parameter', 'torch._utils._rebuild_parameter_with_state'),
  ...['numpy.core', 'numpy._core'].flatMap(from => named('numpy-scalar', `${from}.multiarray.scalar`)),
  ...['numpy.core', 'numpy._core'].flatMap(from => named('numpy-array', `${from}.multiarray._reconstruct`)),
  ...named('numpy-dtype', 'numpy.dtype'),
  ...Object.entries(storages).map(([name, elementType]): [string, Global] => [
    `torch.${name}Storage`,
    { kind: 'storage', elementType },
  ]),
  ['torch.storage.UntypedStorage', { kind: 'storage', elementType: 'ui8' }],
]);

export function globalOf(name: string): Global | undefined {
  return globals.get(name) ?? (isDtype.test(name) ? { kind: 'dtype', name: name.slice('torch.'.length) } : undefined);
}

const isCount = (value: Pickled | undefined): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isCounts = (value: Pickled | undefined): value is readonly number[] =>
  Array.isArray(value) && value.every(isCount);

/** `('storage', type, key, place, elements)` */
export function storageOf(id: Pickled): PickledStorage {
  const [what, type, key, , elements] = Array.isArray(id) ? (id as readonly Pickled[]) : [];
  if (what !== 'storage' || !hasKind(type) || type.kind !== 'storage' || typeof key !== 'string' || !isCount(elements))
    throw new Error('refers to an invalid storage');
  const { elementType } = type as Extract<Global, { kind: 'storage' }>;
  return { kind: 'pickled-storage', elementType, key, elements };
}

/** The value of a call. @throws {Error} with a message about the pickle, which begins with a verb */
export function called(what: Pickled, values: readonly Pickled[]): Pickled {
  if (!hasKind(what)) throw new Error('calls a value that is not a function');
  const [first, second] = values;
  switch (what.kind as Global['kind']) {
    case 'dict':
      if (values.length === 0) return new Map();
      break;
    case 'counter':
      if (values.length === 0) return new Map();
      if (first instanceof Map) return new Map(first);
      break;
    case 'default-dict':
      if (values.length <= 1) return new Map();
      break;
    case 'set':
      if (values.length === 0) return new Set();
      if (Array.isArray(first)) return new Set(first as readonly Pickled[]);
      break;
    case 'complex':
      if (typeof first === 'number' && typeof second === 'number')
        return {
          kind: 'numpy-array',
          value: literalOfBytes(tensorType('complex<f64>', []), new Uint8Array(Float64Array.of(first, second).buffer)),
        };
      break;
    case 'encode':
      if (typeof first === 'string' && second === 'latin1') return Uint8Array.from(Buffer.from(first, 'latin1'));
      break;
    case 'bytes':
      if (values.length === 0) return new Uint8Array(0);
      if (first instanceof Uint8Array) return first;
      if (typeof first === 'string' && second === 'latin-1') return Uint8Array.from(Buffer.from(first, 'latin1'));
      break;
    case 'tuple':
      if (values.length === 1 && Array.isArray(first)) return first;
      break;
    case 'class':
      return { kind: 'object', class: (what as Extract<Global, { kind: 'class' }>).name, fields: values };
    case 'device':
      if (values.every(value => typeof value === 'string' || typeof value === 'number')) return values.join(':');
      break;
    case 'layout':
      if (typeof first === 'string') return first.replace('torch.', '');
      break;
    case 'parameter':
      if (isTensor(first)) return first;
      break;
    case 'tensor-of-class':
      if (hasKind(first) && Array.isArray(values[2])) return called(first, values[2] as readonly Pickled[]);
      break;
    case 'tensor':
      return tensorOf(values, undefined, values[6]);
    case 'tensor-of-dtype': {
      const dtype = values[6];
      if (hasKind(dtype) && dtype.kind === 'dtype')
        return tensorOf(values, dtype as Extract<Global, { kind: 'dtype' }>, values[7]);
      break;
    }
    case 'numpy-dtype':
      if (typeof first === 'string') return numpyDtype(first);
      break;
    case 'numpy-scalar':
      if (hasKind(first) && first.kind === 'numpy-dtype' && second instanceof Uint8Array)
        return scalarOf(numpyValue(first as NumpyDtype, [], false, second));
      break;
    case 'numpy-array':
      return { kind: 'numpy-array', value: undefined };
    default:
  }
  throw new Error(`calls a ${what.kind} with invalid arguments`);
}

const isTensor = (value: Pickled | undefined): value is PickledTensor =>
  hasKind(value) && value.kind === 'tensor' && 'storage' in value;

/** `(storage, offset, shape, strides, requires_grad, hooks, …)`; offset and strides count elements. */
function tensorOf(
  [storage, offset, shape, strides]: readonly Pickled[],
  dtype: { readonly name: string } | undefined,
  metadata: Pickled | undefined,
): PickledTensor {
  if (!hasKind(storage) || storage.kind !== 'pickled-storage') throw new Error('has a tensor without a storage');
  if (!isCount(offset) || !isCounts(shape) || !isCounts(strides) || shape.length !== strides.length)
    throw new Error('has a tensor of an invalid size');
  const of = storage as PickledStorage;
  const elementType = dtype === undefined ? of.elementType : elementTypesOfDtypes[dtype.name];
  if (elementType === undefined) throw new Error(`has a tensor of torch.${dtype!.name}, which is not supported`);
  const size = (type: ElementType): number => byteSize(tensorType(type, []));
  const last = shape.reduce((sum, n, i) => sum + (n - 1) * strides[i]!, offset);
  if (!shape.includes(0) && (last + 1) * size(elementType) > of.elements * size(of.elementType))
    throw new Error('has a tensor beyond the end of its storage');
  const is = (flag: string): boolean => metadata instanceof Map && metadata.get(flag) === true;
  return {
    kind: 'tensor',
    elementType,
    storage: of,
    offset,
    shape,
    strides,
    isConjugate: is('conj'),
    isNegated: is('neg'),
  };
}

const numpyTypes: Readonly<Record<string, ElementType>> = {
  b1: 'i1',
  ...{ i1: 'i8', i2: 'i16', i4: 'i32', i8: 'i64', u1: 'ui8', u2: 'ui16', u4: 'ui32', u8: 'ui64' },
  ...{ f2: 'f16', f4: 'f32', f8: 'f64', c8: 'complex<f32>', c16: 'complex<f64>' },
};
function numpyDtype(code: string): NumpyDtype {
  const elementType = Object.hasOwn(numpyTypes, code) ? numpyTypes[code] : undefined;
  if (elementType === undefined) throw new Error(`has values of NumPy's type ${JSON.stringify(code)}`);
  return { kind: 'numpy-dtype', elementType, isBigEndian: false };
}

/** The elements of an array or a scalar. */
export function numpyValue(
  { elementType, isBigEndian }: NumpyDtype,
  shape: Pickled | undefined,
  isFortran: Pickled | undefined,
  bytes: Pickled | undefined,
): Literal {
  if (isBigEndian) throw new Error('has an array of big-endian numbers');
  if (!isCounts(shape) || !(bytes instanceof Uint8Array)) throw new Error('has an invalid array');
  if (isFortran === true && shape.length > 1)
    throw new Error('has an array in the order of Fortran: save numpy.ascontiguousarray(x) instead');
  const type = tensorType(elementType, [...shape]);
  if (byteSize(type) !== bytes.byteLength) throw new Error('has an array whose bytes do not match its shape');
  return literalOfBytes(type, Uint8Array.from(bytes));
}

/** A number of NumPy as one of JavaScript; a complex one stays a tensor. */
function scalarOf(value: Literal): Pickled {
  const [one] = value.data;
  if (value.type.elementType.startsWith('complex')) return { kind: 'numpy-array', value };
  if (value.type.elementType === 'i1') return one !== 0;
  if (typeof one === 'bigint') return Number.isSafeInteger(Number(one)) ? Number(one) : one;
  return Number(one);
}
