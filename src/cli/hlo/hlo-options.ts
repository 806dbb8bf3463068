// The options of the commands of `trenio hlo`.
import type { CommandInput, IntegerOption, Options, TextOption } from '../command/command.ts';

/** The input of a command with these options. */
export type Input<O extends Options> = CommandInput<O>;

const backend = {
  kind: 'text',
  placeholder: 'NAME',
  default: 'interpreter',
  description: 'Backend: interpreter (the reference) or cpu (compiled).',
} as const satisfies TextOption;
const maxLoopSteps = {
  kind: 'integer',
  placeholder: 'N',
  min: 1,
  max: Number.MAX_SAFE_INTEGER,
  description: 'Stop with an error if a loop runs more than N iterations.',
} as const satisfies IntegerOption;

export const verifyOptions = {
  'split-input-file': {
    kind: 'flag',
    description: "Files may contain several programs, separated by '// -----' lines.",
  },
  json: { kind: 'flag', description: 'One line of JSON per program: {"file", "chunk", "valid", "error"}.' },
} as const satisfies Options;

export const printOptions = {
  output: {
    kind: 'text',
    short: 'o',
    placeholder: 'FILE',
    description: 'Write to this file instead of standard output.',
  },
  generic: { kind: 'flag', description: 'Print ops in generic form: "stablehlo.add"(%0, %1) : (…) -> …' },
} as const satisfies Options;

export const runOptions = {
  input: { kind: 'list', placeholder: 'FILE.npy', description: 'Argument, as written by numpy.save' },
  output: { kind: 'list', placeholder: 'FILE.npy', description: 'File for a result' },
  backend,
  function: { kind: 'text', placeholder: 'NAME', description: 'Function to run. Default: main.' },
  'probe-dir': {
    kind: 'text',
    placeholder: 'FOLDER',
    description: 'Folder for the values of interpreter.probe: <probe_id>_<iteration>.npy.',
  },
  'max-loop-steps': maxLoopSteps,
} as const satisfies Options;

export const checkOptions = {
  backend,
  'split-input-file': {
    kind: 'flag',
    description: "Files may contain several programs, separated by '// -----' lines.",
  },
  server: {
    kind: 'flag',
    description: "Read paths from standard input, one per line; print 'PASS' or 'FAIL reason' for each.",
  },
  'max-loop-steps': maxLoopSteps,
} as const satisfies Options;

export const costOptions = {
  function: { kind: 'text', placeholder: 'NAME', description: 'Function to count. Default: main.' },
  json: { kind: 'flag', description: 'One JSON object: {"total", "byOp"}.' },
} as const satisfies Options;

export const explainOptions = {
  op: {
    kind: 'text',
    placeholder: 'NAME',
    description: 'Only show the kernels of the ops with this name: add, dot_general …',
  },
  profile: {
    kind: 'flag',
    description: "Run the program, and compare each kernel's time with the limits of the machine.",
  },
  rounds: {
    kind: 'integer',
    placeholder: 'N',
    min: 1,
    max: 1_000_000,
    description: 'Number of measured runs, after one warm-up run. Default: 10.',
  },
  input: {
    kind: 'list',
    placeholder: 'FILE.npy',
    description: 'Argument for --profile. Default: generated numbers',
  },
  remeasure: { kind: 'flag', description: 'Measure the limits of the machine again, even if they are known.' },
  function: { kind: 'text', placeholder: 'NAME', description: 'Function to explain. Default: main.' },
  json: {
    kind: 'flag',
    description: 'One JSON object: {"kernels", "computedAgain", "memory", "measured", …}, or {"op", "found"}.',
  },
} as const satisfies Options;

export const graphOptions = {
  output: { kind: 'text', short: 'o', placeholder: 'FILE', description: 'Output file: .svg or .html.' },
} as const satisfies Options;

export const partitionOptions = {
  output: printOptions.output,
  after: {
    kind: 'text',
    placeholder: 'PASS',
    description: 'Stop after this pass: import, propagate, partition. Default: the last one.',
  },
} as const satisfies Options;
