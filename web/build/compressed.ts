import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Writes `x.js.br` and `x.js.gz` next to `x.js`, so that the service doesn't compress files that never change. */
export const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  // After writing: until then the build still fills in the file names that a chunk imports.
  writeBundle({ dir = '' }) {
    // Read from the folder: the files of `public` are not part of the bundle.
    const written = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    for (const name of written.filter((file) => /\.(?:js|css)$/.test(file))) {
      const file = join(dir, name)
      const source = readFileSync(file)
      writeFileSync(`${file}.br`, brotliCompressSync(source))
      writeFileSync(`${file}.gz`, gzipSync(source))
    }
  },
})
