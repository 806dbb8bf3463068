// swish(x) = x · σ(β x), and its gradient, each one pass over memory on all threads.
#include "trenio_operator.h"
#include <cmath>

static float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

TRENIO_OPERATOR(swish, (trenio::Input<float> x, trenio::Output<float> y, double beta)) {
  const float b = float(beta);
  trenio::parallel_for(x.size(), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) y[i] = x[i] * sigmoid(b * x[i]);
  });
}
