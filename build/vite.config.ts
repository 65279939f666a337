/** Builds the renderer into dist/renderer: plain files, no inline script and no eval, so that the strict content policy of the server holds. */
import react from '@vitejs/plugin-react';
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
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

/** The icon of the tab comes within the document: with each step of the address browsers ask for it again. */
function iconWithin(): Plugin {
  return {
    name: 'icon-within',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace('./icon.png', `data:image/png;base64,${readFileSync(`${root}renderer/icon.png`, 'base64')}`),
    },
  };
}

/**
 * Files that are fetched ahead are compiled whole then, on another thread (V8's hint for that), and not function by function in the frame in which somebody
 * looks at what they show. What the first picture needs is left alone, and what few ever open.
 */
function compiledAhead(): Plugin {
  const isLeft = (name: string): boolean => name === 'index' || name === 'code-mirror';
  return {
    name: 'compiled-ahead',
    generateBundle: {
      // The first line counts, and Vite puts one of its own before some.
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && !isLeft(file.name)) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      },
    },
  };
}

export default defineConfig({
  root: `${root}renderer`,
  base: './',
  publicDir: false,
  plugins: [react(), frameFirst(), iconWithin(), compiledAhead()],
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
