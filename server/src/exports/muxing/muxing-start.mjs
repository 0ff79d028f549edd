// The start of a muxing thread. No TypeScript, so that what was compiled before is used for everything else: that is
// three quarters of what a thread costs to start (see `run-service.mjs`).
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '../../../../node_modules/.cache/gatehouse'))
await import('./muxing-worker.ts')
