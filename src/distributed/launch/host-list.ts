// Slurm's lists of host names: `node[01-03,7],login`, `rack[1-2]n[1-2]`. Expands them like `scontrol show hostnames`.

/** Far more than any cluster has: a typing error such as [1-999999999] must not fill the memory. */
const MAX_HOSTS = 100_000;

/** The names in order; undefined if the text is not such a list. */
export function parseHostList(text: string): readonly string[] | undefined {
  const items = splitItems(text);
  if (items === undefined || text === '') return undefined;
  const names: string[] = [];
  for (const item of items) {
    const expanded = expand(item);
    if (expanded === undefined || names.length + expanded.length > MAX_HOSTS) return undefined;
    names.push(...expanded);
  }
  return names;
}

/** At commas outside of brackets. */
function splitItems(text: string): readonly string[] | undefined {
  const items: string[] = [''];
  let isInside = false;
  for (const character of text) {
    if (character === '[' || character === ']') {
      if (isInside === (character === '[')) return undefined;
      isInside = character === '[';
    }
    if (character === ',' && !isInside) items.push('');
    else items[items.length - 1] += character;
  }
  return isInside ? undefined : items;
}

function expand(item: string): readonly string[] | undefined {
  let names = [''];
  for (const part of item.match(/\[[^\]]*\]|[^[\]]+/g) ?? ['']) {
    const choices = part.startsWith('[') ? ranges(part.slice(1, -1)) : /^[\w.-]+$/.test(part) ? [part] : undefined;
    if (choices === undefined || names.length * choices.length > MAX_HOSTS) return undefined;
    names = names.flatMap(name => choices.map(choice => name + choice));
  }
  return names;
}

/** `01-03,7` → 01, 02, 03, 7. The width is that of the first number. */
function ranges(text: string): readonly string[] | undefined {
  const numbers: string[] = [];
  for (const part of text.split(',')) {
    const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part);
    if (match === null) return undefined;
    const [first, last] = [Number(match[1]), Number(match[2] ?? match[1])];
    if (last < first || last - first >= MAX_HOSTS) return undefined;
    for (let n = first; n <= last; n++) numbers.push(`${n}`.padStart(match[1]!.length, '0'));
  }
  return numbers;
}

/** SLURM_TASKS_PER_NODE: `2(x3),1` → 2, 2, 2, 1; undefined if the text is not such a list. */
export function parseTaskCounts(text: string): readonly number[] | undefined {
  const counts: number[] = [];
  for (const part of text.split(',')) {
    const match = /^(\d{1,6})(?:\(x(\d{1,6})\))?$/.exec(part);
    const repeats = Number(match?.[2] ?? 1);
    if (match === null || counts.length + repeats > MAX_HOSTS) return undefined;
    counts.push(...new Array<number>(repeats).fill(Number(match[1])));
  }
  return counts;
}
