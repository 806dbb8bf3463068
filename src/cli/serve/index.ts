// `trenio serve`: description; the implementation is imported when it runs.
import { defineCommand } from '../command/command.ts';
import { serveOptions as options } from './serve-options.ts';

export const serveCommand = defineCommand({
  name: 'serve',
  summary: "Serve a language model with OpenAI's API.",
  description: [
    'Loads a model directory in the format of transformers: config.json, model.safetensors, tokenizer.json. Answers POST',
    '/v1/chat/completions and /v1/completions, or /v1/embeddings for models that embed texts, with the members of the API of OpenAI and',
    'vLLM; GET /v1/models, /health and /metrics describe the server. Requests share the steps of the model, and each has the tokens that',
    'it has alone. Runs until Ctrl-C or SIGTERM, then finishes running requests and exits with 0.',
    '',
    'Options have the names of vLLM. With keys, every path but /health needs one. Without a key, only loopback addresses are allowed,',
    'unless --insecure is given; the Host header is then checked, which protects against DNS rebinding.',
  ].join('\n'),
  positionals: [{ name: 'model', description: 'The directory of the model, or a .gguf file.', required: true }],
  options,
  examples: [
    { command: 'trenio serve ./Qwen2.5-0.5B-Instruct', explanation: 'at http://127.0.0.1:8000/v1' },
    {
      command:
        'curl -s localhost:8000/v1/completions -H "content-type: application/json" -d \'{"prompt": "Once upon", "stream": true}\'',
      explanation: 'a streamed answer',
    },
    {
      command: 'trenio serve ./Qwen2.5-0.5B-Instruct --quantization q8_0',
      explanation: 'weights of 8 bits: about twice the speed',
    },
    {
      command: 'trenio serve ./Llama-3.2-1B-Instruct --host 0.0.0.0 --api-key-file keys.txt --max-model-len 8192',
      explanation: 'for other machines, with keys, one in each line of a file',
    },
  ],
  run: async (input, context) => (await import('./serve.ts')).serve(input, context),
});
