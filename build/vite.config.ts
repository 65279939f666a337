/** Builds the renderer into dist/renderer: plain files, no inline script and no eval, so that the strict content policy of the server holds. */
import react from '@vitejs/plugin-react';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { firstFrame } from '../renderer/shell/first-frame.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The document comes with its frame, in the right colours: it is seen before the page's scripts are here. */
function frameFirst(): Plugin {
  const script = 'theme-first.js';
  return {
    name: 'frame-first',
    async generateBundle() {
      const { outputFiles } = await build({ entryPoints: [`${root}renderer/state/theme-first.ts`], bundle: true, minify: true, write: false });
      this.emitFile({ type: 'asset', fileName: script, source: outputFiles[0]?.text ?? '' });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) => ({
        html: html.replace('<div id="root"></div>', `<div id="root">${firstFrame()}</div>`),
        tags: [{ tag: 'script', attrs: { src: `./${script}` }, injectTo: 'head-prepend' }],
      }),
    },
  };
}

export default defineConfig({
  root: `${root}renderer`,
  base: './',
  publicDir: false,
  plugins: [react(), frameFirst()],
  worker: { format: 'es' },
  build: {
    outDir: `${root}dist/renderer`,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    chunkSizeWarningLimit: 900,
  },
});
