import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs some work while no other set-up of the same folder runs.
 *
 * An abstract socket name is the lock: the kernel gives it to one process and releases it however that process ends,
 * so no stale lock is left behind. Only Linux has abstract sockets; elsewhere there is no lock.
 *
 * @param {string} root
 * @param {() => unknown} work which checks again whether there is anything to do
 */
export async function oneAtATime(root, work) {
  const lock = process.platform === 'linux' ? await acquireLock(root) : undefined
  try {
    await work()
  } finally {
    lock?.close()
  }
}

/** @param {string} root */
async function acquireLock(root) {
  const name = `\0gatehouse-set-up-${createHash('sha256').update(root).digest('hex').slice(0, 32)}`
  for (let isReported = false; ; isReported = true) {
    const server = createServer((socket) => socket.destroy())
    try {
      server.listen(name)
      await once(server, 'listening')
      return server
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EADDRINUSE') throw error
      if (!isReported) console.log('Waiting for another setup in this folder to finish …')
      await sleep(200)
    }
  }
}
