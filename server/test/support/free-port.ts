import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Picks ports below the range for outgoing connections, in a separate range for each worker and never twice, so that a
 * port that is free now is still free when a slowly starting service binds it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = portsFrom + (nextPort++ % portsOfAWorker)
    if (await isFree(port)) return port
  }
}

const portsOfAWorker = 2500
const portsFrom = 10_000 + portsOfAWorker * (Number(process.env['VITEST_POOL_ID'] ?? 0) % 9)
let nextPort = Math.floor(Math.random() * portsOfAWorker)

export async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const listening = new Promise<boolean>((answer) => {
    server.once('listening', () => answer(true))
    server.once('error', () => answer(false))
  })
  server.listen(port)
  if (!(await listening)) return false
  server.close()
  await once(server, 'close')
  return true
}
