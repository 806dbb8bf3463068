// Matrix multiplies of OpenBLAS (-DOPENBLAS) or oneDNN (-DONEDNN), called in the same way as Trenio's by bench/gemm.ts. Not part of the
// product. Element types: 0 f32, 1 bf16 with results of bf16.
#include <stdint.h>
#include <stdlib.h>
typedef struct { int64_t type, batch, m, n, k, a_batch, a_m, a_k, b_batch, b_k, b_n, c_batch, c_m; } shape;

#ifdef OPENBLAS
#include <cblas.h>
// The first call makes the threads; they inherit the cores that the caller may run on.
void peer_threads(int threads) {
  static float x[3][256 * 256];
  static int made;
  openblas_set_num_threads(threads);
  if (!made++) cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 256, 256, 256, 1, x[0], 256, x[1], 256, 0, x[2], 256);
}
int64_t peer_prepare(const shape *s) { (void)s; return 0; }
int peer_run(const shape *s, int64_t prepared, int64_t repeat, const float *a, const float *b, float *c) {
  (void)prepared;
  if (s->type != 0) return 1;
  while (repeat-- > 0)
    for (int64_t i = 0; i < s->batch; i++)
      cblas_sgemm(CblasRowMajor, s->a_k == 1 ? CblasNoTrans : CblasTrans, s->b_n == 1 ? CblasNoTrans : CblasTrans, s->m, s->n,
                  s->k, 1, a + i * s->a_batch, s->a_k == 1 ? s->a_m : s->a_k, b + i * s->b_batch,
                  s->b_n == 1 ? s->b_k : s->b_n, 0, c + i * s->c_batch, s->c_m);
  return 0;
}
#endif

#ifdef ONEDNN
#include <omp.h>
#include <oneapi/dnnl/dnnl.h>
typedef struct { dnnl_primitive_t primitive; dnnl_memory_t a, b, c; } prepared_multiply;
static dnnl_engine_t engine;
static dnnl_stream_t stream;
// The first call makes the threads; they inherit the cores that the caller may run on.
void peer_threads(int threads) {
  omp_set_num_threads(threads);
#pragma omp parallel
  __asm__ volatile("");
  if (!engine) dnnl_engine_create(&engine, dnnl_cpu, 0), dnnl_stream_create(&stream, engine, dnnl_stream_default_flags);
}
int64_t peer_prepare(const shape *s) {
  const dnnl_data_type_t type = s->type == 0 ? dnnl_f32 : dnnl_bf16;
  const dnnl_dim_t a_dims[16] = {s->batch, s->m, s->k}, a_strides[16] = {s->a_batch, s->a_m, s->a_k};
  const dnnl_dim_t b_dims[16] = {s->batch, s->k, s->n}, b_strides[16] = {s->b_batch, s->b_k, s->b_n};
  const dnnl_dim_t c_dims[16] = {s->batch, s->m, s->n}, c_strides[16] = {s->c_batch, s->c_m, 1};
  const int skip = s->batch == 1;
  dnnl_memory_desc_t a, b, c;
  dnnl_memory_desc_init_by_strides(&a, 3 - skip, a_dims + skip, type, a_strides + skip);
  dnnl_memory_desc_init_by_strides(&b, 3 - skip, b_dims + skip, type, b_strides + skip);
  dnnl_memory_desc_init_by_strides(&c, 3 - skip, c_dims + skip, type, c_strides + skip);
  dnnl_matmul_desc_t description;
  dnnl_primitive_desc_t choice;
  prepared_multiply *p = calloc(1, sizeof *p);
  if (dnnl_matmul_desc_init(&description, &a, &b, 0, &c) != dnnl_success) return 0;
  if (dnnl_primitive_desc_create(&choice, &description, 0, engine, 0) != dnnl_success) return 0;
  if (dnnl_primitive_create(&p->primitive, choice) != dnnl_success) return 0;
  dnnl_memory_create(&p->a, &a, engine, DNNL_MEMORY_NONE);
  dnnl_memory_create(&p->b, &b, engine, DNNL_MEMORY_NONE);
  dnnl_memory_create(&p->c, &c, engine, DNNL_MEMORY_NONE);
  return (int64_t)p;
}
int peer_run(const shape *s, int64_t prepared, int64_t repeat, const float *a, const float *b, float *c) {
  prepared_multiply *p = (prepared_multiply *)prepared;
  (void)s;
  if (!p) return 1;
  dnnl_memory_set_data_handle(p->a, (void *)a);
  dnnl_memory_set_data_handle(p->b, (void *)b);
  dnnl_memory_set_data_handle(p->c, c);
  const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, p->a}, {DNNL_ARG_WEIGHTS, p->b}, {DNNL_ARG_DST, p->c}};
  while (repeat-- > 0) dnnl_primitive_execute(p->primitive, stream, 3, arguments);
  dnnl_stream_wait(stream);
  return 0;
}
#endif
