// A layout of ranks as text: `dp_shard=2,tp=-1`. Which axes exist, and whether the sizes fit the ranks, the mesh checks.

/** The sizes by axis, from major to minor; undefined for any other text, and for an axis that is named twice. */
export function parseLayout(text: string): { readonly [axis: string]: number } | undefined {
  const sizes = new Map<string, number>();
  for (const part of text.split(',')) {
    const [, axis, size] = /^\s*([A-Za-z_]\w{0,31})=(-?\d{1,9})\s*$/.exec(part) ?? [];
    if (axis === undefined || sizes.has(axis)) return undefined;
    sizes.set(axis, Number(size));
  }
  return Object.fromEntries(sizes);
}
