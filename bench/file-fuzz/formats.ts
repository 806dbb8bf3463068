// The formats of files that are fuzzed: small valid files of each, and what reads one.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  AutoConfig,
  AutoTokenizer,
  isTrenioError,
  loadTorchFile,
  readCsv,
  readImage,
  readJsonLines,
  readParquet,
  readSafetensors,
  WebDataset,
} from 'trenio';
import { encodePng } from '../../src/base/png.ts';
import { parseConfig } from '../../src/clusters/config/parse-config.ts';
import { exampleConfig } from '../../src/clusters/example-config.testing.ts';
import { readNpy } from '../../src/data/files/npy.ts';
import { openGguf } from '../../src/data/gguf/gguf-file.ts';
import { ChatTemplate } from '../../src/data/tokenizers/chat-template.ts';
import { type Manifest, manifestText } from '../../src/distributed/checkpoints/manifest.ts';
import { CheckpointReader } from '../../src/distributed/checkpoints/read-checkpoint.ts';
import { verifyCheckpoint } from '../../src/distributed/checkpoints/verify.ts';
import { isTarget, rankOf, readLoraConfig } from '../../src/models/adapters/lora-config.ts';
import { openWeights } from '../../src/models/weights.ts';
import { goldenPath } from '../../test/golden.testing.ts';

const all = async (items: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of items);
};
/** The files of a folder with this ending, up to 100 KB. */
const files = (folder: string, ending: string): Uint8Array[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(ending))
    .map(name => new Uint8Array(readFileSync(join(folder, name))))
    .filter(({ length }) => length < 100_000);
export const text = (value: string): Uint8Array => new TextEncoder().encode(value);
export function npy(): Uint8Array {
  const header = `${"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }".padEnd(117)}\n`;
  return Uint8Array.of(0x93, ...text('NUMPY'), 1, 0, 118, 0, ...text(header), ...new Uint8Array(24));
}
export function tar(): Uint8Array {
  const entry = (name: string, content: Uint8Array): Uint8Array => {
    const head = new Uint8Array(512);
    const put = (at: number, value: string): void => head.set(text(value), at);
    put(0, name);
    put(100, '0000644');
    put(124, content.length.toString(8).padStart(11, '0'));
    put(148, '        ');
    put(156, '0');
    put(257, 'ustar\x0000');
    put(
      148,
      `${head
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
    );
    return Buffer.concat([head, content, new Uint8Array(-content.length & 511)]);
  };
  const parts = [
    entry('a.txt', text('x')),
    entry('a.cls', text('3')),
    entry('a.json', text('{"a": 1}')),
    entry('a.npy', npy()),
  ];
  return Buffer.concat([...parts, new Uint8Array(1024)]);
}

export interface Format {
  /** The name of a file. */
  readonly name: string;
  /** Valid files. */
  readonly samples: () => readonly Uint8Array[];
  readonly read: (path: string) => unknown;
  /** Other files of its directory, by name. */
  readonly beside?: () => Readonly<Record<string, Uint8Array>>;
  /** Corrects the checksums of a mutant, so that what follows them is read. */
  readonly repair?: (bytes: Buffer) => Uint8Array;
}
const repairPng = (bytes: Buffer): Buffer => {
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) break;
    bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, end)), end);
    at = end + 4;
  }
  return bytes;
};
const repairTar = (bytes: Buffer): Buffer => {
  for (let at = 0; at + 512 <= bytes.length; at += 512)
    if (bytes.toString('latin1', at + 257, at + 262) === 'ustar') {
      bytes.write('        ', at + 148);
      const sum = bytes.subarray(at, at + 512).reduce((total, byte) => total + byte, 0);
      bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148);
    }
  return bytes;
};
const repairZip = (bytes: Buffer): Buffer => {
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0 && at + 46 <= bytes.length; ) {
    const local = bytes.readUInt32LE(at + 42);
    if (local + 30 <= bytes.length) {
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      bytes.writeUInt32LE(crc32(bytes.subarray(start, start + bytes.readUInt32LE(at + 24))), at + 16);
    }
    at = bytes.indexOf('PK\x01\x02', at + 4);
  }
  return bytes;
};
const repairManifest = (bytes: Buffer): Uint8Array => {
  try {
    const { checksum: _, ...manifest } = JSON.parse(bytes.toString());
    return text(manifestText(manifest));
  } catch {
    return bytes;
  }
};
/** A file with this header and zeros. */
export const safetensors = (header: string, bytes: number): Uint8Array =>
  Buffer.concat(
    [new BigUint64Array([BigInt(header.length)]), text(header), new Uint8Array(bytes)].map(part =>
      Buffer.from(part.buffer),
    ),
  );
const pairHeader = '{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}';
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
export const manifest: Manifest = {
  format: 'trenio-checkpoint',
  version: 3,
  trenio: '0.1.0',
  run: 'a',
  step: 1,
  ranks: 1,
  mesh: '{}',
  state: { model: { $tensor: 'w' } },
  files: {
    'a.safetensors': {
      bytes: 8 + pairHeader.length + 8,
      headerBytes: 8 + pairHeader.length,
      headerSha256: sha256(safetensors(pairHeader, 0)),
    },
  },
  tensors: {
    w: {
      dtype: 'f32',
      shape: [2],
      pieces: [
        {
          file: 'a.safetensors',
          offset: [0],
          shape: [2],
          start: 8 + pairHeader.length,
          bytes: 8,
          sha256: sha256(new Uint8Array(8)),
        },
      ],
    },
  },
};
const hello = "Hello wörld, it's 12345  \n🙂";
/** Each format: the name of a file, valid files, and what reads one. */
export const formats: Readonly<Record<string, Format>> = {
  png: {
    name: 'a.png',
    samples: () =>
      [1, 3, 4].map(n =>
        encodePng(
          9,
          5,
          n as 1,
          new Uint8Array(45 * n).map((_, i) => i * 7),
        ),
      ),
    read: readImage,
    repair: repairPng,
  },
  jpeg: {
    name: 'a.jpg',
    samples: () =>
      Object.values(
        JSON.parse(readFileSync(join(import.meta.dirname, '../../test/golden/jpegs.json'), 'utf8')) as Record<
          string,
          string
        >,
      ).map(one => Buffer.from(one, 'base64')),
    read: readImage,
  },
  tar: { name: 'a.tar', samples: () => [tar()], read: path => all(new WebDataset(path)), repair: repairTar },
  parquet: {
    name: 'a.parquet',
    samples: () => files(goldenPath('parquet'), '.parquet'),
    read: path => all(readParquet(path)),
  },
  csv: { name: 'a.csv', samples: () => [text('a,b\n1,"x ""y"""\n2,é\r\n')], read: path => all(readCsv(path)) },
  jsonl: {
    name: 'a.jsonl',
    samples: () => [text('{"a": [1, 2.5, 12345678901234567890], "b": "é\\n"}\n[null, true]\n')],
    read: path => all(readJsonLines(path)),
  },
  npy: { name: 'a.npy', samples: () => [npy()], read: readNpy },
  safetensors: {
    name: 'a.safetensors',
    samples: () => files(goldenPath('lora'), '.safetensors').slice(0, 4),
    read: readSafetensors,
  },
  torch: {
    name: 'a.pt',
    samples: () => files(goldenPath('torch-files'), '.pt'),
    read: loadTorchFile,
    repair: repairZip,
  },
  gguf: {
    name: 'a.gguf',
    samples: () => files(goldenPath('gguf'), '.gguf'),
    read: async path => {
      await using file = await openGguf(path);
      for (const tensor of file.tensors.values()) await file.read(tensor);
    },
  },
  tokenizer: {
    name: 'tokenizer.json',
    samples: () => files(goldenPath('tokenizers'), '/tokenizer.json'),
    read: async path => (await AutoTokenizer.fromPretrained(join(path, '..'))).encode(hello),
  },
  adapter: {
    name: 'adapter_config.json',
    samples: () => [
      ...files(goldenPath('lora'), 'adapter_config.json').slice(0, 4),
      text(
        '{"target_modules": "(a+)+.*[qv]_proj", "rank_pattern": {"layers.(\\\\d+)+.q": 4}, "layers_pattern": "h|layers"}',
      ),
    ],
    read: async path => {
      const config = await readLoraConfig(join(path, '..'));
      const name = `model.layers.11.${'a'.repeat(40)}.q_proj`;
      return isTarget(config, name, false) && rankOf(config, name);
    },
  },
  template: {
    name: 'chat_template.jinja',
    samples: () => [
      ...files(goldenPath('tokenizers'), '.jinja'),
      text(
        "{% macro m(a) %}{{ '%5d' % a }}{% endmacro %}{% for i in range(9) %}{{ m(i) | indent(3) }}{{ 'x' * 9 }}{% endfor %}",
      ),
    ],
    read: path =>
      new ChatTemplate(readFileSync(path, 'utf8'), path).render({ messages: [{ role: 'user', content: 'Hi' }] }),
  },
  'gguf-tokenizer': {
    name: 'a.gguf',
    samples: () => files(goldenPath('gguf'), '.gguf'),
    read: async path => (await AutoTokenizer.fromPretrained(path)).encode(hello),
  },
  'tokenizer-config': {
    name: 'tokenizer_config.json',
    samples: () => files(goldenPath('tokenizers'), '/tokenizer_config.json'),
    beside: () => ({ 'tokenizer.json': readFileSync(goldenPath('tokenizers/llama3/tokenizer.json')) }),
    read: async path => {
      const tokenizer = await AutoTokenizer.fromPretrained(join(path, '..'));
      return tokenizer.decode(tokenizer.encode(hello), { skipSpecialTokens: true });
    },
  },
  config: {
    name: 'config.json',
    samples: () => [...files(goldenPath('decoders'), '/config.json'), ...files(goldenPath('encoders'), '/config.json')],
    read: path => AutoConfig.fromPretrained(join(path, '..')),
  },
  'shard-index': {
    name: 'model.safetensors.index.json',
    samples: () => [
      text('{"metadata": {"total_size": 24}, "weight_map": {"a": "model-1.safetensors", "b": "model-1.safetensors"}}'),
    ],
    beside: () => ({ 'model-1.safetensors': safetensors('{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}', 8) }),
    read: async path => {
      await using weights = await openWeights(join(path, '..'));
      for (const name of weights.types.keys()) await weights.read(name);
    },
  },
  manifest: {
    name: 'manifest.json',
    samples: () => [text(manifestText(manifest))],
    repair: repairManifest,
    beside: () => ({ 'a.safetensors': safetensors(pairHeader, 8) }),
    read: async path => {
      await using checkpoint = await CheckpointReader.open(join(path, '..'));
      await verifyCheckpoint(join(path, '..')).catch(error => {
        if (!isTrenioError(error)) throw error;
      });
      for (const name of checkpoint.types.keys()) await checkpoint.read(name);
    },
  },
  cluster: {
    name: 'cluster.yaml',
    samples: () => [text(exampleConfig)],
    read: path => parseConfig(readFileSync(path, 'utf8'), 'fuzz'),
  },
};
