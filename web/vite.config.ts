import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** Where `npm run dev` finds the service: the gate, or the inside with `GATEHOUSE=http://127.0.0.1:5000`. */
const service = process.env['GATEHOUSE'] ?? 'https://localhost:8971'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative, so that one build serves below any `http.base_path`: the page's <base> is what everything hangs on.
  base: './',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // A data: script or font would need a hole in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': { target: service, secure: false, ws: true } } },
})
