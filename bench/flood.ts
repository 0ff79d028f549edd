import { setTimeout as sleep } from 'node:timers/promises'
import { besideFigures, startBareHashing, type Beside } from './bare-hashing.ts'
import { alternating, median, withoutTarget, type Bench, type Figure } from './figure.ts'
import { requestText, startLoader } from './load.ts'
import { memoryOf } from './process.ts'
import { createSandbox, password, quietCameras, startService } from './service.ts'

/** Logins per second. */
const logins = 1000
/** Each attempt comes from the next of these addresses: fewer would only be limited. */
const addresses = 30_000
/** Requests per second of signed-in users. */
const rate = 200

/** Measures normal use beside a flood of wrong logins from many addresses, with the default limit of failed logins. */
export const flood: Bench = {
  name: 'flood',
  async run({ quick, scratch, print }) {
    // The addresses are those that a trusted proxy reports.
    const auth = { roles: { guard: ['yard'] }, trusted_proxies: ['127.0.0.1'] }
    const sandbox = await createSandbox(scratch, { auth, cameras: quietCameras(['yard', 'door']) })
    const service = await startService(sandbox, 'any')
    const { gatePort } = service
    const [loader, attacker] = [startLoader(true), startLoader()]
    const hashing = await startBareHashing()
    try {
      const headers = await service.user('erin', 'guard')
      const home = { 'x-forwarded-for': '198.51.100.7' }
      const gated = [requestText('GET', '/api/cameras/yard', gatePort, { ...headers, ...home })]
      const attempts = Array.from({ length: addresses }, (_, i) =>
        requestText(
          'POST',
          '/api/login',
          gatePort,
          { 'x-forwarded-for': `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}` },
          { user: i % 2 === 0 ? 'erin' : `user${i}`, password: `wrong ${i}` },
        ),
      )
      const duration = quick ? 5000 : 15_000
      const ask = () => loader.send({ port: gatePort, requests: gated, connections: 16, duration, rate, status: 200 })
      const statuses: Record<string, number> = {}
      const attack = async (milliseconds: number) => {
        const load = { port: gatePort, requests: attempts, connections: 400, rate: logins, status: undefined }
        const responses = await attacker.send({ ...load, duration: milliseconds })
        for (const [status, count] of Object.entries(responses.statuses))
          statuses[status] = (statuses[status] ?? 0) + count
      }
      const during = (load: (milliseconds: number) => Promise<unknown>) => async () => {
        const loaded = load(duration + 500)
        await sleep(250)
        const responses = await ask()
        await loaded
        return responses.p99
      }
      if ((await signIn(gatePort, home)) === Infinity) throw new Error('the user cannot sign in')
      await ask()
      const before = memoryOf(service.pid)
      print(`flood: ${logins} logins per second …`)
      const idle = async () => (await ask()).p99
      const rounds = quick ? 2 : 5
      const flooded = await alternating(rounds, during(attack), idle)
      const beside = await alternating(rounds, during(hashing.run), idle)
      const waits: number[] = []
      for (let i = 0; i < (quick ? 2 : 5); i += 1) {
        const loaded = attack(30_000)
        await sleep(2000)
        waits.push(await signIn(gatePort, home))
        print(`flood: signed in after ${waits.at(-1)?.toFixed(0)} ms`)
        await loaded
      }
      const after = memoryOf(service.pid)
      return figures({ flooded, beside, statuses, waits, before, after })
    } finally {
      await Promise.all([service.stop(), loader.stop(), attacker.stop(), hashing.stop()])
    }
  },
}

/** Signs in as a person does who tries again when told to. @returns milliseconds; Infinity: not within 20 seconds */
async function signIn(port: number, headers: Record<string, string>): Promise<number> {
  const began = performance.now()
  while (performance.now() - began < 20_000) {
    const response = await fetch(`http://127.0.0.1:${port}/api/login`, {
      method: 'POST',
      body: JSON.stringify({ user: 'erin', password }),
      headers: { 'content-type': 'application/json', ...headers },
    })
    if (response.ok) return performance.now() - began
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
  }
  return Infinity
}

interface Taken {
  readonly flooded: Beside
  readonly beside: Beside
  readonly statuses: Readonly<Record<string, number>>
  readonly waits: readonly number[]
  readonly before: number
  readonly after: number
}

function figures({ flooded, beside, statuses, waits, before, after }: Taken): Figure[] {
  const count = Object.values(statuses).reduce((sum, each) => sum + each, 0)
  const shares = Object.entries(statuses).map(([status, of]) => `${status}: ${((of * 100) / count).toFixed(1)} %`)
  const worst = Math.max(...waits)
  return [
    ...besideFigures(`${logins} logins per second from ${addresses} addresses`, flooded, beside),
    withoutTarget(
      `responses to ${count} logins (${shares.join(', ')}), and memory after them`,
      `${after.toFixed(0)} MB`,
      `${before.toFixed(0)} MB (before)`,
      after / before,
    ),
    withoutTarget(
      'a user signs in from an address that is in use, beside the flood: at worst (median)',
      worst === Infinity ? 'not within 20 s' : `${Math.round(worst)} (${Math.round(median(waits))}) ms`,
    ),
  ]
}
