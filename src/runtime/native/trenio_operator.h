// What a custom operator in C++ includes. An operator is a function of typed views of tensors:
//
//   #include "trenio_operator.h"
//
//   TRENIO_OPERATOR(scaled_relu, (trenio::Input<float> x, trenio::Output<float> y)) {
//     trenio::parallel_for(x.size(), [&](int64_t begin, int64_t end) {
//       for (int64_t i = begin; i < end; i++) y[i] = x[i] > 0 ? x[i] : 0.1f * x[i];
//     });
//   }
//
// Inputs come first, then outputs, then numbers (double, int64_t or bool): the operator's attributes. The shapes of the
// outputs are what the shape function in TypeScript says; memory is row-major and must not be used after the call.
// Exceptions end the step with their text, also those of a parallel loop. A crash ends the step too, and is reported under
// the operator's name; in a parallel loop it ends the process with a message.
#pragma once
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <tuple>
#include <type_traits>
#include <unistd.h>
#include <utility>

extern "C" {
#include "trenio_rt_operator.h"

typedef struct {
  void *data;
  const int64_t *dims;
  int32_t rank;
} trenio_operand;

typedef struct {
  const trenio_rt *rt; // null where there are no threads: on the interpreter
  const trenio_operand *operands; // inputs, then outputs
  const double *numbers;
} trenio_operator_call;
}

namespace trenio {

struct bfloat16 {
  uint16_t bits;
  bfloat16() = default;
  bfloat16(float value) {
    uint32_t u;
    std::memcpy(&u, &value, 4);
    bits = value != value ? uint16_t((u >> 16) | 0x40) : uint16_t((u + 0x7fff + ((u >> 16) & 1)) >> 16);
  }
  operator float() const {
    uint32_t u = uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &u, 4);
    return value;
  }
};

template <typename T> struct type_name;
#define TRENIO_TYPE(T, NAME) \
  template <> struct type_name<T> { static const char *text() { return NAME; } };
TRENIO_TYPE(float, "f32")
TRENIO_TYPE(double, "f64")
TRENIO_TYPE(bfloat16, "bf16")
TRENIO_TYPE(bool, "i1")
TRENIO_TYPE(int8_t, "i8")
TRENIO_TYPE(int16_t, "i16")
TRENIO_TYPE(int32_t, "i32")
TRENIO_TYPE(int64_t, "i64")
TRENIO_TYPE(uint8_t, "ui8")
TRENIO_TYPE(uint16_t, "ui16")
TRENIO_TYPE(uint32_t, "ui32")
TRENIO_TYPE(uint64_t, "ui64")
#undef TRENIO_TYPE

// A tensor's elements, row by row.
template <typename T> class View {
public:
  explicit View(const trenio_operand &operand) : operand_(&operand), size_(1) {
    for (int32_t d = 0; d < operand.rank; d++) size_ *= operand.dims[d];
  }
  T *data() const { return static_cast<T *>(operand_->data); }
  int64_t size() const { return size_; }
  int32_t rank() const { return operand_->rank; }
  int64_t dim(int32_t d) const { return operand_->dims[d < 0 ? d + operand_->rank : d]; }
  T &operator[](int64_t i) const { return data()[i]; }
  // The element at an index, one number a dim: x(row, column).
  template <typename... Index> T &operator()(Index... index) const {
    const int64_t at[] = {int64_t(index)...};
    int64_t offset = 0;
    for (size_t d = 0; d < sizeof...(index); d++) offset = offset * operand_->dims[d] + at[d];
    return data()[offset];
  }
  T *begin() const { return data(); }
  T *end() const { return data() + size_; }

private:
  const trenio_operand *operand_;
  int64_t size_;
};
template <typename T> class Input : public View<const T> { using View<const T>::View; };
template <typename T> class Output : public View<T> { using View<T>::View; };

namespace detail {

inline const trenio_rt *&current_runtime() {
  static thread_local const trenio_rt *runtime = nullptr;
  return runtime;
}

// How an argument of an operator is made, and what it is called in a signature.
template <typename T> struct argument {
  static_assert(std::is_arithmetic<T>::value, "an operator takes trenio::Input, trenio::Output and numbers");
  static constexpr int operands = 0;
  static constexpr int numbers = 1;
  static T make(const trenio_operator_call &call, int, int number) { return T(call.numbers[number]); }
  static std::string text() { return "number"; }
};
template <typename T> struct argument<Input<T>> {
  static constexpr int operands = 1;
  static constexpr int numbers = 0;
  static Input<T> make(const trenio_operator_call &call, int operand, int) { return Input<T>(call.operands[operand]); }
  static std::string text() { return std::string("in ") + type_name<T>::text(); }
};
template <typename T> struct argument<Output<T>> {
  static constexpr int operands = 1;
  static constexpr int numbers = 0;
  static Output<T> make(const trenio_operator_call &call, int operand, int) { return Output<T>(call.operands[operand]); }
  static std::string text() { return std::string("out ") + type_name<T>::text(); }
};

// "in f32, out f32, number"
template <typename... Args> const char *signature(void (*)(Args...)) {
  static const std::string text = [] {
    std::string joined;
    for (const std::string &part : {argument<std::decay_t<Args>>::text()...}) joined += (joined.empty() ? "" : ", ") + part;
    return joined;
  }();
  return text.c_str();
}

template <typename... Args, size_t... I>
void invoke(void (*function)(Args...), const trenio_operator_call &call, std::index_sequence<I...>) {
  constexpr int operands[] = {argument<std::decay_t<Args>>::operands...};
  constexpr int numbers[] = {argument<std::decay_t<Args>>::numbers...};
  const auto before = [](const int *counts, size_t index) {
    int sum = 0;
    for (size_t i = 0; i < index; i++) sum += counts[i];
    return sum;
  };
  function(argument<std::decay_t<Args>>::make(call, before(operands, I), before(numbers, I))...);
}

// Signals that a crash raises, caught while an operator runs on this thread.
inline sigjmp_buf *&landing() {
  static thread_local sigjmp_buf *place = nullptr;
  return place;
}
constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
inline struct sigaction *previous() {
  static struct sigaction actions[sizeof crashes / sizeof *crashes];
  return actions;
}
// On other threads, and in parallel loops, whose other tasks continue, this is not possible: the runtime prints the crash.
inline void on_crash(int signal, siginfo_t *info, void *context) {
  if (landing() != nullptr) siglongjmp(*landing(), signal);
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
    if (crashes[i] != signal) continue;
    const struct sigaction &action = previous()[i];
    if (action.sa_flags & SA_SIGINFO) return action.sa_sigaction(signal, info, context);
    sigaction(signal, &action, nullptr);
    raise(signal);
  }
}

class CrashGuard {
public:
  CrashGuard(const char *name, const trenio_rt *runtime) : runtime_(runtime) {
    static const bool installed = [] {
      struct sigaction action = {};
      action.sa_sigaction = on_crash;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
      for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) sigaction(crashes[i], &action, &previous()[i]);
      return true;
    }();
    static_cast<void>(installed);
    static thread_local char *stack = nullptr; // a stack overflow needs another one to be handled on
    constexpr size_t bytes = 64 << 10;
    if (stack == nullptr) stack = static_cast<char *>(std::malloc(bytes));
    stack_t alternate = {};
    alternate.ss_sp = stack;
    alternate.ss_size = bytes;
    sigaltstack(&alternate, &stack_);
    say(name);
  }
  ~CrashGuard() {
    say(nullptr);
    sigaltstack(&stack_, nullptr);
    landing() = nullptr;
    current_runtime() = nullptr;
  }

private:
  void say(const char *name) const {
    if (runtime_ != nullptr) reinterpret_cast<trenio_rt_operator *>(const_cast<trenio_rt *>(runtime_))->doing = name;
  }
  const trenio_rt *runtime_;
  stack_t stack_;
};

constexpr int error_bytes = 512;
// The text of an error, which is then forgotten.
inline const char *taken(char *error) {
  static char text[error_bytes];
  std::memcpy(text, error, error_bytes);
  error[0] = 0;
  return text;
}

template <typename... Args>
int run(const char *name, void (*function)(Args...), const trenio_operator_call *call, char *error) {
  CrashGuard guard(name, call->rt);
  sigjmp_buf place;
  const int signal = sigsetjmp(place, 1);
  if (signal != 0) {
    std::snprintf(error, error_bytes, "it crashed: %s", strsignal(signal));
    return TRENIO_OPERATOR_FAILED;
  }
  landing() = &place;
  current_runtime() = call->rt;
  try {
    invoke(function, *call, std::index_sequence_for<Args...>{});
    return 0;
  } catch (const std::exception &problem) {
    std::snprintf(error, error_bytes, "it threw: %s", problem.what());
  } catch (...) {
    std::snprintf(error, error_bytes, "it threw something that is not a std::exception");
  }
  return TRENIO_OPERATOR_FAILED;
}

} // namespace detail

// Calls body(begin, end) for parts of [0, count) on the threads of the step. Parts are cut by `count` alone, so that
// results do not depend on the number of threads.
template <typename Body> void parallel_for(int64_t count, Body &&body, int64_t grain = 4096) {
  const trenio_rt *rt = detail::current_runtime();
  const int64_t tasks = (count + grain - 1) / grain;
  if (rt == nullptr || tasks <= 1) {
    if (count > 0) body(int64_t(0), count);
    return;
  }
  struct Loop {
    Body *body;
    int64_t count, grain;
    std::atomic<bool> failed{false};
    std::exception_ptr problem;
  } loop{&body, count, grain};
  sigjmp_buf *const landing = std::exchange(detail::landing(), nullptr);
  rt->parallel(
      rt,
      [](void *argument, int64_t task, int) {
        Loop &l = *static_cast<Loop *>(argument);
        if (l.failed.load(std::memory_order_relaxed)) return; // what it would write is not used
        const int64_t begin = task * l.grain;
        try {
          (*l.body)(begin, begin + l.grain < l.count ? begin + l.grain : l.count);
        } catch (...) {
          // The first one is told. It must not leave this function: what called it is C.
          if (!l.failed.exchange(true)) l.problem = std::current_exception();
        }
      },
      &loop, tasks);
  detail::landing() = landing;
  if (loop.failed) std::rethrow_exception(loop.problem);
}

} // namespace trenio

#define TRENIO_JOIN_(A, B, C) A##B##_##C
#define TRENIO_JOIN(A, B, C) TRENIO_JOIN_(A, B, C)
// TRENIO_TAG tells two versions of an operator in one process apart; it is set when the operator is compiled.
#define TRENIO_OPERATOR(NAME, ARGS)                                                                                    \
  static void NAME ARGS;                                                                                               \
  static char TRENIO_JOIN(trenio_error_of_, NAME, TRENIO_TAG)[trenio::detail::error_bytes];                            \
  extern "C" __attribute__((visibility("default"))) const char *TRENIO_JOIN(trenio_signature_, NAME, TRENIO_TAG)() {   \
    return trenio::detail::signature(NAME);                                                                            \
  }                                                                                                                    \
  extern "C" __attribute__((visibility("default"))) const char *TRENIO_JOIN(trenio_failure_, NAME, TRENIO_TAG)() {     \
    return trenio::detail::taken(TRENIO_JOIN(trenio_error_of_, NAME, TRENIO_TAG));                                     \
  }                                                                                                                    \
  extern "C" __attribute__((visibility("default"))) int TRENIO_JOIN(trenio_call_, NAME, TRENIO_TAG)(                   \
      const trenio_operator_call *call) {                                                                              \
    return trenio::detail::run(#NAME, NAME, call, TRENIO_JOIN(trenio_error_of_, NAME, TRENIO_TAG));                    \
  }                                                                                                                    \
  static void NAME ARGS
