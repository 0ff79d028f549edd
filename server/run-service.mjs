// What has to be set before anything else is loaded; then the service. No TypeScript, so that nothing has to be
// compiled to get here. What has to be set even before Node runs is in `npm start`: two arenas of the allocator instead
// of eight for each core, which are some 25 MB less and grow less.
import { enableCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes. A service without a large configuration has some 50 MB. */
const largeHeap = 128 * 2 ** 20

/**
 * Starts the service in this process.
 *
 * @param {() => Promise<unknown>} load its code
 */
export async function runService(load) {
  // Little room for young objects during startup, which would otherwise leave some 30 MB to a service that is mostly idle.
  setFlagsFromString('--semi-space-growth-factor=1')
  // What was compiled is kept for the next start.
  enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/gatehouse'))
  // A media disk that hangs takes at most six threads (`media-disk.ts`); the others are for all else. Passwords are
  // hashed in their own process (RATE-7).
  process.env['UV_THREADPOOL_SIZE'] ??= String(availableParallelism() + 8)

  await load()

  // Startup leaves garbage that an idle service would keep: it is collected once. Under load, the space for young
  // objects may grow now.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  // What a large configuration needed is also given back to the system. Small services keep it: afterwards a request
  // costs a fifth more.
  if (process.memoryUsage().heapTotal > largeHeap) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  else collect()
  setFlagsFromString('--semi-space-growth-factor=2')
}
