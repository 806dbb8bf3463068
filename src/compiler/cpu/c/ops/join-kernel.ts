// The kernel of a concatenation whose parts follow one another in memory: each part is copied to its position. Most parts were
// computed there (memory/joins.ts), as their addresses show; these are not copied.
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelText } from '../kernel-text.ts';
import { entryOf } from '../kernels/rows-printer.ts';
import { Writer } from '../writer.ts';

export function printJoin({ slots, bytes, cut }: OpKernelOf<'join'>): KernelText {
  const out = new Writer();
  const parts = bytes.length;
  const [first] = bytes;
  const areEqual = bytes.every(n => n === first);
  if (!areEqual) out.line(`static const int64_t @_bytes[] = {${bytes.join(', ')}};`);
  const size = areEqual ? String(first) : '@_bytes[part]';
  out.open('static void @_task(void *arg, int64_t task, int worker)');
  out.line('char *const *const p = ((const t_call *)arg)->p;');
  if (areEqual) out.line(`char *to = p[${slots.results[0]}] + task * ${cut.perTask} * ${size};`);
  else {
    out.line(`char *to = p[${slots.results[0]}];`);
    out.line(`for (int64_t part = 0; part < task * ${cut.perTask}; part++) to += ${size};`);
  }
  out.line(`const int64_t end = (task + 1) * ${cut.perTask} < ${parts} ? (task + 1) * ${cut.perTask} : ${parts};`);
  out.open(`for (int64_t part = task * ${cut.perTask}; part < end; to += ${size}, part++)`);
  out.line(`if (p[part] != to) __builtin_memcpy(to, p[part], ${size});`);
  out.close();
  out.close();
  return { code: `${out}\n${entryOf(cut.tasks, cut.tasks > 1)}` };
}
