// Builds the console: static files for the job server, below its path, with a hash of the content in their names.
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/_console/',
  build: {
    target: 'es2023',
    // Separate files, because the page's content security policy allows no inline scripts, styles or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
