// Sets of CPUs in the format of the Linux kernel, as in TRENIO_CPUS and below /sys.

/** `0,2-4` → [0, 2, 3, 4], the format of the Linux kernel for sets of CPUs; undefined if the text is invalid. */
export function parseCpuList(list: string): readonly number[] | undefined {
  const cpus = new Set<number>();
  for (const part of list.trim().split(',')) {
    const range = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part.trim());
    if (range === null) return undefined;
    const [first, last] = [Number(range[1]), Number(range[2] ?? range[1])];
    if (last < first) return undefined;
    for (let cpu = first; cpu <= last; cpu++) cpus.add(cpu);
  }
  return [...cpus].sort((a, b) => a - b);
}
