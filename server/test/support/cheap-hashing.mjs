// Loaded before the service by `--import`: passwords are hashed as in `cheap-hashing.ts`.
import { registerHooks } from 'node:module'

const cheap = new URL('cheap-hashing.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith('/hashing-process.ts') && context.parentURL?.endsWith('/src/main.ts')
      ? { url: cheap, shortCircuit: true }
      : next(specifier, context),
})
