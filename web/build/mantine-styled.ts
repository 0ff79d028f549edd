import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Fails the build if a used Mantine component has no styles in mantine.css: it would look broken and no test would
 * notice.
 */
export const mantineStyled = (root: string): Plugin => ({
  name: 'mantine-styled',
  apply: 'build',
  generateBundle(_options, bundle) {
    const styles = readFileSync(join(root, 'src/mantine.css'), 'utf8')
    const used = Object.values(bundle)
      .flatMap((file) => (file.type === 'chunk' ? Object.entries(file.modules) : []))
      .filter(([, { renderedLength }]) => renderedLength > 0)
      .flatMap(([id]) => /@mantine\/core\/.*\/(\w+)\.module\.mjs$/.exec(id)?.[1] ?? [])
    const missing = used.filter((part) => !styles.includes(`/styles/${part}.css'`))
    if (used.length === 0) throw new Error('mantine-styled no longer finds the components of Mantine')
    if (missing.length > 0) throw new Error(`src/mantine.css lacks ${missing.join(', ')}`)
  },
})
