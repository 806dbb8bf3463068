/** The decoded path of a URL, without its query; one that cannot be decoded is kept, and is then not found. */
export function pathOf(url: string): string {
  const path = url.split(/[?#]/, 1)[0]!;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
