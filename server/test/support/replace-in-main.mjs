import { registerHooks } from 'node:module'

/**
 * Gives the service another part than its own, where `main.ts` names it: in the sources, or in the build.
 *
 * @param {string} own
 * @param {string} other
 */
export function replaceInMain(own, other) {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (!/\/(?:src\/main\.ts|service\.mjs)$/.test(url)) return loaded
      const { source } = loaded
      const text = typeof source === 'string' ? source : new TextDecoder().decode(source)
      const [before, after, ...more] = text.split(own)
      if (before === undefined || after === undefined || more.length > 0) throw new Error(`${url} has not one “${own}”`)
      return { ...loaded, source: before + other + after }
    },
  })
}
