// For tests: a second machine, which runs the kernels of a program as JavaScript. It imports nothing that is made for CPUs.
import type { Module } from '../../../hlo/program.ts';
import type { Machine, Planned } from '../../ir/machine.ts';
import type { DotPlan } from '../../ir/multiply.ts';
import { Operands } from '../../ir/operands.ts';
import { computationOf } from '../../lowering/computation.ts';
import { planProgram } from '../../program/plan-program.ts';
import { fusedText, multiplyText } from './kernel-text.testing.ts';
import { refused } from './refusal.testing.ts';
import { type ProgramRun, runOf } from './run.testing.ts';

const planned = (kernel: string, operands: Operands): Planned<string> => ({
  kernel,
  operands: operands.list,
  workspaceBytes: 0,
  scratchBytes: 0,
});

/** A kernel is the body of its function. */
export const javascriptMachine: Machine<string> = {
  bucketBytes: Number.MAX_SAFE_INTEGER,
  overlapsCollectives: false,
  fitsEpilogue: () => false,
  fitsColumnSums: () => false,
  planKernel(step, { storage }) {
    if (step.kind === 'fused') {
      const computation = computationOf(step.group, storage);
      return planned(fusedText(computation), computation.operands);
    }
    if (step.dot === undefined) throw refused(step.op.name);
    return planMultiply(step.dot, step.writes[0]!);
  },
};

function planMultiply(dot: DotPlan, written: DotPlan['lhs']['value']): Planned<string> {
  const operands = new Operands();
  const [lhs, rhs] = [operands.slot(dot.lhs.value, 'read'), operands.slot(dot.rhs.value, 'read')];
  return planned(multiplyText(dot, { lhs, rhs, result: operands.slot(written, 'write') }), operands);
}

/** @throws {UNSUPPORTED} for ops and types that are not here */
export const compileToJavaScript = (module: Module): ProgramRun =>
  runOf(planProgram(module, javascriptMachine, new Map()));
