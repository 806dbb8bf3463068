// The downhill rule: a folder imports only from those above it in this list (ARCHITECTURE.md says why).
const downhill = [
  'base', 'numerics', 'hlo', 'autodiff', 'compiler', 'runtime', 'tensor', 'nn', 'optim', 'data', 'models',
  'parallel', 'hardware', 'simulator', 'observe', 'jobs', 'cluster', 'api', 'cli',
];
export default {
  forbidden: [
    ...downhill.slice(0, -1).map((folder, i) => ({
      name: `downhill-${folder}`,
      comment: `Data flows downhill: src/${folder} may import only from the folders before it (${downhill.slice(0, i).join(', ') || 'none'}).`,
      severity: 'error',
      from: { path: `^src/${folder}/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^src/(${downhill.slice(i + 1).join('|')})/` },
    })),
    { name: 'no-cycles', comment: 'A cycle means that two files are one idea, or that a line is in the wrong file.', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
  ],
  options: { tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' }, enhancedResolveOptions: { extensions: ['.ts', '.js'] } },
};
