"""What Shardy's propagation makes of programs: the text before and after it, of programs below and of some that JAX lowers.

    python scripts/golden/make-propagation-golden.py > test/golden/propagation.json        # needs jax 0.10.2
"""
import json
import os
import re

os.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=8'
os.environ['JAX_PLATFORMS'] = 'cpu'

import jax
import jax.numpy as jnp
import numpy as np
from jax._src.interpreters import mlir
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
from jaxlib.mlir import ir, passmanager

# sdy-propagation-pipeline up to the text it dumps as "after_propagation".
PASSES = """sdy-import-pipeline sdy-flatten-call-graph symbol-dce sdy-import-func-calls symbol-dce sdy-apply-sharding-constraints
sdy-sharding-group-import sdy-pre-order-funcs sdy-user-priority-propagate sdy-export-named-computations sdy-propagate-to-func-results
sdy-unflatten-call-graph symbol-dce func.func(sdy-constant-or-scalar-merger) func.func(sdy-sink-data-flow-edges)
sdy-remove-sharding-groups func.func(sdy-sharding-constraint-to-reshard) sdy-update-non-divisible-input-output-shardings
sdy-remove-sub-axes-in-input-output-shardings sdy-close-shardings""".split()

AB = '["a"=2, "b"=2]'
X, Y = 'tensor<8x8xf32>', 'tensor<8x16xf32>'


def sh(dims, mesh='mesh'):
    return '{sdy.sharding = #sdy.sharding<@%s, %s>}' % (mesh, dims)


def per_value(dims):
    return '{sdy.sharding = #sdy.sharding_per_value<[<@mesh, %s>]>}' % dims


PROGRAMS = {
    'a product and a constraint': (AB, f"""
func.func @main(%x: {X} {sh('[{"a"}, {}]')}, %y: {Y}) -> {Y} {{
  %c = stablehlo.constant dense<1.0> : {Y}
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : ({X}, {Y}) -> {Y}
  %1 = stablehlo.add %0, %c : {Y}
  %2 = sdy.sharding_constraint %1 <@mesh, [{{}}, {{"b"}}]> : {Y}
  %3 = stablehlo.add %2, %c : {Y}
  return %3 : {Y}
}}"""),
    'calls with different shardings': (AB, f"""
func.func @main(%x: {X} {sh('[{"a"}, {}]')}, %y: {X} {sh('[{}, {"b"}]')}) -> ({X}, {X}) {{
  %0 = call @f(%x) : ({X}) -> {X}
  %1 = call @f(%y) : ({X}) -> {X}
  return %0, %1 : {X}, {X}
}}
func.func private @f(%x: {X}) -> {X} {{
  %0 = stablehlo.tanh %x : {X}
  return %0 : {X}
}}"""),
    'a result': (AB, f"""
func.func @main(%x: {X}, %y: {Y}) -> ({Y} {sh('[{"a"}, {"b"}]')}) {{
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : ({X}, {Y}) -> {Y}
  return %0 : {Y}
}}"""),
    'a loop': (AB, f"""
func.func @main(%x: {X} {sh('[{"a"}, {?}]')}, %y: {X} {sh('[{?}, {"b"}]')}) -> {X} {{
  %c = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %z = %x) : tensor<i32>, {X}
  cond {{
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.multiply %z, %y : {X}
    stablehlo.return %j, %w : tensor<i32>, {X}
  }}
  return %0#1 : {X}
}}"""),
    'branches and a barrier': (AB, f"""
func.func @main(%i: tensor<i32>, %x: {X} {sh('[{"a"}, {?}]')}, %y: {X} {sh('[{?}, {"b"}]')}) -> {X} {{
  %0 = "stablehlo.case"(%i) ({{
    stablehlo.return %x : {X}
  }}, {{
    %1 = stablehlo.negate %y : {X}
    stablehlo.return %1 : {X}
  }}) : (tensor<i32>) -> {X}
  %2 = stablehlo.optimization_barrier %0 : {X}
  return %2 : {X}
}}"""),
    'a partly manual computation': ('["a"=2, "b"=2, "c"=2]', f"""
func.func @main(%x: {X} {sh('[{"a"}, {}]')}, %y: {X} {sh('[{}, {"c"}]')}) -> {X} {{
  %0 = sdy.manual_computation(%x, %y) in_shardings=[<@mesh, [{{"a", ?}}, {{?}}]>, <@mesh, [{{"a", ?}}, {{?}}]>]
      out_shardings=[<@mesh, [{{"a", ?}}, {{?}}]>] manual_axes={{"a", "b"}} (%p: tensor<4x8xf32>, %q: tensor<4x8xf32>) {{
    %1 = stablehlo.add %p, %q : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  }} : ({X}, {X}) -> {X}
  return %0 : {X}
}}"""),
    'priorities of the user': (AB, f"""
func.func @main(%x: {X} {sh('[{"a"}p1, {?}p2]')}, %y: {X} {sh('[{"b"}p0, {"a"}p1]')}, %z: {X}) -> {X} {{
  %0 = stablehlo.add %x, %y : {X}
  %1 = stablehlo.multiply %0, %z : {X}
  return %1 : {X}
}}"""),
    'priorities of ops': (AB, f"""
func.func @main(%x: {X} {sh('[{"a"}, {}]')}, %y: tensor<8xf32> {sh('[{"a"}]')}, %z: {X}) -> {X} {{
  %0 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<8xf32>) -> {X}
  %1 = stablehlo.dot_general %z, %0, contracting_dims = [1] x [0] : ({X}, {X}) -> {X}
  %2 = stablehlo.add %1, %x : {X}
  %3 = stablehlo.add %2, %2 : {X}
  return %3 : {X}
}}"""),
    'a conflict between factors': (AB, f"""
func.func @main(%x: tensor<8x4xf32> {sh('[{"a"}, {?}]')}, %y: tensor<4x16xf32> {sh('[{?}, {"a"}]')}) -> {Y} {{
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x16xf32>) -> {Y}
  return %0 : {Y}
}}"""),
    'parts of axes': ('["a"=4, "b"=2]', f"""
func.func @main(%x: tensor<2x8x6xf32> {sh('[{}, {"a"}, {"b"}]')}) -> tensor<16x6xf32> {{
  %0 = stablehlo.reshape %x : (tensor<2x8x6xf32>) -> tensor<16x6xf32>
  %1 = stablehlo.reshape %0 : (tensor<16x6xf32>) -> tensor<4x2x2x6xf32>
  %2 = stablehlo.negate %1 {per_value('[{"a", ?}, {?}, {?}, {?}]')} : tensor<4x2x2x6xf32>
  %3 = stablehlo.reshape %2 : (tensor<4x2x2x6xf32>) -> tensor<16x6xf32>
  return %3 : tensor<16x6xf32>
}}"""),
    'dims that do not divide': ('["a"=4]', f"""
func.func @main(%x: tensor<6x8xf32>, %y: tensor<6x8xf32>) -> (tensor<6x8xf32>, tensor<5x8xf32>) {{
  %0 = stablehlo.add %x, %y {per_value('[{"a"}, {?}]')} : tensor<6x8xf32>
  %1 = stablehlo.slice %0 [0:5, 0:8] : (tensor<6x8xf32>) -> tensor<5x8xf32>
  return %0, %1 : tensor<6x8xf32>, tensor<5x8xf32>
}}"""),
    'a group': (AB, f"""
func.func @main(%x: {X} {sh('[{"a"}, {?}]')}, %y: {X}) -> ({X}, {X}) {{
  %0 = stablehlo.negate %x : {X}
  %1 = stablehlo.tanh %y : {X}
  sdy.sharding_group %0 group_id=3 : {X}
  sdy.sharding_group %1 group_id=3 : {X}
  return %0, %1 : {X}, {X}
}}"""),
    'chained constraints, one after a loop': (AB, f"""
func.func @main(%x: {X}, %y: {X}) -> ({X}, {X}) {{
  %0 = stablehlo.add %x, %y : {X}
  %1 = sdy.sharding_constraint %0 <@mesh, [{{"a"}}, {{}}]> : {X}
  %2 = sdy.sharding_constraint %1 <@mesh, [{{}}, {{"b"}}]> : {X}
  %3 = stablehlo.negate %0 : {X}
  %4 = stablehlo.optimization_barrier %3 : {X}
  %5 = sdy.sharding_constraint %4 <@mesh, [{{"b"}}, {{}}]> : {X}
  %6 = stablehlo.tanh %4 : {X}
  return %2, %6 : {X}, {X}
}}"""),
    'a stated rule': (AB, f"""
func.func @main(%x: {X} {sh('[{"a"}, {"b"}]')}) -> {X} {{
  %0 = stablehlo.custom_call @f(%x) {{sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {{i=8, j=8}} need_replication={{j}}, custom>}} : ({X}) -> {X}
  return %0 : {X}
}}"""),
    'an embedding': (AB, f"""
func.func @main(%t: tensor<32x8xf32> {sh('[{"b"}, {}]')}, %i: tensor<4x6xi32> {sh('[{"a"}, {}]')}) -> tensor<4x6x8xf32> {{
  %0 = stablehlo.reshape %i : (tensor<4x6xi32>) -> tensor<4x6x1xi32>
  %1 = "stablehlo.gather"(%t, %0) <{{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}}> : (tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  return %1 : tensor<4x6x8xf32>
}}"""),
}

devices = np.array(jax.devices()).reshape(2, 4)
mesh = Mesh(devices, ('data', 'model'))
on = lambda *spec: NamedSharding(mesh, P(*spec))
zeros = lambda *shape: jnp.zeros(shape, jnp.float32)


def loss(w, x):
    h = jax.nn.gelu(x @ w['up'])
    h = jax.lax.with_sharding_constraint(h, on('data', 'model'))
    return jnp.mean(jax.nn.log_softmax(h @ w['down'])[:, 0])


def step(w, x):
    value, grads = jax.value_and_grad(loss)(w, x)
    return value, jax.tree.map(lambda p, g: p - 0.1 * g, w, grads)


def scanned(w, x):
    def body(h, weight):
        return jnp.tanh(h @ weight), h.sum()
    return jax.lax.scan(body, x, w)


def partly_manual(w, x):
    body = lambda a, b: jax.lax.psum(a @ b, 'model')
    mapped = jax.shard_map(body, mesh=mesh, in_specs=(P(None, 'model'), P('model', None)), out_specs=P(), axis_names={'model'})
    return mapped(jax.lax.with_sharding_constraint(x, on('data', None)), w)


def lowered(f, shardings, *args):
    return jax.jit(f, in_shardings=shardings).lower(*args).as_text()


weights = {'up': on(None, 'model'), 'down': on('model', None)}
TEXTS = {name: f'sdy.mesh @mesh = <{axes}>{text}' for name, (axes, text) in PROGRAMS.items()} | {
    'JAX: a training step': lowered(step, (weights, on('data', None)), {'up': zeros(16, 32), 'down': zeros(32, 8)}, zeros(8, 16)),
    'JAX: a scan': lowered(scanned, (on(None, 'model', None), on('data', None)), zeros(3, 16, 16), zeros(8, 16)),
    'JAX: a partly manual computation': lowered(partly_manual, (on('model', None), on('data', None)), zeros(16, 32), zeros(8, 16)),
}

cases = []
with mlir.make_ir_context() as context:
    for name, text in TEXTS.items():
        module = ir.Module.parse(text)
        before = str(module)
        passmanager.PassManager.parse(f'builtin.module({",".join(PASSES)})').run(module.operation)
        cases.append({'name': name, 'program': before, 'propagated': re.sub(r', xla\.sdy\.original_func_name = "\w+"', '', str(module))})
print('[\n' + ',\n'.join(json.dumps(case) for case in cases) + '\n]')
