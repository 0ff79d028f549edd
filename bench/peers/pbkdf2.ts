import { pbkdf2 } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'

const derive = promisify(pbkdf2)

/** Computes as many hashes concurrently as there are cores, and nothing else. Responds with hashes per second. */
process.on('message', ({ duration }: { duration: number }) => {
  void (async () => {
    const started = performance.now()
    let count = 0
    const one = async () => {
      while (performance.now() < started + duration) {
        await derive('correct horse battery staple', 'a salt of some length', 600_000, 32, 'sha256')
        count += 1
      }
    }
    await Promise.all(Array.from({ length: availableParallelism() }, one))
    process.send?.((count * 1000) / (performance.now() - started))
  })()
})
process.on('disconnect', () => process.exit())
console.log('ready')
