// One small program for each kind of constraint: programs that violate the specification are rejected with the constraint's name,
// valid ones pass.
import { describe, expect, test } from 'vitest';
import { TrenioError } from '../base/errors.ts';
import { parseModule } from './text/parser.ts';
import { verify } from './verifier.ts';

/** The reason for the rejection: the name of a constraint, the detail of an invalid program, or an error code. */
function refusal(text: string): string {
  try {
    verify(parseModule(text));
  } catch (error) {
    if (!(error instanceof TrenioError)) throw error;
    const { constraint, detail } = error.data as { constraint?: string; detail?: string };
    return constraint ?? detail ?? error.code;
  }
  return 'accepted';
}
/** A function with arguments %a, %b, … of these types and an op on some of them, in generic form. */
function program(argTypes: readonly string[], op: string): string {
  const args = argTypes.map((type, i) => `%${'abcdefgh'[i]}: ${type}`).join(', ');
  return `func.func @main(${args}) {\n  ${op}\n  func.return\n}`;
}
type Case = readonly [expected: string, argTypes: readonly string[], op: string];
const run = (cases: readonly Case[]): void => {
  test.each(cases)('%s %#', (expected, argTypes, op) => {
    expect(refusal(program(argTypes, op))).toBe(expected);
  });
};

const q = '!quant.uniform<i8:f32, 5.0e-01:3>';
const otherScale = '!quant.uniform<i8:f32, 2.5e-01:3>';
const q32 = '!quant.uniform<i32:f32, 5.0e-01>';
const centered = '!quant.uniform<i8:f32, 5.0e-01>';
const rows = '!quant.uniform<i8:f32:0, {5.0e-01, 2.0, 1.0}>';
const columns = '!quant.uniform<i8:f32:1, {5.0e-01, 2.0, 1.0}>';

describe('kinds of elements', () => {
  run([
    ['and_i1', ['tensor<3xf32>'], '%r = "stablehlo.and"(%a, %a) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>'],
    ['accepted', ['tensor<3xi1>'], '%r = "stablehlo.and"(%a, %a) : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>'],
    ['tanh_i1', ['tensor<3xi32>'], '%r = "stablehlo.tanh"(%a) : (tensor<3xi32>) -> tensor<3xi32>'],
    ['accepted', [`tensor<3x${q}>`], `%r = "stablehlo.tanh"(%a) : (tensor<3x${q}>) -> tensor<3x${otherScale}>`],
    ['negate_i1', ['tensor<i1>'], '%r = "stablehlo.negate"(%a) : (tensor<i1>) -> tensor<i1>'],
    ['subtract_i1', ['tensor<i1>'], '%r = "stablehlo.subtract"(%a, %a) : (tensor<i1>, tensor<i1>) -> tensor<i1>'],
    ['accepted', ['tensor<i1>'], '%r = "stablehlo.multiply"(%a, %a) : (tensor<i1>, tensor<i1>) -> tensor<i1>'],
    ['popcnt_i1', ['tensor<f32>'], '%r = "stablehlo.popcnt"(%a) : (tensor<f32>) -> tensor<f32>'],
    ['is_finite_i1', ['tensor<2xi8>'], '%r = "stablehlo.is_finite"(%a) : (tensor<2xi8>) -> tensor<2xi1>'],
    ['sign_i1', ['tensor<2xui8>'], '%r = "stablehlo.sign"(%a) : (tensor<2xui8>) -> tensor<2xui8>'],
    ['accepted', ['tensor<2xcomplex<f64>>'], '%r = "stablehlo.abs"(%a) : (tensor<2xcomplex<f64>>) -> tensor<2xf64>'],
    [
      'select_i1',
      ['tensor<i8>', 'tensor<f32>'],
      '%r = "stablehlo.select"(%a, %b, %b) : (tensor<i8>, tensor<f32>, tensor<f32>) -> tensor<f32>',
    ],
    ['trenio_iota_output', [], '%r = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<3xi1>'],
    ['convert_i1', [`tensor<3x${q}>`], `%r = "stablehlo.convert"(%a) : (tensor<3x${q}>) -> tensor<3xf32>`],
    [
      'trenio_reverse_per_axis',
      [`tensor<3x${rows}>`],
      `%r = "stablehlo.reverse"(%a) {dimensions = array<i64: 0>} : (tensor<3x${rows}>) -> tensor<3x${rows}>`,
    ],
  ]);
});

describe('tolerances', () => {
  const exponential = (accuracy: string): string =>
    `%r = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<${accuracy}>} : (tensor<f32>) -> tensor<f32>`;
  const mode = (name: string): string => `mode = #stablehlo.result_accuracy_mode<${name}>`;
  run([
    ['accepted', ['tensor<f32>'], exponential(`atol = 0.5, rtol = 0.0, ulps = 2, ${mode('TOLERANCE')}`)],
    ['trenio_exponential_accuracy', ['tensor<f32>'], exponential(`atol = 0.5, ${mode('HIGHEST')}`)],
    ['trenio_exponential_accuracy', ['tensor<f32>'], exponential(`atol = -0.5, ${mode('TOLERANCE')}`)],
  ]);
});

describe('sizes and bounds', () => {
  const upTo = (bound: number): string => `tensor<?xf32, #stablehlo.bounds<${bound}>>`;
  const add = (a: string, b: string, r: string): string => `%r = "stablehlo.add"(%a, %b) : (${a}, ${b}) -> ${r}`;
  const addCase = (expected: string, a: string, b: string, r: string): Case => [expected, [a, b], add(a, b, r)];
  run([
    addCase('accepted', 'tensor<?xf32>', 'tensor<4xf32>', 'tensor<4xf32>'),
    addCase('accepted', 'tensor<?xf32>', upTo(4), 'tensor<3xf32>'),
    addCase('add_c1', upTo(3), 'tensor<4xf32>', 'tensor<?xf32>'),
    addCase('add_c1', 'tensor<3xf32>', 'tensor<3xf64>', 'tensor<3xf32>'),
    [
      'trenio_reshape_result',
      ['tensor<?x?xf32, #stablehlo.bounds<4, 4>>'],
      '%r = "stablehlo.reshape"(%a) : (tensor<?x?xf32, #stablehlo.bounds<4, 4>>) -> tensor<?x?xf32, #stablehlo.bounds<4, 4>>',
    ],
    ['accepted', [upTo(6)], `%r = "stablehlo.reshape"(%a) : (${upTo(6)}) -> tensor<1x?xf32, #stablehlo.bounds<?, 6>>`],
    [
      'slice_c3',
      [upTo(6)],
      `%r = "stablehlo.slice"(%a) {start_indices = array<i64: 2>, limit_indices = array<i64: 7>, strides = array<i64: 1>} : (${upTo(6)}) -> tensor<5xf32>`,
    ],
    [
      'pad_c4',
      [upTo(2), 'tensor<f32>'],
      `%r = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: -3>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (${upTo(2)}, tensor<f32>) -> tensor<?xf32>`,
    ],
  ]);
  test('a stated size that contradicts the inferred one is rejected', () => {
    const text = program(['tensor<3xf32>'], '%r = "stablehlo.abs"(%a) : (tensor<3xf32>) -> tensor<4xf32>');
    expect(refusal(text)).toContain('its results are (tensor<4xf32>), expected (tensor<3xf32>)');
  });
});

describe('quantized sums', () => {
  const add = (expected: string, a: string, b: string, r: string): Case => {
    const [ta, tb, tr] = [a, b, r].map(e => `tensor<3x3x${e}>`) as [string, string, string];
    return [expected, [ta, tb], `%r = "stablehlo.add"(%a, %b) : (${ta}, ${tb}) -> ${tr}`];
  };
  run([
    add('accepted', q, otherScale, centered),
    add('accepted', q, rows, rows),
    add('add_c2', q, q, 'i8'),
    add('add_c3', q, '!quant.uniform<i4:f32, 1.0>', q),
    add('add_c4', q, '!quant.uniform<i8:bf16, 1.0>', q),
    add('add_c5', q, rows, q),
    add('add_c6', rows, q, columns),
    add('add_c7', q, columns, rows),
  ]);
});

describe('ops that move quantized elements', () => {
  const x = (elements: string): string => `tensor<3x3x${elements}>`;
  const transpose = (from: string, to: string): string =>
    `%r = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (${x(from)}) -> ${x(to)}`;
  const slice = (to: string): string =>
    `%r = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 3>, strides = array<i64: 1, 1>} : (${x(q)}) -> ${x(to)}`;
  const flat = '!quant.uniform<i8:f32:0, {5.0e-01, 5.0e-01, 5.0e-01}>';
  const broadcast = (from: string, to: string): string =>
    `%r = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x3x${from}>) -> ${x(to)}`;
  const single = '!quant.uniform<i8:f32:0, {5.0e-01}>';
  run([
    ['accepted', [x(rows)], transpose(rows, columns)],
    ['transpose_c4', [x(rows)], transpose(rows, rows)],
    ['transpose_c1', [x(q)], transpose(q, otherScale)],
    ['accepted', [x(q)], slice(q)],
    ['slice_c1', [x(q)], slice(otherScale)],
    ['accepted', [`tensor<1x3x${single}>`], broadcast(single, flat)],
    ['broadcast_in_dim_c6', [`tensor<1x3x${single}>`], broadcast(single, rows)],
    ['broadcast_in_dim_c1', [`tensor<1x3x${q}>`], broadcast(q, otherScale)],
    [
      'reshape_c3',
      [x(rows)],
      `%r = "stablehlo.reshape"(%a) : (${x(rows)}) -> tensor<1x3x3x!quant.uniform<i8:f32:2, {5.0e-01, 2.0, 1.0}>>`,
    ],
    ['accepted', [x(rows)], `%r = "stablehlo.reshape"(%a) : (${x(rows)}) -> tensor<1x3x3x${columns}>`],
  ]);
});

describe('products', () => {
  const dot = (expected: string, l: string, r: string, result: string, more = ''): Case => {
    const [lhs, rhs, out] = [`tensor<3x3x${l}>`, `tensor<3x3x${r}>`, `tensor<3x3x${result}>`];
    const dims = '#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>';
    return [
      expected,
      [lhs, rhs],
      `%r = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = ${dims}${more}} : (${lhs}, ${rhs}) -> ${out}`,
    ];
  };
  const algorithm = (lhs: string, parts: number, imprecise = false): string =>
    `, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = ${lhs}, rhs_precision_type = ${lhs}, accumulation_type = f32, lhs_component_count = ${parts}, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = ${imprecise}>`;
  const high = ', precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>]';
  run([
    dot('accepted', 'bf16', 'bf16', 'f32'),
    dot('accepted', q, centered, q32),
    dot('accepted', 'f32', centered, 'f32'),
    dot('accepted', q, columns, '!quant.uniform<i32:f32:1, {1.0, 1.0, 1.0}>'),
    dot('dot_general_c14', q, centered, 'f32'),
    dot('dot_general_c15', q, q, q32),
    dot('dot_general_c16', q, rows, q32),
    dot('dot_general_c17', '!quant.uniform<i4:f32, 1.0>', centered, q32),
    dot('dot_general_c18', '!quant.uniform<i8:bf16, 1.0>', centered, q32),
    dot('dot_general_c19', q, centered, '!quant.uniform<i32:f32:1, {1.0, 1.0, 1.0}>'),
    dot('dot_general_c20', 'bf16', centered, 'bf16'),
    dot('dot_general_i1', rows, centered, q32),
    dot('accepted', 'f32', 'f32', 'f32', algorithm('tf32', 1)),
    dot('dot_general_c21', 'f32', 'f32', 'f32', high + algorithm('tf32', 1)),
    dot('dot_general_c22', 'f32', 'f32', 'f32', algorithm('tf32', 0)),
    dot('trenio_dot_general_algorithm', 'f32', 'f32', 'f32', algorithm('tf32', 1, true)),
    dot('accepted', 'f32', 'f32', 'f32', algorithm('f8E5M2', 1, true)),
  ]);
});

describe('regions', () => {
  const reducer = (elements: string, result = elements): string =>
    `({\n ^bb0(%x: tensor<${elements}>, %y: tensor<${elements}>):\n %s = "stablehlo.add"(%x, %y) : (tensor<${elements}>, tensor<${elements}>) -> tensor<${result}>\n "stablehlo.return"(%s) : (tensor<${result}>) -> ()\n })`;
  const reduce = (expected: string, input: string, region: string, result: string): Case => [
    expected,
    [`tensor<4x${input}>`, `tensor<${input}>`],
    `%r = "stablehlo.reduce"(%a, %b) ${region} {dimensions = array<i64: 0>} : (tensor<4x${input}>, tensor<${input}>) -> tensor<${result}>`,
  ];
  const wide = '!quant.uniform<i16:f32, 5.0e-01:3>';
  run([
    reduce('accepted', 'bf16', reducer('f32'), 'f32'),
    reduce('reduce_c6', 'f32', reducer('bf16'), 'bf16'),
    reduce('reduce_c6', 'f32', reducer('i32'), 'i32'),
    reduce('accepted', q, reducer(wide), wide),
    reduce('reduce_c6', q, reducer('f32'), 'f32'),
    [
      'while_c2',
      ['tensor<i32>'],
      '%r = "stablehlo.while"(%a) ({\n ^bb0(%x: tensor<i32>):\n %c = "stablehlo.compare"(%x, %x) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>\n "stablehlo.return"(%c) : (tensor<i1>) -> ()\n }, {\n ^bb0(%x: tensor<i32>):\n "stablehlo.return"(%x, %x) : (tensor<i32>, tensor<i32>) -> ()\n }) : (tensor<i32>) -> tensor<i32>',
    ],
  ]);
  const branches = (first: string, second: string, result: string): string =>
    `%r = "stablehlo.if"(%a) ({\n "stablehlo.return"(%b) : (${first}) -> ()\n }, {\n "stablehlo.return"(%c) : (${second}) -> ()\n }) : (tensor<i1>) -> ${result}`;
  const [two, upTo4] = ['tensor<2xf32>', 'tensor<?xf32, #stablehlo.bounds<4>>'];
  run([
    ['accepted', ['tensor<i1>', two, upTo4], branches(two, upTo4, upTo4)],
    ['accepted', ['tensor<i1>', two, 'tensor<?xf32>'], branches(two, 'tensor<?xf32>', 'tensor<?xf32>')],
    ['if_c2', ['tensor<i1>', two, 'tensor<3xf32>'], branches(two, 'tensor<3xf32>', two)],
    ['if_i1', ['tensor<2xi1>', two, two], branches(two, two, two).replace('tensor<i1>', 'tensor<2xi1>')],
  ]);
});

describe('collectives', () => {
  const gather = (groups: string, more: string, result: string): string =>
    `%r = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = ${groups}${more}} : (tensor<2x3xf32>) -> ${result}`;
  const pairs = 'dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>';
  const channel = (handle: number): string =>
    `, channel_handle = #stablehlo.channel_handle<handle = ${handle}, type = 1>`;
  run([
    ['accepted', ['tensor<2x3xf32>'], gather(pairs, '', 'tensor<4x3xf32>')],
    // With a channel, the partitions of a module participate as well; their number is unknown.
    ['accepted', ['tensor<2x3xf32>'], gather(pairs, channel(1), 'tensor<12x3xf32>')],
    ['all_gather_c6', ['tensor<2x3xf32>'], gather(pairs, channel(1), 'tensor<5x3xf32>')],
    ['all_gather_c2', ['tensor<2x3xf32>'], gather('dense<[[0, 0]]> : tensor<1x2xi64>', '', 'tensor<4x3xf32>')],
    ['all_gather_c4', ['tensor<2x3xf32>'], gather('dense<[[0, 2]]> : tensor<1x2xi64>', '', 'tensor<4x3xf32>')],
    ['all_gather_c5', ['tensor<2x3xf32>'], gather(pairs, ', use_global_device_ids', 'tensor<4x3xf32>')],
    [
      'all_gather: the module has no mesh @nowhere',
      ['tensor<2x3xf32>'],
      gather(
        '#stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = [#stablehlo.axis_ref<name = "x">]>',
        '',
        'tensor<4x3xf32>',
      ),
    ],
  ]);
});

describe('custom calls', () => {
  const call = (attributes: string): string =>
    `%r = "stablehlo.custom_call"(%a) {call_target_name = "f", ${attributes}} : (tensor<2x3xf32>) -> tensor<2x3xf32>`;
  const layout = (dims: string): string => `[dense<${dims}> : tensor<2xindex>]`;
  const alias = (operand: number, part: string): string =>
    `output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = ${operand}, operand_tuple_indices = ${part}>]`;
  run([
    [
      'accepted',
      ['tensor<2x3xf32>'],
      call(`operand_layouts = ${layout('[0, 1]')}, result_layouts = ${layout('[1, 0]')}`),
    ],
    ['trenio_custom_call_layouts', ['tensor<2x3xf32>'], call(`operand_layouts = ${layout('[0, 1]')}`)],
    [
      'trenio_custom_call_layouts',
      ['tensor<2x3xf32>'],
      call(`operand_layouts = ${layout('[0, 2]')}, result_layouts = ${layout('[1, 0]')}`),
    ],
    ['accepted', ['tensor<2x3xf32>'], call(alias(0, '[]'))],
    ['trenio_custom_call_aliases', ['tensor<2x3xf32>'], call(alias(1, '[]'))],
    ['trenio_custom_call_aliases', ['tensor<2x3xf32>'], call(alias(0, '[0]'))],
  ]);
});

describe('modules', () => {
  test('a composite must match its function exactly', () => {
    const module = (type: string): string =>
      `func.func @part(%x: tensor<?xf32>) -> tensor<?xf32> {\n func.return %x : tensor<?xf32>\n }\n${program([type], `%r = "stablehlo.composite"(%a) {name = "my.part", decomposition = @part} : (${type}) -> ${type}`)}`;
    expect(refusal(module('tensor<?xf32>'))).toBe('accepted');
    expect(refusal(module('tensor<3xf32>'))).toContain('@part takes (tensor<?xf32>), got (tensor<3xf32>)');
  });
  test('a region of an asynchronous op cannot use outer values', () => {
    const op = (operand: string): string =>
      `%r = "stablehlo.async_start"(%a) ({\n ^bb0(%x: tensor<4xf32>):\n %s = "stablehlo.slice"(${operand}) {start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>\n "stablehlo.return"(%s) : (tensor<2xf32>) -> ()\n }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>`;
    expect(refusal(program(['tensor<4xf32>'], op('%x')))).toBe('accepted');
    expect(refusal(program(['tensor<4xf32>'], op('%a')))).not.toBe('accepted');
  });
  test('a long chain of calls is valid, a cycle is not', () => {
    const chain = (last: string): string =>
      Array.from(
        { length: 3000 },
        (_, i) => `func.func @f${i}() {\n func.call @${i === 2999 ? last : `f${i + 1}`}() : () -> ()\n func.return\n }`,
      ).join('\n');
    expect(refusal(`${chain('end')}\nfunc.func @end() {\n func.return\n }`)).toBe('accepted');
    expect(refusal(chain('f2998'))).toContain('@f2998 → @f2999 → @f2998');
  });
  test('the nesting of regions is limited', () => {
    const nested = (depth: number): string =>
      `${'"stablehlo.if"(%a) ({\n'.repeat(depth)}"stablehlo.return"() : () -> ()\n${'}, {\n "stablehlo.return"() : () -> ()\n }) : (tensor<i1>) -> ()\n"stablehlo.return"() : () -> ()\n'.repeat(depth - 1)}}, {\n "stablehlo.return"() : () -> ()\n }) : (tensor<i1>) -> ()`;
    expect(refusal(program(['tensor<i1>'], nested(20)))).toBe('accepted');
    expect(refusal(program(['tensor<i1>'], nested(5000)))).not.toBe('accepted');
  });
});
