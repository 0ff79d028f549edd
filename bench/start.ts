import { once } from 'node:events'
import { request as plain } from 'node:http'
import { request as encrypted } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { alternating, median, ratioOf, type Bench, type Figure } from './figure.ts'
import { end, memoryOf, startNode } from './process.ts'
import { freePort, createSandbox, quietCameras, spawnService, type Sandbox } from './service.ts'

/** Measures the time from process start to the first response on both ports, and the idle memory. */
export const start: Bench = {
  name: 'start',
  async run({ quick, scratch, print }) {
    // With TLS, which is the default.
    const sandbox = await createSandbox(scratch, { cameras: quietCameras(['yard', 'door', 'office']) }, true)
    // The first start creates certificates, secret, database and admin.
    await startTime(sandbox)
    const peerPort = await freePort()
    const response = JSON.stringify({ path: '/', status: 200, headers: {}, body: {} })
    const peer = async () => {
      const began = performance.now()
      const child = startNode([join(import.meta.dirname, 'peers/route.ts')], {
        core: 'any',
        env: { RESPONSE: response, PORT: String(peerPort) },
      })
      await responds(() => plain({ port: peerPort, path: '/' }))
      const took = performance.now() - began
      await end(child)
      return took
    }
    const times = await alternating(quick ? 5 : 11, () => startTime(sandbox), peer)

    print('start: idle …')
    const memory = await idleMemory(sandbox, quick ? 5000 : 30_000)
    const took = median(times.ours)
    return [
      {
        what: 'start of the process to the first response on both ports',
        ours: `${Math.round(took)} ms`,
        peer: `${Math.round(median(times.peer))} ms (empty Fastify)`,
        ratio: ratioOf(times.ours, times.peer).ratio,
        target: '< 1000 ms',
        met: took < 1000,
      },
      memoryFigure('resident memory, idle', memory),
    ]
  },
}

const memoryFigure = (what: string, megabytes: number): Figure => ({
  what,
  ours: `${megabytes.toFixed(0)} MB`,
  peer: '',
  ratio: undefined,
  target: '< 120 MB',
  met: megabytes < 120,
})

/** Milliseconds. */
export async function startTime(sandbox: Sandbox): Promise<number> {
  const began = performance.now()
  const child = spawnService(sandbox, 'any')
  child.stdout?.resume()
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the service did not start')))
  const options = { path: '/api/health', host: '127.0.0.1' }
  const both = Promise.all([
    responds(() => encrypted({ ...options, port: sandbox.gatePort, rejectUnauthorized: false })),
    responds(() => plain({ ...options, port: sandbox.internalPort })),
  ])
  await Promise.race([both, failed])
  const took = performance.now() - began
  failed.catch(() => undefined)
  await end(child)
  return took
}

async function idleMemory(sandbox: Sandbox, wait: number): Promise<number> {
  const child = spawnService(sandbox, 'any')
  child.stdout?.resume()
  await responds(() => plain({ port: sandbox.internalPort, path: '/api/health', host: '127.0.0.1' }))
  await sleep(wait)
  const megabytes = memoryOf(child.pid ?? 0)
  await end(child)
  return megabytes
}

/** Retries until there is a response. */
async function responds(ask: () => ReturnType<typeof plain>): Promise<void> {
  for (;;) {
    const answered = await new Promise<boolean>((done) => {
      const request = ask()
      request.once('response', (response) => {
        response.resume()
        done(response.statusCode === 200)
      })
      request.once('error', () => done(false))
      request.end()
    })
    if (answered) return
    await sleep(2)
  }
}
