import { describe, expect, test } from 'vitest';
import { isTrenioError } from '../../base/errors.ts';
import { bytesOf, toNumbers } from '../literal.ts';
import { opSamples } from '../op-samples.testing.ts';
import { type Module, moduleOf, type Op, type Region, type Value } from '../program.ts';
import { shardingOf } from '../sharding/sharding.ts';
import { mutated, randomOf } from './mutations.testing.ts';
import { parseModule, splitChunks } from './parser.ts';
import { printModule, printOp } from './printer.ts';

/** The module with each value replaced by its number, in order of appearance. */
function plain(module: Module): unknown {
  const numbers = new Map<Value, number>();
  const value = (v: Value): unknown => {
    if (!numbers.has(v)) numbers.set(v, numbers.size);
    return [numbers.get(v), v.type, v.index];
  };
  const region = (r: Region): unknown => [r.args.map(value), r.ops.map(op), r.results.map(value)];
  const op = (o: Op): unknown => [
    o.name,
    o.operands.map(value),
    o.attributes,
    o.regions.map(region),
    o.results.map(value),
    o.discardable,
  ];
  return { ...module, functions: module.functions.map(f => ({ ...f, body: region(f.body) })) };
}

/** Reads a module, and reads what is printed of it, in both forms. */
function roundTrip(text: string): Module {
  const module = parseModule(text);
  const printed = printModule(module);
  expect(plain(parseModule(printed))).toEqual(plain(module));
  expect(printModule(parseModule(printed))).toBe(printed);
  expect(plain(parseModule(printModule(module, { form: 'generic' })))).toEqual(plain(module));
  return module;
}
const bodyOf = (module: Module): readonly Op[] => module.functions[0]!.body.ops;
const attributesOf = (text: string): unknown => bodyOf(roundTrip(text)).at(-1)!.attributes;

function message(text: string, file?: string): string {
  try {
    parseModule(text, file === undefined ? {} : { file });
  } catch (error) {
    if (isTrenioError(error, 'HLO_SYNTAX')) return error.message.split('\n  fix:')[0]!;
    throw error;
  }
  return 'no error';
}

describe('round trip', () => {
  test.each(opSamples().map(sample => [sample.label, sample.func] as const))('%s', (_, func) => {
    const module = moduleOf({ ...func, visibility: 'public' });
    const text = printModule(module);
    const again = parseModule(text);
    expect(plain(again)).toEqual(plain(module));
    expect(printModule(again)).toBe(text);
    expect(plain(parseModule(printModule(module, { form: 'generic' })))).toEqual(plain(module));
  });
});

describe('short forms', () => {
  // The arguments, one op, and the printed op if it differs.
  test.each([
    ['%a: tensor<2xf32>', '%0 = stablehlo.abs %a : tensor<2xf32>'],
    ['%a: tensor<2xcomplex<f32>>', '%0 = stablehlo.abs %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>'],
    ['%a: tensor<2xf32>', '%0 = stablehlo.complex %a, %a : tensor<2xcomplex<f32>>'],
    [
      '%a: tensor<2xf32>',
      '%0 = stablehlo.compare  LT, %a, %a,  FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>',
    ],
    ['%a: tensor<i1>, %b: tensor<2xi8>', '%0 = stablehlo.select %a, %b, %b : tensor<i1>, tensor<2xi8>'],
    ['%a: tensor<4x8xf32>', '%0 = stablehlo.slice %a [0:1, 2:8:2] : (tensor<4x8xf32>) -> tensor<1x3xf32>'],
    ['%a: tensor<2xf32>', '%0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<2xf32>'],
    [
      '%a: tensor<2xf32>',
      '%0 = stablehlo.tanh %a {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>',
    ],
    ['', '%0 = stablehlo.iota dim = 0 : tensor<3xi32>'],
    [
      '%a: tensor<3xf32>, %b: tensor<f32>',
      '%0 = stablehlo.pad %a, %b, low = [-1], high = [2], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>',
    ],
    [
      '%a: tensor<2x3xf32>, %b: tensor<3x4xf32>',
      '%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>',
    ],
    [
      '%a: tensor<5x2x3xf32>',
      '%0 = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<5x2x3xf32>, tensor<5x2x3xf32>) -> tensor<5x2x2xf32>',
    ],
    [
      '%a: tensor<1x8x3xf32>, %b: tensor<3x3x4xf32>',
      '%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 1]], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x3xf32>, tensor<3x3x4xf32>) -> tensor<1x4x4xf32>',
    ],
    [
      '%a: tensor<8xf32>',
      '%0 = stablehlo.fft %a, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>',
    ],
    [
      '%a: tensor<2xui64>',
      '%0:2 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)',
    ],
    ['%a: tensor<2x2xf32>', '%0 = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>'],
    ['%a: tensor<2xf32>, %b: tensor<i64>', '%0 = stablehlo.tuple %a, %b : tuple<tensor<2xf32>, tensor<i64>>'],
    [
      '%a: tuple<tensor<2xf32>, tensor<i64>>',
      '%0 = stablehlo.get_tuple_element %a[1] : (tuple<tensor<2xf32>, tensor<i64>>) -> tensor<i64>',
    ],
    ['%a: tensor<2xf32>', '%0 = stablehlo.optimization_barrier %a : tensor<2xf32>'],
    ['%a: !stablehlo.token', '%0 = stablehlo.after_all %a, %a : !stablehlo.token'],
    ['', '%0 = stablehlo.create_token : !stablehlo.token'],
    [
      '%a: tensor<2xf32>',
      '%0 = stablehlo.custom_call @foo(%a) {api_version = 4 : i32, backend_config = {bar = 42 : i32}, has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>',
    ],
    [
      '%a: tensor<2xf32>',
      '%0:2 = stablehlo.custom_call @"my op"(%a) {mhlo.sharding = "\\08\\03"} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>)',
    ],
    [
      '%a: tensor<2xf32>',
      '%0 = stablehlo.composite "my.op" %a {composite_attributes = {a = 1 : i64}, decomposition = @f, version = 3 : i32} : (tensor<2xf32>) -> tensor<2xf32>',
    ],
    ['%a: tensor<2xf32>', '%0 = chlo.erf %a : tensor<2xf32> -> tensor<2xf32>'],
    ['%a: tensor<2xf32>', '%0 = chlo.next_after %a, %a : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>'],
    [
      '%a: tensor<2xf32>',
      '%0 = chlo.broadcast_add %a, %a {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>',
    ],
    ['%a: tensor<5xf32>', '%0:2 = chlo.top_k(%a, k = 2) : tensor<5xf32> -> (tensor<2xf32>, tensor<2xi32>)'],
    ['', '%0 = chlo.constant dense<1> : tensor<i32>'],
    ['%a: tensor<2xf32>', 'check.expect_eq %a, %a : tensor<2xf32>'],
    ['%a: tensor<2xf32>', 'check.expect_eq_const %a, dense<[1.0, 2.0]> : tensor<2xf32>'],
    ['%a: tensor<2xf32>', 'check.expect_almost_eq_const %a, dense<1.0> : tensor<2xf32>, tolerance = 0.01'],
    [
      '%a: tensor<2xf32>',
      'check.expect_close %a, %a, max_ulp_difference = 3, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>',
    ],
    ['%a: tensor<2xf32>', 'check.expect_serialized_eq %a, probe_id = "p" : tensor<2xf32>'],
    ['%a: tensor<2xf32>', '%0 = interpreter.probe %a, probe_id = "p" : tensor<2xf32>'],
    ['%a: tensor<2xf32>', '%0 = tensor.cast %a : tensor<2xf32> to tensor<?xf32>'],
    ['%a: tensor<4xf32>', '%0 = sdy.sharding_constraint %a <@mesh, [{"data", ?}]> : tensor<4xf32>'],
    ['%a: tensor<4xf32>', '%0 = sdy.reshard %a <@mesh, [{"data"}]> : tensor<4xf32>'],
    ['%a: tensor<4xf32>', 'sdy.sharding_group %a group_id=3 : tensor<4xf32>'],
    ['%a: tensor<2xf32>', '%0 = stablehlo.optimization_barrier {mhlo.note = "x"} %a : tensor<2xf32>'],
  ])('(%s) %s', (args, text) => {
    const [op] = bodyOf(roundTrip(`func.func @f(${args}) {\n${text}\nreturn\n}`));
    const named = text.replaceAll('%a', '%arg0').replaceAll('%b', '%arg1');
    const single = named.replace(/compare {2}LT/, 'compare LT').replace(/, {2}FLOAT/, ', FLOAT');
    expect(printOp(op!)).toBe(single);
  });

  test('reductions', () => {
    const short = bodyOf(
      roundTrip(`func.func @f(%x: tensor<2x3xi32>, %i: tensor<i32>) -> tensor<2xi32> {
        %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
        return %0 : tensor<2xi32>
      }`),
    )[0]!;
    const long = bodyOf(
      roundTrip(`func.func @f(%x: tensor<2x3xi32>, %i: tensor<i32>) -> tensor<2xi32> {
        %0:2 = stablehlo.reduce(%x init: %i), (%x init: %i) across dimensions = [1] : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
         reducer(%a: tensor<i32>, %b: tensor<i32>) (%c: tensor<i32>, %d: tensor<i32>) {
          %1 = stablehlo.add %a, %b : tensor<i32>
          %2 = stablehlo.add %c, %d : tensor<i32>
          stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
        }
        return %0#1 : tensor<2xi32>
      }`),
    )[0]!;
    expect(short.regions[0]!.ops[0]!.operands).toEqual(short.regions[0]!.args);
    // The arguments of the region are first the elements of both inputs, then the accumulators.
    const { args, ops } = long.regions[0]!;
    expect(ops.map(op => op.operands.map(v => args.indexOf(v)))).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });

  test('a loop, whose regions name their arguments alike', () => {
    const [, loop] = bodyOf(
      roundTrip(`func.func @f(%n: tensor<i32>) -> tensor<i32> {
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %r:2 = stablehlo.while(%i = %zero, %s = %n) : tensor<i32>, tensor<i32> attributes {my.note = "x"}
         cond {
          %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %j = stablehlo.add %i, %s : tensor<i32>
          stablehlo.return %j, %s : tensor<i32>, tensor<i32>
        }
        return %r#1 : tensor<i32>
      }`),
    );
    expect(loop!.discardable).toEqual({ 'my.note': '"x"' });
    expect(loop!.regions.map(r => r.args.length)).toEqual([2, 2]);
  });

  test('a scan', () => {
    const [scan] = bodyOf(
      roundTrip(`func.func @f(%x: tensor<4xi32>, %i: tensor<i32>) {
        %0:2 = chlo.scan(%x) inits(%i) dimension=0 attributes {is_reverse = true} {
        ^bb0(%a: tensor<i32>, %b: tensor<i32>):
          %1 = stablehlo.add %a, %b : tensor<i32>
          stablehlo.return %1, %1 : tensor<i32>, tensor<i32>
        } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
        return
      }`),
    );
    expect(scan!.attributes).toMatchObject({ dimension: 0, isReverse: true, inputs: 1 });
  });

  test('a manual computation, whose body has a separate scope of names', () => {
    const module = roundTrip(`module {
      sdy.mesh @mesh = <["data"=2]> {note = {axes = [1, 2]}}
      func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"data"}]>] out_shardings=[<@mesh, [{"data"}]>] manual_axes={"data"} (%x: tensor<2xf32>) {
          %0 = stablehlo.negate %x : tensor<2xf32>
          sdy.return %0 : tensor<2xf32>
        } : (tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
    }`);
    expect(module.meshes).toEqual([
      { name: 'mesh', mesh: { axes: [{ name: 'data', size: 2 }] }, discardable: { note: '{axes = [1, 2]}' } },
    ]);
    expect(bodyOf(module)[0]!.attributes).toMatchObject({
      inShardings: [shardingOf('mesh', [['data']])],
      manualAxes: ['data'],
    });
  });
});

describe('the generic form', () => {
  const collective = {
    replicaGroups: [
      [0, 2],
      [1, 3],
    ],
    channelId: 3,
    useGlobalDeviceIds: true,
  };
  test.each([
    // Properties, attributes, and the older dictionary that holds both.
    ['<{dimensions = array<i64: 0>}> {a.b}', { dimensions: [0] }, { 'a.b': '' }],
    ['{dimensions = array<i64: 0>, a.b = [1, {c = "}"}]}', { dimensions: [0] }, { 'a.b': '[1, {c = "}"}]' }],
    ['{dimensions = dense<0> : tensor<1xi64>}', { dimensions: [0] }, undefined],
  ])('dictionaries %s', (dictionaries, attributes, discardable) => {
    const [op] = bodyOf(
      roundTrip(`func.func @f(%a: tensor<2xf32>) {
        %0 = "stablehlo.reverse"(%a) ${dictionaries} : (tensor<2xf32>) -> tensor<2xf32>
        return
      }`),
    );
    expect(op!.attributes).toEqual(attributes);
    expect(op!.discardable).toEqual(discardable);
  });

  test('collectives', () => {
    const text = `func.func @f(%a: tensor<2xf32>) {
      %0 = "stablehlo.all_reduce"(%a) <{
        replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids
      }> ({
      ^reducer(%x: tensor<f32>, %y: tensor<f32>):
        %1 = stablehlo.add %x, %y : tensor<f32>
        "stablehlo.return"(%1) : (tensor<f32>) -> ()
      }) : (tensor<2xf32>) -> tensor<2xf32>
      return
    }`;
    expect(attributesOf(text)).toEqual(collective);
  });

  test('groups by the axes of a mesh', () => {
    const axes = '#stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "x">]>';
    expect(
      attributesOf(`func.func @f(%a: tensor<2xf32>) {
        %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = ${axes}} : (tensor<2xf32>) -> tensor<4xf32>
        return
      }`),
    ).toEqual({ replicaGroups: [], meshAxes: { mesh: 'm', axes: [{ name: 'x' }] }, allGatherDim: 0 });
  });

  test('gather', () => {
    expect(
      attributesOf(`func.func @f(%a: tensor<3x4xf32>, %i: tensor<2x1xi64>) {
        %0 = "stablehlo.gather"(%a, %i) {
          dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1,>,
          slice_sizes = array<i64: 1, 4>
        } : (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
        return
      }`),
    ).toEqual({
      dimensionNumbers: {
        offsetDims: [1],
        collapsedSliceDims: [0],
        operandBatchingDims: [],
        startIndicesBatchingDims: [],
        startIndexMap: [0],
        indexVectorDim: 1,
      },
      sliceSizes: [1, 4],
      indicesAreSorted: false,
    });
  });

  test('windows without some of their attributes', () => {
    expect(
      attributesOf(`func.func @f(%a: tensor<4x4xf32>, %i: tensor<f32>) {
        %0 = "stablehlo.reduce_window"(%a, %i) ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %1 = stablehlo.maximum %x, %y : tensor<f32>
          stablehlo.return %1 : tensor<f32>
        }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<3x3xf32>
        return
      }`),
    ).toEqual({
      windowDimensions: [2, 2],
      windowStrides: [1, 1],
      baseDilations: [1, 1],
      windowDilations: [1, 1],
      padding: [
        [0, 0],
        [0, 0],
      ],
    });
  });

  test('unknown ops', () => {
    const [op] = bodyOf(
      roundTrip(
        `func.func @f(%a: tensor<2xf32>) {
        %0:2 = "test.op"(%a) <{x = 1 : i8}> ({
          "test.yield"(%a) : (tensor<2xf32>) -> ()
        }, {}) {y} : (tensor<2xf32>) -> (tensor<2xf32>, i32x)
        return
      }`.replace('i32x', 'tensor<i32>'),
      ),
    );
    expect(op).toMatchObject({
      name: 'unregistered',
      attributes: { name: 'test.op', properties: '{x = 1 : i8}' },
      discardable: { y: '' },
    });
    expect(op!.regions.map(r => r.ops.length)).toEqual([1, 0]);
  });

  test('modules and functions', () => {
    const module = parseModule(`"builtin.module"() <{sym_name = "m"}> ({
      "func.func"() <{function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = "f", arg_attrs = [{a.b = 1}]}> ({
      ^bb0(%arg0: tensor<2xf32>):
        "func.return"(%arg0) : (tensor<2xf32>) -> ()
      }) : () -> ()
      "func.func"() <{function_type = () -> tensor<f32>, sym_name = "g", sym_visibility = "private"}> ({}) : () -> ()
    }) {mhlo.num_partitions = 2 : i32} : () -> ()`);
    expect(
      printModule(module),
    ).toBe(`module @m attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @f(%arg0: tensor<2xf32> {a.b = 1}) -> (tensor<2xf32>) {
    return %arg0 : tensor<2xf32>
  }
  func.func private @g() -> (tensor<f32>)
}
`);
  });
});

describe('modules and functions', () => {
  test('headers, attributes, visibility', () => {
    const module = roundTrip(`
      // A comment.
      module @jit_f attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 2 : i32, jax.uses_shape_polymorphism = false} {
        func.func public @main(%arg0: tensor<2xf32> {mhlo.layout_mode = "default", tf.aliasing_output = 0 : i32}, %b: tensor<i32>)
            -> (tensor<2xf32> {jax.result_info = "x[0]"}) attributes {note} {
          %0 = call @"<lambda>"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
          return %0 : tensor<2xf32>
        }
        func.func private @"<lambda>"(%arg0: tensor<2xf32>) -> tensor<2xf32> {
          func.return %arg0 : tensor<2xf32>
        }
        func.func nested @g(tensor<2xf32> {a = 1}, tensor<i32>) -> (tensor<f32>, tensor<i1> {b})
      }`);
    expect(module).toMatchObject({
      name: 'jit_f',
      numPartitions: 8,
      numReplicas: 2,
      discardable: { 'jax.uses_shape_polymorphism': 'false' },
    });
    const [main, lambda, g] = module.functions;
    expect(main).toMatchObject({
      visibility: 'public',
      aliases: [0, undefined],
      argAttributes: [{ discardable: { 'mhlo.layout_mode': '"default"' } }, undefined],
      resultAttributes: [{ discardable: { 'jax.result_info': '"x[0]"' } }],
      discardable: { note: '' },
    });
    expect(main!.body.ops[0]).toMatchObject({ name: 'func.call', attributes: { callee: '<lambda>' } });
    expect(lambda!.visibility).toBe('private');
    expect(g).toMatchObject({ visibility: 'nested', argAttributes: [{ discardable: { a: '1' } }, undefined] });
    expect(g!.declaredResults).toHaveLength(2);
  });

  test('a file without a module', () => {
    const module = roundTrip('func.func @a() { return }\nfunc.func private @b() { return }');
    expect(module.functions.map(f => f.name)).toEqual(['a', 'b']);
  });

  test('outer values are visible in regions', () => {
    roundTrip(`func.func @f(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = "stablehlo.if"(%c) ({
        %1 = stablehlo.negate %x : tensor<2xf32>
        stablehlo.return %1 : tensor<2xf32>
      }, {
        %1 = stablehlo.abs %x : tensor<2xf32>
        stablehlo.return %1 : tensor<2xf32>
      }) : (tensor<i1>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }`);
  });

  test('ids grow in the order of the program', () => {
    const ids: number[] = [];
    const module = parseModule('func.func @f(%a: tensor<f32>) { %0 = stablehlo.abs %a : tensor<f32>\n return }');
    const [func] = module.functions;
    ids.push(func!.body.args[0]!.id, func!.body.ops[0]!.results[0]!.id);
    expect(ids).toEqual([0, 1]);
  });

  test('chunks', () => {
    expect(splitChunks('a\n// -----\nb\n// // -----\nc')).toHaveLength(3);
  });
});

describe('types', () => {
  test.each([
    'tensor<f32>',
    'tensor<0x3xi1>',
    'tensor<4x?xui16>',
    'tensor<?x?xf32, #stablehlo.bounds<?, 8>>',
    'tensor<2x!quant.uniform<i8:f32, 0.5:-3>>',
    'tensor<2x!quant.uniform<u8<1:254>:f32, 0.5>>',
    'tensor<2x3x!quant.uniform<i8<-127:127>:f32:1, {0.1, 0.2:5, 1.0e-7}>>',
    'tensor<2xcomplex<f64>>',
    'tensor<2xf8E4M3B11FNUZ>',
    'tensor<2xf4E2M1FN>',
    'tensor<2xtf32>',
    'tuple<tensor<f32>, tuple<>, !stablehlo.token>',
    '!stablehlo.future<tensor<2xf32>, tensor<i8>>',
    'tensor<10x20xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>',
  ])('%s', text => {
    const module = roundTrip(`func.func private @f(%a: ${text}) -> ${text} { return %a : ${text} }`);
    expect(printModule(module)).toContain(`(%arg0: ${text})`);
  });

  test('other spellings', () => {
    const text = `!t = tensor<2xf32>
#CSR = #sparse_tensor.encoding<{}>
func.func @f(%a: !t, %b: tensor<?xf32, #stablehlo.type_extensions<bounds = [4]>>, %c: tensor<2x!e>, %d: tensor<4xindex>, %e: tensor<2xf32, #CSR>) { return }
!e = !quant.uniform<i8:f32, 1>`;
    const [func] = roundTrip(text).functions;
    expect(func!.body.args.map(a => a.type)).toEqual([
      { kind: 'tensor', shape: [2], elementType: 'f32' },
      { kind: 'tensor', shape: [-1], elementType: 'f32', bounds: [4] },
      {
        kind: 'tensor',
        shape: [2],
        elementType: 'i8',
        quantization: { expressedType: 'f32', scales: [1], zeroPoints: [0] },
      },
      { kind: 'tensor', shape: [4], elementType: 'i64' },
      { kind: 'tensor', shape: [2], elementType: 'f32', encoding: '#sparse_tensor.encoding<{}>' },
    ]);
  });
});

describe('literals', () => {
  const literalOf = (text: string) => {
    const [op] = bodyOf(roundTrip(`func.func @f() { %0 = stablehlo.constant ${text}\nreturn }`));
    return (op as Op<'constant'>).attributes.value;
  };
  test.each([
    ['dense<[[1, 2], [-3, 0x7F]]> : tensor<2x2xi8>', [1, 2, -3, 127]],
    ['dense<255> : tensor<2xi8>', [-1, -1]],
    ['dense<[true, false, 1]> : tensor<3xi1>', [1, 0, 1]],
    ['dense<[1.0, -2.5e-1, 0x7F800000]> : tensor<3xf32>', [1, -0.25, Infinity]],
    ['dense<[0x3FF0000000000000, 1.0]> : tensor<2xf64>', [1, 1]],
    ['dense<0x3C00> : tensor<1xf16>', [1]],
    ['dense<[0x3F80, 2.0]> : tensor<2xbf16>', [1, 2]],
    ['dense<[1.0, 0x7E]> : tensor<2xf8E4M3FN>', [1, 448]],
    ['dense<[-8, 7]> : tensor<2xi4>', [-8, 7]],
    ['dense<[3, 1]> : tensor<2xui2>', [3, 1]],
    ['dense<[(1.0, -2.0), (0x7F800000, 0.5)]> : tensor<2xcomplex<f32>>', [1, -2, Infinity, 0.5]],
    ['dense<(0.0, 1.0)> : tensor<2xcomplex<f64>>', [0, 1, 0, 1]],
    ['dense<> : tensor<0x3xf32>', []],
    ['dense<1> : tensor<0xi32>', []],
    ['dense<"0x0000803F00000040"> : tensor<2xf32>', [1, 2]],
    ['dense<"0x0000803F"> : tensor<2xf32>', [1, 1]],
    // One byte a boolean; or eight, as older versions wrote them.
    ['dense<"0x010001"> : tensor<3xi1>', [1, 0, 1]],
    ['dense<"0x05"> : tensor<3xi1>', [1, 0, 1]],
    ['dense<"0xFF"> : tensor<9xi1>', [1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ['dense<"0x0F03"> : tensor<2xi4>', [-1, 3]],
    ['dense<[1, // one\n 2]> : tensor<2xi32>', [1, 2]],
  ])('%s', (text, numbers) => {
    expect(toNumbers(literalOf(text))).toEqual(numbers);
  });
  test('64 bits', () => {
    const signed = literalOf(
      'dense<[-9223372036854775808, 9223372036854775807, 18446744073709551615]> : tensor<3xi64>',
    );
    expect([...(signed.data as BigInt64Array)]).toEqual([-(2n ** 63n), 2n ** 63n - 1n, -1n]);
    const unsigned = literalOf('dense<18446744073709551615> : tensor<ui64>');
    expect(unsigned.data[0]).toBe(2n ** 64n - 1n);
  });
  test('bits of NaN are kept', () => {
    expect([...bytesOf(literalOf('dense<[0xFFC00001, 1.0]> : tensor<2xf32>'))].slice(0, 4)).toEqual([1, 0, 0xc0, 0xff]);
    expect(literalOf('dense<[0x7FC1, 1.0]> : tensor<2xbf16>').data[0]).toBe(0x7fc1);
  });
  test('resources at the end of the text', () => {
    const text = `module {
      func.func @f() { %0 = stablehlo.constant dense_resource<w> : tensor<2xf32>\nreturn }
    }
    {-#
      dialect_resources: {
        builtin: {
          v: "0x04000000",
          w: "0x040000000000803F00000040"
        }
      }
    #-}`;
    const [op] = bodyOf(parseModule(text));
    expect(toNumbers((op as Op<'constant'>).attributes.value)).toEqual([1, 2]);
    expect(message(text.replace('<w>', '<u>'))).toContain("'u', which was omitted");
  });
  test('a constant whose type differs from that of its elements', () => {
    roundTrip(`func.func @f() {
      %0 = stablehlo.constant() <{value = dense<1> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 1.0>>
      %1 = arith.constant dense<2> : tensor<i32>
      return
    }`);
  });
  test.each([
    ['dense<[1, 2]> : tensor<3xi32>', 'expected 3 elements in dim 0, found 2'],
    ['dense<[1, 2, 3, 4]> : tensor<3xi32>', 'expected 3 elements in dim 0, found more'],
    ['dense<[[1]]> : tensor<1xi32>', 'expected an integer of type i32'],
    ['dense<256> : tensor<1xi8>', 'expected an integer that fits i8'],
    ['dense<-1> : tensor<1xui8>', 'expected an integer that fits ui8'],
    ['dense<1> : tensor<1xf32>', 'expected a number of type f32, with a decimal point'],
    ['dense<1.0> : tensor<1xi32>', 'expected an integer of type i32'],
    ['dense<true> : tensor<1xi32>', 'expected a number of type i32'],
    ['dense<"0x00"> : tensor<2xi32>', 'expected 16 digits for 2 elements, found 2 digits'],
    ['dense<"0x0G00000000000000"> : tensor<2xi32>', 'expected hexadecimal digits'],
    ['dense<> : tensor<2xi32>', 'expected 2 elements, found none'],
    ['dense<1> : tensor<?xi32>', 'expected a static type'],
    ['dense<1.0> : tensor<1xcomplex<f32>>', 'expected a pair (real, imaginary)'],
  ])('%s is refused', (text, expected) => {
    expect(message(`func.func @f() { %0 = stablehlo.constant ${text}\nreturn }`)).toContain(expected);
  });
});

describe('locations', () => {
  const locationOf = (location: string, before = '', after = '') =>
    bodyOf(
      parseModule(`${before}
func.func @f(%a: tensor<f32> loc("a")) -> (tensor<f32>) {
  %0 = stablehlo.abs %a : tensor<f32> ${location}
  return %0 : tensor<f32> loc(unknown)
} loc(unknown)
${after}`),
    )[0]!.location;
  const place = { file: 'm.py', line: 3, column: 7 };
  test.each([
    ['loc("m.py":3:7)', place],
    ['loc("m.py":3:7 to 4:1)', place],
    ['loc("m.py":3:7 to :9)', place],
    ['loc("name"("m.py":3:7))', place],
    ['loc(callsite("m.py":3:7 at "n.py":1:1))', place],
    ['loc(callsite("f" at "m.py":3:7))', place],
    ['loc(fused<"meta">[unknown, "m.py":3:7])', place],
    ['loc(unknown)', undefined],
    ['', undefined],
    ['loc(#loc1)', place],
  ])('%s', (text, expected) => {
    expect(locationOf(text, '', '#loc = loc("m.py":3:7)\n#loc1 = loc("jit(f)"(#loc))')).toEqual(expected);
    expect(locationOf(text, '#loc1 = loc("m.py":3:7)')).toEqual(expected);
  });
  test('an op without a location gets its position in the file', () => {
    const text = 'func.func @f(%a: tensor<f32>) {\n  %0 = stablehlo.abs %a : tensor<f32>\n  return\n}';
    expect(bodyOf(parseModule(text, { file: 'f.mlir' }))[0]!.location).toEqual({ file: 'f.mlir', line: 2, column: 8 });
    expect(bodyOf(parseModule(text))[0]!.location).toBeUndefined();
  });
});

describe('aliases', () => {
  test('are replaced in attributes that are kept as text', () => {
    const module = roundTrip(`#map = affine_map<(d0) -> (d0)>
#both = [#map, #last]
func.func @f() attributes {a = #both, b = {c = #map, t = !t}} { return }
#last = 7 : i32
!t = tensor<2xf32>`);
    expect(module.functions[0]!.discardable).toEqual({
      a: '[affine_map<(d0) -> (d0)>, 7 : i32]',
      b: '{c = affine_map<(d0) -> (d0)>, t = tensor<2xf32>}',
    });
  });
  test('that are recursive or expand without limit are rejected', () => {
    expect(message('#a = [#b]\n#b = [#a]\nfunc.func @f() attributes {x = #a} { return }')).toContain('200 levels');
    const bomb = Array.from({ length: 40 }, (_, i) => `#a${i} = [#a${i + 1}, #a${i + 1}]`).join('\n');
    const text = `${bomb}\n#a40 = "some longer text, so that there is something to repeat"\nfunc.func @f() attributes {x = #a0} { return }`;
    expect(message(text)).toContain('expected aliases that expand to less text');
  });
});

describe('strings', () => {
  test.each([
    ['"a\\22b\\\\c\\0A\\n"', 'a"b\\c\n\n', '"a\\22b\\5Cc\\0A\\0A"'],
    ['"\\C3\\A9 é"', 'é é', '"\\C3\\A9 \\C3\\A9"'],
    // Bytes that are not text.
    ['"\\08\\FF"', '\b\udcff', '"\\08\\FF"'],
  ])('%s', (text, value, printed) => {
    const [op] = bodyOf(
      roundTrip(`func.func @f() { stablehlo.custom_call @t() {backend_config = ${text}} : () -> ()\nreturn }`),
    );
    expect(op!.attributes).toMatchObject({ backendConfig: value });
    expect(printOp(op!)).toContain(printed);
  });
});

describe('errors', () => {
  test('state the position, what was expected and what was found', () => {
    const text = 'func.func @f(%a: tensor<2xf32>) {\n\t%0 = stablehlo.add %a, %b : tensor<2xf32>\n  return\n}';
    expect(
      message(text, 'model.mlir'),
    ).toBe(`model.mlir:2:25: expected a value that is already defined, found '%b', which is not
	%0 = stablehlo.add %a, %b : tensor<2xf32>
	                       ^`);
  });
  test('show a part of long lines', () => {
    const text = `func.func @f() { ${' '.repeat(500)} ? ${' '.repeat(500)} return }`;
    const [, line, caret] = message(text).split('\n');
    expect(line!.length).toBeLessThan(130);
    expect(line![caret!.indexOf('^')]).toBe('?');
  });

  const body = (text: string): string => `func.func @f(%a: tensor<2xf32>, %b: tensor<i32>) {\n${text}\nreturn\n}`;
  test.each([
    ['', "'}'"],
    ['%0 = stablehlo.foo %a : tensor<2xf32>', 'an op of the dialect stablehlo'],
    ['%0 = "stablehlo.foo"(%a) : (tensor<2xf32>) -> ()', 'an op of the dialect stablehlo'],
    ['%0 = other.op %a', 'an op that is known, or the generic form'],
    ['%0 = stablehlo.sort %a : tensor<2xf32>', 'the generic form "stablehlo.sort"(…)'],
    ['%0 = stablehlo.add %a, %b : tensor<2xf32>', 'the type of operand 1, tensor<i32>, found tensor<2xf32>'],
    ['%0 = stablehlo.add %a, %a, %a : (tensor<2xf32>) -> tensor<2xf32>', '3 types, one for each operand, found 1'],
    ['%0:2 = stablehlo.abs %a : tensor<2xf32>', 'names for 1 results, found 2'],
    ['%a = stablehlo.abs %a : tensor<2xf32>', "a new name, found '%a', which is already defined"],
    ['%0 = stablehlo.custom_call "t"(%a) : (tensor<2xf32>) -> ()', 'a symbol'],
    ['%0 = stablehlo.abs %a#1 : tensor<2xf32>', 'a value that is already defined'],
    [
      '%0 = "stablehlo.transpose"(%a) : (tensor<2xf32>) -> tensor<2xf32>',
      "the attribute 'permutation' of stablehlo.transpose",
    ],
    ['%0 = "stablehlo.transpose"(%a) {permutation = "x"} : (tensor<2xf32>) -> tensor<2xf32>', 'a list of integers'],
    [
      '%0 = stablehlo.compare XX, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>',
      'one of EQ, NE, GE, GT, LE, LT',
    ],
    ['%0 = stablehlo.abs %a {a, a} : tensor<2xf32>', 'each attribute once'],
    ['%0 = stablehlo.abs %a : tensor<2xf33>', 'a type'],
    ['%0 = stablehlo.abs %a : tensor<*xf32>', 'the sizes of a tensor'],
    ['%0 = stablehlo.abs %a : tensor<2xf32', "'>'"],
    ['%0 = stablehlo.abs %a : f32', 'the type of a tensor, token, tuple or future'],
    ['%0 = stablehlo.abs %a {x = "y : tensor<2xf32>', 'a string that ends on its line'],
    ['%0 = stablehlo.abs %a : ;', 'a token of MLIR'],
    ['return %a : tensor<2xf32>\n%0 = stablehlo.abs %a : tensor<2xf32>', "'}' (a region has one block"],
    ['%0 = stablehlo.slice %a [0:1:] : (tensor<2xf32>) -> tensor<1xf32>', 'a stride'],
    ['%0 = stablehlo.reduce_precision %a, format = f16 : tensor<2xf32>', "a format such as 'e5m10'"],
    [
      '%0 = stablehlo.reduce(%a init: %b) applies stablehlo.subtract across dimensions = [0] : (tensor<2xf32>, tensor<i32>) -> tensor<f32>',
      'stablehlo.add, stablehlo.and',
    ],
    [
      '%0 = stablehlo.reshape %a : (tensor<2xf32>) -> !stablehlo.token',
      'a tensor as result 0 of stablehlo.reshape, found token',
    ],
  ])('%s', (text, expected) => {
    const what = text === '' ? message('func.func @f() {\nreturn') : message(body(text));
    expect(what).toContain(`expected ${expected}`);
  });
  test.each([
    ['func.func @f() -> tensor<f32> { return }', 'expected 0 types'],
    ['func.func @f(tensor<f32>) { return }', 'names for the arguments'],
    ['func.func @f(%a: tensor<f32>)', 'the body of @f'],
    ['module { func.func @f() { return } } x', 'the end of the text'],
    ['stablehlo.add', 'a function'],
    ['func.func @f() { return\n^bb1:\nreturn }', 'a region has one block'],
  ])('%s', (text, expected) => {
    expect(message(text)).toContain(expected);
  });

  test('for excessive nesting', () => {
    const deep = 100_000;
    const inside = (open: string): string => `func.func @f() attributes {a = ${open.repeat(deep)}`;
    for (const text of [
      inside('['),
      inside('{a = '),
      inside('('),
      inside('tuple<'),
      `func.func @f(%a: ${'tuple<'.repeat(deep)}`,
      `func.func @f() { ${'"a.b"() ({ '.repeat(deep)}`,
      `func.func @f() { return loc(${'callsite('.repeat(deep)}`,
      `func.func @f() { %0 = stablehlo.constant dense<${'['.repeat(deep)}> : tensor<1xi32>`,
    ])
      expect(message(text)).toMatch(/levels of nesting|expected a number|expected an integer/);
  });
});

test('random edits give only programs or typed errors', () => {
  const random = randomOf(1);
  const texts = opSamples().map(({ func }) => printModule(moduleOf(func)));
  for (let i = 0; i < 2000; i++) {
    const text = mutated(random, texts[i % texts.length]!);
    try {
      printModule(parseModule(text));
    } catch (error) {
      if (!isTrenioError(error)) throw new Error(`not a TrenioError, for\n${text}`, { cause: error });
    }
  }
});
