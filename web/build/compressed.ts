import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Writes `x.js.br` and `x.js.gz` next to `x.js`, so that the service doesn't compress files that never change. */
export const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  // After writing: until then the build still fills in the file names that a chunk imports.
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => /\.(?:js|css)$/.test(file))) {
      const file = join(dir, name)
      const source = readFileSync(file)
      writeFileSync(`${file}.br`, brotliCompressSync(source))
      writeFileSync(`${file}.gz`, gzipSync(source))
    }
  },
})
