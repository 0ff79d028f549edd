// Loaded before the service by `--import`: exports can be blocked as in `held-exports.ts`.
import { registerHooks } from 'node:module'

const held = new URL('held-muxing.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith('/muxing-thread.ts') && context.parentURL?.endsWith('/src/main.ts')
      ? { url: held, shortCircuit: true }
      : next(specifier, context),
})
