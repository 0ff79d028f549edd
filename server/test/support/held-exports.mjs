// Loaded before the service by `--import`: exports can be blocked as in `held-exports.ts`.
import { replaceInMain } from './replace-in-main.mjs'

const held = new URL('held-muxing.ts', import.meta.url).href
replaceInMain('startMuxer: startMuxingThread', `startMuxer: (await import('${held}')).startMuxingThread`)
