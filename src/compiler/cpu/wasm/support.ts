// The rounding of instructions of vectors on this machine.

import type { CpuTarget } from '../target/target.ts';
import { applyVector, FunctionBuilder, f32Const, get, ModuleBuilder } from './encoder.ts';
import { webAssembly } from './engine.ts';
import { machineMemory } from './machine-memory.ts';

let isFused: boolean | undefined;

/** Whether kernels for a target run here with its bits: memory may be limited too much for the engine. */
export function runsKernelsFor(target: CpuTarget): boolean {
  if (target.fma) return multipliesOnce();
  try {
    return machineMemory().memory !== undefined;
  } catch {
    return false;
  }
}

/** Whether "relaxed" multiply-adds round once, as those of a target with `fma` do. */
export function multipliesOnce(): boolean {
  isFused ??= probe();
  return isFused;
}
function probe(): boolean {
  const f = new FunctionBuilder(['f32'], 'f32');
  const [x, minusOne] = [get(f.params[0]!), f32Const(-1)].map(e => applyVector('v128', 0x13, [e]));
  f.emit(applyVector('f32', 0x1f, [applyVector('v128', 0x105, [x!, x!, minusOne!])], [0]).code);
  const module = new ModuleBuilder();
  module.add(f, 'probe');
  try {
    const instance = new webAssembly.Instance(new webAssembly.Module(module.bytes()), {
      env: { memory: machineMemory().memory },
    });
    const { probe: run } = instance.exports as { probe: (x: number) => number };
    const x = 1 + 2 ** -12;
    return run(x) === x * x - 1;
  } catch {
    return false; // an older engine
  }
}
