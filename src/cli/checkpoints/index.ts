// `trenio checkpoints …`: the checkpoints of training runs. Only descriptions; the implementation is imported when a command
// runs.
import type { CommandGroup } from '../command/command.ts';
import { defineCommand } from '../command/command.ts';
import { convertOptions, diffOptions, lsOptions, showOptions, verifyOptions } from './checkpoints-options.ts';

const directory = { name: 'directory', description: 'A folder of checkpoints.', required: true } as const;
const checkpoint = {
  name: 'checkpoint',
  description: 'A checkpoint, or a folder of checkpoints, of which the latest is used.',
  required: true,
} as const;

const ls = defineCommand({
  name: 'checkpoints ls',
  summary: 'List the checkpoints in a folder.',
  description: 'Lists the checkpoints with their step, size, number of ranks and age. Files are not read: see verify.',
  positionals: [directory],
  options: lsOptions,
  examples: [
    { command: 'trenio checkpoints ls out/checkpoints', explanation: 'a table' },
    {
      command: 'trenio checkpoints ls out/checkpoints --json | jq .checkpoints[-1].step',
      explanation: 'the last step',
    },
  ],
  run: async (input, context) => (await import('./commands.ts')).listThem(input, context),
});

const show = defineCommand({
  name: 'checkpoints show',
  summary: 'Show what is in a checkpoint.',
  description: 'Shows the run, the step, the parts with the number and size of their tensors, and all other state.',
  positionals: [checkpoint],
  options: showOptions,
  examples: [
    { command: 'trenio checkpoints show out/checkpoints', explanation: 'the latest checkpoint' },
    { command: 'trenio checkpoints show out/checkpoints/checkpoint-50 --tensors', explanation: 'with every tensor' },
  ],
  run: async (input, context) => (await import('./commands.ts')).showOne(input, context),
});

const verify = defineCommand({
  name: 'checkpoints verify',
  summary: 'Compare checkpoints with their checksums.',
  description: [
    'Reads every byte of a checkpoint, or of all checkpoints in a folder. Exits with 0 if they are intact and with 1 if one is',
    'damaged, and prints the damaged files and tensors.',
  ].join('\n'),
  positionals: [{ ...checkpoint, description: 'A checkpoint, or a folder of checkpoints.' }],
  options: verifyOptions,
  examples: [
    { command: 'trenio checkpoints verify out/checkpoints', explanation: 'all of them' },
    { command: 'trenio checkpoints verify out/checkpoints/checkpoint-50', explanation: 'one' },
  ],
  run: async (input, context) => (await import('./commands.ts')).verifyThem(input, context),
});

const diff = defineCommand({
  name: 'checkpoints diff',
  summary: 'Compare two checkpoints, to the bit.',
  description: [
    'Compares all tensors and the rest of the state. Exits with 0 if a run resumed from either gives the same bits, else with 1. The',
    'number of ranks that wrote them makes no difference.',
  ].join('\n'),
  positionals: [
    { ...checkpoint, name: 'first' },
    { ...checkpoint, name: 'second' },
  ],
  options: diffOptions,
  examples: [
    { command: 'trenio checkpoints diff a/checkpoints b/checkpoints', explanation: 'the latest ones of two runs' },
    { command: 'trenio checkpoints diff a/checkpoint-10 b/checkpoint-10 --json', explanation: 'for scripts' },
  ],
  run: async (input, context) => (await import('./commands.ts')).diffTwo(input, context),
});

const convert = defineCommand({
  name: 'checkpoints convert',
  summary: 'Convert to and from Hugging Face and PyTorch.',
  description: [
    'Reads a Trenio checkpoint, a Hugging Face model directory (model.safetensors, or shards with an index), a directory of',
    'torch.distributed.checkpoint (.distcp files, or safetensors files of HuggingFaceStorageWriter) or a file of torch.save, and writes',
    'a checkpoint (trenio), a model directory (hugging-face), safetensors files of torch.distributed.checkpoint (torch) or a file of',
    'torch.save (torch-file). The target must not exist. Tensors keep their names, types and exact values; config.json and the files of the',
    'tokenizer are copied.',
    '',
    'A checkpoint that is converted from PyTorch contains the model, and the optimizer if there is one: resume it with a Checkpointer',
    'of { model, optimizer }. Files of PyTorch contain a pickle, a program that may run code when it is read. Here it is read as data: a',
    'pickle that names anything other than tensors and plain data is rejected.',
  ].join('\n'),
  positionals: [
    {
      name: 'source',
      description: 'A checkpoint, a folder of checkpoints, a model directory, or a .pt file.',
      required: true,
    },
    { name: 'target', description: 'A directory, or with --to torch-file a file, which is created.', required: true },
  ],
  options: convertOptions,
  examples: [
    {
      command: 'trenio checkpoints convert out/checkpoints out/model --config bert-base-uncased',
      explanation: 'AutoModel.from_pretrained("out/model") in Python, or trenio deploy out/model',
    },
    {
      command: 'trenio checkpoints convert bert-base-uncased out/checkpoints',
      explanation: 'a checkpoint of step 0 from a model directory',
    },
    {
      command: 'trenio checkpoints convert out/checkpoints out/dcp --to torch',
      explanation: 'dcp.load(state, storage_reader=dcp.HuggingFaceStorageReader("out/dcp"))',
    },
    {
      command: 'trenio checkpoints convert dcp-1000 out/checkpoints',
      explanation: 'resume what dcp.save({"model": …, "optimizer": …}) wrote',
    },
    {
      command: 'trenio checkpoints convert out/checkpoints out/model.pt --to torch-file',
      explanation: 'torch.load("out/model.pt")',
    },
  ],
  run: async (input, context) => (await import('./convert.ts')).convertOne(input, context),
});

export const checkpointCommands: CommandGroup = {
  name: 'checkpoints',
  summary: 'List, show, verify, compare and convert checkpoints of training runs.',
  description: 'Works on the folders that a Checkpointer writes (docs/checkpoints.md).',
  commands: [ls, show, verify, diff, convert],
};
