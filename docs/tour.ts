// One training step through every stage, from user code to C, each stage printed. `npm run tour`.
//
// The step is small enough to read completely: a linear layer, a softmax cross entropy, SGD. The output is that of the real
// stages.
import { readFileSync } from 'node:fs';
import { formatTable } from '../src/base/table.ts';
import { formatBytes } from '../src/base/units.ts';
import { compileToC, explainProgram, hostTarget } from '../src/compiler/index.ts';
import { optimizerStep } from '../src/distributed/optimizer-step.ts';
import { costOfModule, type Module, mainOf, printModule, toNumbers, verify } from '../src/hlo/index.ts';
import { CrossEntropyLoss, Linear } from '../src/nn/index.ts';
import { SGD } from '../src/optim/index.ts';
import { type Backend, defaultRuntime, lineText, opsText } from '../src/runtime/index.ts';
import { Device, manualSeed, setDefaultDevice, tensor } from '../src/tensor/index.ts';

const title = (text: string): void => console.log(`\n── ${text} ${'─'.repeat(Math.max(0, 100 - text.length))}\n`);

/** A device whose backend collects every module that it compiles. */
function watchedDevice(name: 'cpu' | 'interpreter', modules: Module[]): Device {
  const backend = defaultRuntime().backend(name);
  const watched: Backend = {
    name: backend.name,
    compile: module => {
      modules.push(module);
      return backend.compile(module);
    },
    upload: (type, bytes) => backend.upload(type, bytes),
    record: () => backend.record(),
    synchronize: () => backend.synchronize(),
  };
  return new Device(watched, { seed: 0, log: () => {} });
}

function trainOneStep(dev: Device): { readonly loss: number; readonly weight: readonly number[] } {
  setDefaultDevice(dev);
  manualSeed(7);
  // [the user's code]
  const layer = new Linear(4, 3);
  layer.to(dev);
  const optimizer = new SGD(layer.parameters(), { lr: 0.1 });
  const data = tensor(
    [
      [1, 2, 3, 4],
      [4, 3, 2, 1],
    ],
    { device: dev },
  );
  const target = tensor([2, 0], { dtype: 'i32', device: dev });

  const output = layer.forward(data);
  const loss = new CrossEntropyLoss().forward(output, target);
  loss.backward();
  optimizerStep(optimizer);
  // [end of the user's code]
  return { loss: loss.item(), weight: toNumbers(layer.weight.literal()) };
}

title('1  Your code (src/tensor records it; nothing runs yet)');
const source = readFileSync(import.meta.filename, 'utf8');
console.log(/\/\/ \[the user's code\]\n([\s\S]*?)\n\s*\/\/ \[end/.exec(source)![1]!.replace(/^ {2}/gm, ''));

const modules: Module[] = [];
const compiled = trainOneStep(watchedDevice('cpu', modules));
const module = modules[0]!;
verify(module);

title('2  The recorded program: StableHLO, forward, backward (src/autodiff) and update in one function (src/hlo)');
console.log(printModule(module));

title('3  FLOPs and bytes, from the op table');
const { byOp } = costOfModule(module);
console.log(
  formatTable(
    [
      { header: 'op' },
      { header: 'flops', align: 'right' },
      { header: 'bytes read', align: 'right' },
      { header: 'bytes written', align: 'right' },
    ],
    [...byOp].map(([name, cost]) => [name, `${cost.flops}`, `${cost.bytesRead}`, `${cost.bytesWritten}`]),
  ),
);

title('4  Kernels: which op is in which kernel, and why (src/transforms, then src/compiler: fusion, memory plan)');
const target = hostTarget();
const { kernels, computedAgain, memory } = explainProgram(module, target);
for (const kernel of kernels) {
  console.log(`${kernel.name}  ${opsText(kernel)}  [${lineText(kernel)}]`);
  for (const why of kernel.why) console.log(`    ${why}`);
  for (const { value, type, why } of kernel.writes) console.log(`    writes ${value} ${type}: ${why.join('; ')}`);
}
for (const { name, kernels: places } of computedAgain)
  console.log(`${name} is recomputed in ${places.join(' and in ')}, which is cheaper than storing it`);
const { ops } = mainOf(module).body;
console.log(
  `\n${ops.length} ops became ${kernels.length} kernels; temporaries share ${formatBytes(memory.arenaBytes)}. For programs in files, trenio hlo explain prints the same.`,
);

title(`5  One of the kernels in C (${target.isa}), and the step that calls them all`);
const program = compileToC(module, target);
const c = program.units.map(unit => unit.source).join('\n');
const fused = program.kernels.find(kernel => kernel.kind === 'fused')?.name ?? 'k0';
console.log(functionText(c, fused));
console.log(c.slice(c.indexOf('T_STEP int trenio_step')));

title('6  gcc, dlopen, one call (src/runtime), compared with the interpreter');
const reference = trainOneStep(watchedDevice('interpreter', []));
console.log(`loss, compiled:     ${compiled.loss}`);
console.log(`loss, interpreter:  ${reference.loss}`);
const difference = Math.max(...compiled.weight.map((w, i) => Math.abs(w - reference.weight[i]!)));
console.log(`largest difference of an updated weight: ${difference.toExponential(1)}`);
if (!(difference < 1e-5) || !(Math.abs(compiled.loss - reference.loss) < 1e-5)) process.exitCode = 1;

/** The text from the comment above a kernel's task to the end of that function. */
function functionText(text: string, name: string): string {
  const start = text.search(new RegExp(`// ${name}: [^\\n]*\\n(?://[^\\n]*\\n)*static void \\w+_task`));
  return start < 0 ? '' : text.slice(start, text.indexOf('\n}', start) + 2);
}
