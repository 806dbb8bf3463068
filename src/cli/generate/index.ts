// `trenio generate`: description; the implementation is imported when it runs.
import { defineCommand } from '../command/command.ts';
import { generateOptions as options } from './generate-options.ts';

export const generateCommand = defineCommand({
  name: 'generate',
  summary: 'Continue a text with a language model.',
  description: [
    'Loads a model directory in the format of transformers: config.json, model.safetensors (or shards), tokenizer.json, and optionally',
    'generation_config.json and a chat template; or a GGUF file. Prints the text that follows the prompt, or with an encoder–decoder (T5,',
    'BART) the text that answers it; the speed in tokens per second goes to standard error. Ctrl-C stops it.',
  ].join('\n'),
  positionals: [{ name: 'model', description: 'The directory of the model, or a .gguf file.', required: true }],
  options,
  examples: [
    {
      command: 'trenio generate ./SmolLM2-135M --prompt "The capital of France is"',
      explanation: 'continue a text',
    },
    {
      command: 'trenio generate ./Qwen3-0.6B --chat --stream --prompt "Write a haiku." --dtype bfloat16',
      explanation: 'answer a message, streamed, with weights in bfloat16',
    },
    {
      command: 'trenio generate ./gpt2 --prompt "Once upon a time" --temperature 0.8 --top-p 0.9 --seed 7 --json',
      explanation: 'sample; print text, tokens and times as JSON',
    },
    {
      command: 'trenio generate ./flan-t5-small --prompt "translate English to German: Good morning." --beams 4',
      explanation: 'answer a text with an encoder–decoder',
    },
    {
      command: 'trenio generate ./Llama-3.2-1B-Instruct-Q4_K_M.gguf --chat --prompt "Hello" --dtype bfloat16',
      explanation: 'the quantized weights of a GGUF file, widened to bfloat16',
    },
  ],
  run: async (input, context) => (await import('./generate.ts')).generateText(input, context),
});
