// What the commands of `trenio hlo` may be told.
import type { CommandInput, IntegerOption, Options, TextOption } from '../command.ts';

/** What a command gets whose options are these. */
export type Input<O extends Options> = CommandInput<O>;

const backend = {
  kind: 'text',
  placeholder: 'NAME',
  default: 'interpreter',
  description: 'What runs the program: interpreter (the reference) or cpu (compiled).',
} as const satisfies TextOption;
const maxLoopSteps = {
  kind: 'integer',
  placeholder: 'N',
  min: 1,
  max: Number.MAX_SAFE_INTEGER,
  description: 'A loop that takes more iterations than this ends the program.',
} as const satisfies IntegerOption;

export const verifyOptions = {
  'split-input-file': {
    kind: 'flag',
    description: "A file may hold several programs, with lines '// -----' between.",
  },
  json: { kind: 'flag', description: 'One JSON object a program, a line each: {"file", "chunk", "valid", "error"}.' },
} as const satisfies Options;

export const printOptions = {
  output: { kind: 'text', short: 'o', placeholder: 'FILE', description: 'Write there instead of to the terminal.' },
  generic: { kind: 'flag', description: 'The generic form of every op: "stablehlo.add"(%0, %1) : (…) -> …' },
} as const satisfies Options;

export const runOptions = {
  input: { kind: 'list', placeholder: 'FILE.npy', description: 'An argument, as numpy.save writes it' },
  output: { kind: 'list', placeholder: 'FILE.npy', description: 'Where a result goes' },
  backend,
  function: { kind: 'text', placeholder: 'NAME', description: 'The function to run, if it is not main.' },
  'probe-dir': {
    kind: 'text',
    placeholder: 'FOLDER',
    description: 'Where interpreter.probe keeps what it sees: <probe_id>_<iteration>.npy.',
  },
  'max-loop-steps': maxLoopSteps,
} as const satisfies Options;

export const checkOptions = {
  backend,
  'split-input-file': {
    kind: 'flag',
    description: "A file may hold several programs, with lines '// -----' between.",
  },
  server: {
    kind: 'flag',
    description: "Read paths from standard input, one a line; answer each with 'PASS' or 'FAIL reason'.",
  },
  'max-loop-steps': maxLoopSteps,
} as const satisfies Options;

export const costOptions = {
  function: { kind: 'text', placeholder: 'NAME', description: 'The function to price, if it is not main.' },
  json: { kind: 'flag', description: 'One JSON object: {"total", "byOp"}.' },
} as const satisfies Options;

export const explainOptions = {
  op: {
    kind: 'text',
    placeholder: 'NAME',
    description: 'Only say where the ops of this name went: add, dot_general …',
  },
  profile: { kind: 'flag', description: "Run the program and hold each kernel's time against the machine's limits." },
  rounds: {
    kind: 'integer',
    placeholder: 'N',
    min: 1,
    max: 1_000_000,
    description: 'How many runs are measured (10), after one that is not.',
  },
  input: {
    kind: 'list',
    placeholder: 'FILE.npy',
    description: 'An argument to profile with; none for made-up numbers.',
  },
  remeasure: { kind: 'flag', description: "Measure the machine's limits now, also if they are known." },
  function: { kind: 'text', placeholder: 'NAME', description: 'The function to explain, if it is not main.' },
  json: {
    kind: 'flag',
    description: 'One JSON object: {"kernels", "computedAgain", "memory", "measured", …}, or {"op", "found"}.',
  },
} as const satisfies Options;

export const graphOptions = {
  output: { kind: 'text', short: 'o', placeholder: 'FILE', description: 'Where the picture goes: .svg or .html.' },
} as const satisfies Options;
