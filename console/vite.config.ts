// How the console is built: static files for the job server, under its path, with names that change with their content.
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/_console/',
  build: {
    target: 'es2023',
    // Files of their own: the page's policy allows no inline script, style or font.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
