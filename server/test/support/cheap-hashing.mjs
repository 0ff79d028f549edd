// Loaded before the service by `--import`: passwords are hashed as in `cheap-hashing.ts`.
import { replaceInMain } from './replace-in-main.mjs'

const cheap = new URL('cheap-hashing.ts', import.meta.url).href
replaceInMain('createHashing: createHashingProcess', `createHashing: (await import('${cheap}')).createHashingProcess`)
