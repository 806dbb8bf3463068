// `trenio hlo …`: StableHLO programs from files. Only descriptions; the implementation is imported when a command runs.
import type { CommandGroup } from '../command/command.ts';
import { defineCommand } from '../command/command.ts';
import {
  checkOptions,
  costOptions,
  explainOptions,
  graphOptions,
  partitionOptions,
  printOptions,
  runOptions,
  verifyOptions,
} from './hlo-options.ts';
import { showing, showingOnTerminal } from './shown.ts';

const verify = defineCommand({
  name: 'hlo verify',
  summary: 'Check that programs are valid.',
  description: [
    'Reads each file and checks it against the StableHLO specification. Exits with 0 if all programs are valid; otherwise prints',
    'the errors and exits with 1.',
  ].join('\n'),
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: true, many: true }],
  options: verifyOptions,
  examples: [
    { command: 'trenio hlo verify model.mlir', explanation: 'one program' },
    { command: 'trenio hlo verify --split-input-file tests/*.mlir', explanation: 'several in each file' },
  ],
  run: async (input, context) => (await import('./verify.ts')).verifyFiles(input, showing(context)),
});

const print = defineCommand({
  name: 'hlo print',
  summary: 'Read a program and print it in its canonical form.',
  description:
    'Reads and verifies the program, and prints it as StableHLO text. Reading the text gives the same program.',
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: true }],
  options: printOptions,
  examples: [
    { command: 'trenio hlo print model.mlir -o clean.mlir', explanation: 'the same program in canonical form' },
  ],
  run: async (input, context) => (await import('./print.ts')).printProgram(input, showingOnTerminal(context)),
});

const run = defineCommand({
  name: 'hlo run',
  summary: 'Run a program on arrays from .npy files.',
  description: [
    'Runs the entry function with one --input per argument, in order, and writes the results to the --output files, in order.',
    'Results without an --output are printed, abbreviated if they are long. A program with shardings is partitioned and runs as a',
    'process for each device of its mesh; arguments and results are whole.',
  ].join('\n'),
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: true }],
  options: runOptions,
  examples: [
    {
      command: 'trenio hlo run model.mlir --input x.npy --input weights.npy --output y.npy --backend cpu',
      explanation: 'two arguments, one result, compiled',
    },
    { command: 'trenio hlo run model.mlir', explanation: 'no arguments; results are printed' },
  ],
  run: async (input, context) => (await import('./run.ts')).runProgram(input, showing(context)),
});

const check = defineCommand({
  name: 'hlo check',
  summary: 'Run programs that check their own results.',
  description: [
    'Runs programs without arguments that check their values with ops of the check dialect, or with custom calls of the same names.',
    'With --backend cpu, the processes of interpreter.run_parallel run as compiled ranks, one process each.',
    'Exits with 0 if all checks hold; otherwise prints the failures and exits with 1.',
  ].join('\n'),
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: false, many: true }],
  options: checkOptions,
  examples: [
    { command: 'trenio hlo check add.mlir', explanation: 'with the interpreter' },
    { command: 'trenio hlo check --backend cpu tests/*.mlir', explanation: 'compiled' },
    { command: 'ls *.mlir | trenio hlo check --server', explanation: 'many programs, one process' },
  ],
  run: async (input, context) => (await import('./check.ts')).checkFiles(input, showing(context)),
});

const cost = defineCommand({
  name: 'hlo cost',
  summary: 'Count FLOPs and bytes of a program, by op.',
  description: [
    'Counts the floating-point operations, transcendental functions and bytes moved in one execution, per op and before fusion.',
    'Loops count as one iteration. Intensity is FLOPs per byte.',
  ].join('\n'),
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: true }],
  options: costOptions,
  examples: [
    { command: 'trenio hlo cost model.mlir', explanation: 'a table, most expensive ops first' },
    { command: 'trenio hlo cost model.mlir --json | jq .total.flops', explanation: 'a single number, for scripts' },
  ],
  run: async (input, context) => (await import('./cost.ts')).priceProgram(input, showing(context)),
});

const graph = defineCommand({
  name: 'hlo graph',
  summary: 'Draw a program as a graph.',
  description: [
    'Draws the ops of each function as a graph, colored by kind, with loops and branches as boxes. Constants and broadcasts appear',
    'in the labels of the ops that use them. A value that is used far away or many times is shown by name (%12) instead of a line.',
    'An .html file can be zoomed, panned and searched in a browser; click an op to see all of it.',
  ].join('\n'),
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: true }],
  options: graphOptions,
  examples: [
    { command: 'trenio hlo graph model.mlir -o model.html', explanation: 'a page for the browser' },
    { command: 'trenio hlo graph model.mlir -o model.svg', explanation: 'a picture for a document' },
  ],
  run: async (input, context) => (await import('./graph.ts')).drawProgram(input, showing(context)),
});

const explain = defineCommand({
  name: 'hlo explain',
  summary: 'Show which op is in which kernel, and why.',
  description: [
    'Compiles the program and describes each kernel: its ops with their source lines, why they are fused, the values it reads and',
    'writes and why they are stored in memory, and its FLOPs; then the recomputed values and the memory use. With --profile, it',
    "also runs the program and adds each kernel's time, FLOP/s, bytes/s, share of the machine's limit and bottleneck, slowest",
    'kernels first. The limits of the machine are measured once and stored in the cache directory. For a script, TRENIO_PROFILE=1',
    'prints the same times for all of its programs.',
  ].join('\n'),
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: true }],
  options: explainOptions,
  examples: [
    { command: 'trenio hlo explain model.mlir', explanation: 'all kernels' },
    { command: 'trenio hlo explain model.mlir --op reduce', explanation: 'the kernels of the reductions' },
    { command: 'trenio hlo explain model.mlir --profile --rounds 50', explanation: 'with times, on generated inputs' },
    { command: "trenio hlo explain model.mlir --json | jq '.kernels[].why'", explanation: 'for scripts' },
  ],
  run: async (input, context) => (await import('./explain.ts')).explainFile(input, showing(context)),
});

const partition = defineCommand({
  name: 'hlo partition',
  summary: 'Divide a program over its mesh, by the shardings it states.',
  description: [
    'Reads the shardings of the program (Shardy and GSPMD), propagates them to all other values, as Shardy does, and makes the',
    'program of each device, with collectives. Prints the program after the last of these passes, or after the one given.',
  ].join('\n'),
  positionals: [{ name: 'file', description: 'StableHLO text, or a portable artifact.', required: true }],
  options: partitionOptions,
  examples: [
    { command: 'trenio hlo partition step.mlir', explanation: 'the program of each device' },
    { command: 'trenio hlo partition step.mlir --after propagate', explanation: 'the sharding of each value' },
  ],
  run: async (input, context) => (await import('./partition.ts')).partitionProgram(input, showingOnTerminal(context)),
});

export const hloCommands: CommandGroup = {
  name: 'hlo',
  summary: 'Verify, print, run, check, cost, explain, draw and partition StableHLO programs.',
  description: [
    'Works on StableHLO programs: text, for example from jax.jit(f).lower(x).as_text(), and portable artifacts, for example from',
    'jax.export. The entry of a program is the function main, or its only function.',
  ].join('\n'),
  commands: [verify, print, run, check, cost, explain, graph, partition],
};
