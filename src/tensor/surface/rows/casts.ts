// Other data types, and copies.
import { shapeOf } from '../../../hlo/program.ts';
import { type ElementType, elementCount, isContinuous, isInteger } from '../../../hlo/types.ts';
import { converted } from '../../convert.ts';
import { elementIn } from '../../element-in.ts';
import * as elementwise from '../../lower/elementwise.ts';
import { frexp } from '../../lower/frexp.ts';
import * as move from '../../lower/move.ts';
import { typeOf } from '../../lower/narrow.ts';
import { mismatch } from '../../lower/shapes.ts';
import { checkIndices, wholeIndices } from '../../step/index-checks.ts';
import { dtypeLike, number, operand, tensor } from '../params.ts';
import { group, row, runRow, type UnnamedRow } from '../row.ts';

const input = tensor('the tensor');
const same = 'the shape of the input';
function cast(name: string, type: ElementType, text: string): UnnamedRow {
  const isUnsigned = type === 'ui8';
  return runRow({
    torch: [`Tensor.${name}`],
    forms: ['method'],
    summary: `Converts this tensor to the data type ${text}; returns the tensor itself if it has that type already.`,
    shape: same,
    dtype: 'given',
    gradient: isContinuous(type) ? 'almost everywhere' : 'none',
    differs: isInteger(type)
      ? `Floats beyond the type become its nearest number, and NaN 0; in PyTorch they ${isUnsigned ? 'wrap' : 'are undefined'}.`
      : undefined,
    example: `tensor([1, 0, 3]).${name}().dtype // '${text}'`,
    params: { input },
    run: (_, { input }) => converted(input, type),
  });
}

export const castRows = group({
  float: cast('float', 'f32', 'float32'),
  double: cast('double', 'f64', 'float64'),
  half: cast('half', 'f16', 'float16'),
  bfloat16: cast('bfloat16', 'bf16', 'bfloat16'),
  long: cast('long', 'i64', 'int64'),
  int: cast('int', 'i32', 'int32'),
  short: cast('short', 'i16', 'int16'),
  char: cast('char', 'i8', 'int8'),
  byte: cast('byte', 'ui8', 'uint8'),
  bool: cast('bool', 'i1', 'bool'),
  cfloat: cast('cfloat', 'complex<f32>', 'complex64'),
  cdouble: cast('cdouble', 'complex<f64>', 'complex128'),
  typeAs: runRow({
    forms: ['method'],
    summary: 'This tensor in the data type of another one.',
    shape: same,
    dtype: 'given',
    gradient: 'smooth',
    example: "tensor([1, 2]).typeAs(zeros(1).double()).dtype // 'float64'",
    params: { input, other: dtypeLike('the tensor with the data type') },
    run: (_, { input, other }) => converted(input, other),
  }),
  clone: row({
    forms: ['method', 'function'],
    summary: 'A copy that gradients flow through.',
    shape: same,
    dtype: 'same',
    gradient: 'smooth',
    example: 'tensor([1, 2]).clone() // [1, 2]',
    params: { input },
    lower: ({ b }, { input }) => b.reshape(input, shapeOf(input)),
  }),
  fill: row({
    forms: ['function', 'inPlace'],
    summary: 'One value in the shape and data type of the input.',
    shape: same,
    dtype: 'same',
    gradient: 'smooth',
    throws: ['SHAPE_MISMATCH'],
    example: 'fill(tensor([1, 2]), 3) // [3, 3]',
    params: { input, value: operand('the value: a number, or a tensor without dims') },
    lower: ({ b }, { input, value }) => {
      const type = typeOf(input);
      if (typeof value !== 'object')
        return elementwise.number(b, type, shapeOf(input), elementIn('fill', 'value', type, value));
      if (shapeOf(value).length > 0)
        throw mismatch(b, 'fill', shapeOf(input), shapeOf(value), 'the value is a tensor without dims');
      return b.broadcastInDim(elementwise.convert(b, value, type), [], shapeOf(input));
    },
  }),
  take: row({
    forms: ['method', 'function'],
    summary: 'The elements at indices into the flattened tensor; negative ones count from the end.',
    shape: 'the shape of the index',
    dtype: 'same',
    gradient: 'smooth',
    throws: ['BAD_DTYPE'],
    differs: 'Where an index is out of range, the error comes when the step is read.',
    example: 'tensor([[4, 3], [2, 1]]).take(tensor([0, 3])) // [4, 1]',
    params: { input, index: tensor('the indices') },
    lower: ({ b, trace }, { input, index }) => {
      const flat = b.reshape(input, [elementCount(shapeOf(input))]);
      const size = shapeOf(flat)[0]!;
      const whole = wholeIndices(b, 'take', index);
      const isBelow = b.compare('LT', whole, b.like(whole, 0));
      const wrapped = b.select(isBelow, b.add(whole, b.like(whole, size)), whole);
      const result = move.indexSelect(b, 'take', flat, 0, wrapped);
      checkIndices(b, trace, { op: 'take', index: wrapped, dim: 0, size }, result);
      return result;
    },
  }),
  rsub: row({
    forms: ['function'],
    summary: 'other − alpha · input.',
    shape: 'the shape of both together',
    dtype: 'promoted',
    gradient: 'smooth',
    throws: ['SHAPE_MISMATCH'],
    example: 'rsub(tensor([1, 2]), 3) // [2, 1]',
    params: {
      input,
      other: operand('the minuend'),
      alpha: { ...number('the factor'), isOptional: true, fallback: 1, byNameOnly: true },
    },
    lower: ({ b }, { input, other, alpha }) => {
      const [x, y] = elementwise.unify(b, 'rsub', input, other, false);
      return elementwise.binary(b, 'subtract', 'rsub', y, elementwise.alphaTimes(b, 'rsub', y, x, alpha));
    },
  }),
  frexp: row({
    forms: ['method', 'function'],
    result: ['mantissa', 'exponent'],
    summary: 'x = mantissa · 2 to the exponent, with a mantissa of at least 0.5 and below 1 in size.',
    shape: same,
    dtype: 'same',
    gradient: 'almost everywhere',
    throws: ['BAD_DTYPE'],
    example: 'const { mantissa, exponent } = frexp(tensor([8])); // [0.5], [4]',
    params: { input },
    lower: (c, { input }) => frexp(c, input),
  }),
});
