// The share of PyTorch usage with a name in Trenio: the 300 most used names with their shares (pytorch-names.json), looked up in
// the exports of Trenio. Compares names only; behavior is compared in src/tensor/surface/pytorch.test.ts.
//
//   node bench/pytorch-coverage.ts [--missing]
import './help.ts';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as trenio from 'trenio';
import { isAbsent } from '../src/tensor/absent/absent-functions.ts';
import { absentNames } from '../src/tensor/surface/absent.ts';
import { rows } from '../src/tensor/surface/index.ts';
import { isDType } from '../src/tensor/types/dtype.ts';

const { values } = parseArgs({ options: { missing: { type: 'boolean', default: false } } });
const { names } = JSON.parse(readFileSync(new URL('pytorch-names.json', import.meta.url), 'utf8')) as {
  readonly names: readonly { readonly name: string; readonly share: number }[];
};

/** Names that differ by design, with their replacements, which are looked up too. */
const renamed: Readonly<Record<string, string>> = {
  'Tensor.data': 'Tensor.data',
  'torch.save': 'Checkpointer',
  'torch.load': 'Checkpointer',
  'torch.nn.Buffer': 'nn.StateBuffer',
  'torch.distributed.is_initialized': 'distributed.isInitialized',
  'torch.distributed.all_gather': 'distributed.allGather',
  'torch.dtype': 'Tensor.dtype',
  'Module.register_buffer': 'nn.StateBuffer',
};

type Found = 'exact' | 'differs' | 'advice' | 'missing';
const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const objects: Readonly<Record<string, object>> = {
  Tensor: trenio.tensor([1]),
  Module: new trenio.nn.Identity(),
  Optimizer: trenio.Optimizer.prototype,
};

/** Resolves a path of names, starting from the exports; undefined if it does not exist. */
function lookUp(path: string): boolean {
  let at: unknown = trenio;
  for (const part of path.split('.')) {
    const owner = at === trenio && part in objects ? objects : at;
    if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null || !(part in owner)) return false;
    try {
      at = (owner as Readonly<Record<string, unknown>>)[part];
    } catch {
      return false; // a name that throws with advice
    }
  }
  return !isAbsent(at);
}
/** Candidate paths of a PyTorch name: its own path in camelCase, without leading parts, or in a namespace. */
function positionsOf(name: string): readonly string[] {
  const parts = name.split('.').filter(part => part !== 'torch');
  const last = parts.at(-1)!;
  const spellings = [last, camelCase(last)];
  return spellings.flatMap(spelling =>
    parts[0] === 'Tensor' && parts.length > 1
      ? [`Tensor.${spelling}`]
      : ['Module', 'Optimizer'].includes(parts[0]!) && parts.length > 1
        ? [`${parts[0]}.${spelling}`]
        : [
            [...parts.slice(0, -1).map(camelCase), spelling].join('.'),
            spelling,
            `optim.${spelling}`,
            `nn.utils.${spelling}`,
          ],
  );
}
function find(name: string): Found {
  const other = renamed[name];
  if (other !== undefined) return lookUp(other) ? 'differs' : 'missing';
  if (name.startsWith('torch.') && isDType(name.slice('torch.'.length))) return 'exact';
  if (positionsOf(name).some(lookUp)) {
    const row = rows.find(r => r.torch.includes(name));
    return row?.differs === undefined ? 'exact' : 'differs';
  }
  return absentNames.some(absent => absent.name === name) ? 'advice' : 'missing';
}

const found = names.map(({ name, share }) => ({ name, share, found: find(name) }));
const total = names.reduce((sum, { share }) => sum + share, 0);
const texts = {
  exact: 'exact',
  differs: 'differs by design',
  advice: 'absent, with advice',
  missing: 'missing',
} as const satisfies Record<Found, string>;
console.log(`${names.length} PyTorch names, ${total.toFixed(1)} % of all uses; weighted by use:`);
for (const [kind, text] of Object.entries(texts)) {
  const of = found.filter(entry => entry.found === kind);
  const share = (100 * of.reduce((sum, entry) => sum + entry.share, 0)) / total;
  console.log(`  ${text.padEnd(20)} ${share.toFixed(1).padStart(5)} %   ${String(of.length).padStart(3)} names`);
}
if (values.missing)
  for (const { name, share } of found.filter(entry => entry.found === 'missing'))
    console.log(`  ${share.toFixed(3)} % ${name}`);
