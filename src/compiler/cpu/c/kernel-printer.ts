// The C of a kernel, from its data.
import { assertNever } from '../../../base/errors.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import type { Kernel, PlannedKernel } from '../ir/kernel.ts';
import type { OpKernel } from '../ir/op-kernel.ts';
import type { KernelText } from './kernel-text.ts';
import { printEpilogue } from './kernels/epilogue-printer.ts';
import { printFused } from './kernels/fused-printer.ts';
import { printCollective } from './ops/collective-kernel.ts';
import { printConvolution } from './ops/convolution-kernel.ts';
import { printMultiply, printPlainDot } from './ops/dot-kernels.ts';
import { printFactorization } from './ops/factorization-kernel.ts';
import { printFft } from './ops/fft-kernel.ts';
import { printImplicitGemm } from './ops/implicit-gemm.ts';
import { printJoin } from './ops/join-kernel.ts';
import { printMap } from './ops/map-kernel.ts';
import { printOperatorCall } from './ops/operator-call.ts';
import { printPagedAttention } from './ops/paged-attention-kernel.ts';
import { printProcessId } from './ops/process-id.ts';
import { printScatter } from './ops/scatter-kernel.ts';
import { printSliceUpdate } from './ops/slice-update-kernel.ts';
import { printSort } from './ops/sort-kernel.ts';
import { printReduceWindow, printSelectAndScatter } from './ops/window-kernels.ts';
import { printWinograd } from './ops/winograd.ts';

/** Prints kernels; those that several steps share are printed once. */
export class KernelPrinter {
  readonly #texts = new Map<Kernel, KernelText>();

  print({ kernel, operands }: PlannedKernel): KernelText {
    let text = this.#texts.get(kernel);
    if (text === undefined) {
      text = printKernel(kernel, operands);
      this.#texts.set(kernel, text);
    }
    return text;
  }
}

function printKernel(kernel: Kernel, operands: readonly KernelOperand[]): KernelText {
  switch (kernel.kind) {
    case 'rows':
    case 'columns':
    case 'split':
    case 'sequence':
    case 'parts':
      return { code: printFused(kernel) };
    case 'multiply':
      return printMultiply(kernel, operands);
    case 'epilogue':
      return printEpilogue(kernel, operands);
    case 'op':
      return printOp(kernel, operands);
    default:
      return assertNever(kernel);
  }
}

/** The kernel of a single op, with `@` for its name. */
export function printOp(kernel: OpKernel, operands: readonly KernelOperand[]): KernelText {
  switch (kernel.form) {
    case 'sort':
      return printSort(kernel, operands);
    case 'scatter':
      return printScatter(kernel, operands);
    case 'join':
      return printJoin(kernel);
    case 'slice-update':
      return printSliceUpdate(kernel);
    case 'map':
      return printMap(kernel, operands);
    case 'fft':
      return printFft(kernel, operands);
    case 'reduce-window':
      return printReduceWindow(kernel, operands);
    case 'select-and-scatter':
      return printSelectAndScatter(kernel, operands);
    case 'dot':
      return printPlainDot(kernel, operands);
    case 'implicit-gemm':
      return printImplicitGemm(kernel, operands);
    case 'winograd':
      return printWinograd(kernel, operands);
    case 'convolution':
      return printConvolution(kernel, operands);
    case 'factorization':
      return printFactorization(kernel, operands);
    case 'paged-attention':
      return printPagedAttention(kernel, operands);
    case 'operator':
      return printOperatorCall(kernel);
    case 'process-id':
      return printProcessId(kernel);
    case 'collective':
      return printCollective(kernel);
    default:
      return assertNever(kernel);
  }
}
