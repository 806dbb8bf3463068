// dx = g · (σ(β x) + β x σ(β x) (1 − σ(β x)))
#include "trenio_operator.h"
#include <cmath>

TRENIO_OPERATOR(swish_gradient, (trenio::Input<float> x, trenio::Input<float> g, trenio::Output<float> dx, double beta)) {
  const float b = float(beta);
  trenio::parallel_for(x.size(), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      const float s = 1.0f / (1.0f + std::exp(-b * x[i]));
      dx[i] = g[i] * (s + b * x[i] * s * (1 - s));
    }
  });
}
