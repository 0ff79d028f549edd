// What has to be set before anything else is loaded; then the service. No TypeScript, so that nothing has to be
// compiled to get here. What has to be set even before Node runs is in `npm start`: two arenas of the allocator instead
// of eight for each core, which are some 25 MB less and grow less.
import { enableCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// Little room for young objects: some 30 MB less for a service that is mostly idle.
setFlagsFromString('--max-semi-space-size=4')
setFlagsFromString('--semi-space-growth-factor=1')
// What was compiled is kept for the next start: half the time, and another 20 MB less.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/gatehouse'))
// Password checks take a thread for each core (RATE-7), a media disk that hangs at most six (`media-disk.ts`), and
// neither may hold up the other, nor all else.
process.env['UV_THREADPOOL_SIZE'] ??= String(availableParallelism() + 8)

await import('./src/main.ts')
