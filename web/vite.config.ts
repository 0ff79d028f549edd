import react from '@vitejs/plugin-react'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/** Where `npm run dev` finds the service: the gate, or the inside with `GATEHOUSE=http://127.0.0.1:5000`. */
const service = process.env['GATEHOUSE'] ?? 'https://localhost:8971'

/** Puts `x.js.br` and `x.js.gz` beside `x.js`, so that the service need not compress what never changes. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  // After writing: until then the build still fills in the names of what a chunk loads.
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => /\.(?:js|css)$/.test(file))) {
      const file = join(dir, name)
      const source = readFileSync(file)
      writeFileSync(`${file}.br`, brotliCompressSync(source))
      writeFileSync(`${file}.gz`, gzipSync(source))
    }
  },
}

/** Light or dark is set before anything is painted. It is no module, and so nothing for the bundler. */
const schemeFirst: Plugin = {
  name: 'scheme-first',
  transformIndexHtml: {
    order: 'post',
    handler: () => [{ tag: 'script', attrs: { src: './scheme.js' }, injectTo: 'head' }],
  },
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative, so that one build serves below any `http.base_path`: the page's <base> is what everything hangs on.
  base: './',
  plugins: [react(), schemeFirst, compressed],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // A data: script or font would need a hole in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What most pages use comes in one file, not in one for each icon and each button.
          groups: [{ name: 'shared', minShareCount: 5 }],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: service, secure: false, ws: true } } },
})
