/** A width as a sum of powers of two, none above `widest`, in order: the vectors that cover it. */
export function vectorWidths(width: number, widest: number): { offset: number; size: number }[] {
  const result: { offset: number; size: number }[] = [];
  for (let offset = 0, size = widest; offset < width; ) {
    if (offset + size <= width) {
      result.push({ offset, size });
      offset += size;
    } else size /= 2;
  }
  return result;
}
