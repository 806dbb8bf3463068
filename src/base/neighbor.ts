// Modules that are started by their file, in a process or a worker: TypeScript in the repository, JavaScript as published.

/**
 * The file near the module at `url` (its `import.meta.url`), by the name that it has in the sources. The bundle keeps a file for
 * each module that is named so (scripts/bundle.ts).
 */
export const neighbor = (url: string, file: `${'.' | '..'}/${string}.ts`): URL =>
  new URL(url.endsWith('.ts') ? file : file.replace(/\.ts$/, '.js'), url);
