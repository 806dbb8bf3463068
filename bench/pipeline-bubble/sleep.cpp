// x, after some milliseconds in which no core is used.
#include "trenio_operator.h"
#include <chrono>
#include <thread>

TRENIO_OPERATOR(sleep, (trenio::Input<float> x, trenio::Output<float> y, double ms)) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
  for (int64_t i = 0; i < x.size(); i++) y[i] = x[i];
}
