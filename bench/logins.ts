import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { alternating, median, ratioOf, type Bench } from './figure.ts'
import { requestText, startLoader } from './load.ts'
import { end, printed, startNode } from './process.ts'
import { createSandbox, password, quietCameras, startService } from './service.ts'

/** Requests per second during a login flood: about what a few open pages send. */
const rate = 200

/** Checks that password hashing has its full cost, and that signed-in users do not wait for it. */
export const logins: Bench = {
  name: 'logins',
  async run({ quick, scratch }) {
    const auth = { roles: { guard: ['yard'] }, failed_login_rate_limit: null }
    const sandbox = await createSandbox(scratch, { auth, cameras: quietCameras(['yard', 'door', 'office']) })
    const service = await startService(sandbox, 'any')
    const { gatePort } = service
    const [loader, flood] = [startLoader(true), startLoader()]
    const peer = startNode([join(import.meta.dirname, 'peers/pbkdf2.ts')], {
      core: 'any',
      env: { UV_THREADPOOL_SIZE: String(availableParallelism() + 4) },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    try {
      await printed(peer, /ready/)
      const names = Array.from({ length: 8 }, (_, i) => `user${i}`)
      for (const name of names) await service.user(name, 'viewer')
      const attempts = names.map((user) => requestText('POST', '/api/login', gatePort, {}, { user, password }))
      const login = (connections: number, duration: number) =>
        flood.send({ port: gatePort, requests: attempts, connections, duration, status: 200 })

      const bareHashes = (duration: number) =>
        new Promise<number>((done) => {
          peer.once('message', (hashes: number) => done(hashes))
          peer.send({ duration })
        })
      const duration = quick ? 3000 : 5000
      const perSecond = await alternating(
        quick ? 3 : 5,
        async () => {
          const { count, took } = await login(names.length, duration)
          return (count * 1000) / took
        },
        () => bareHashes(duration),
      )
      const speed = ratioOf(perSecond.ours, perSecond.peer)

      const headers = await service.user('erin', 'guard')
      const gated = [requestText('GET', '/api/cameras/yard', gatePort, headers)]
      const ask = () => loader.send({ port: gatePort, requests: gated, connections: 16, duration, rate, status: 200 })
      await ask()
      const during = (flooding: (duration: number) => Promise<unknown>) => async () => {
        const flood = flooding(duration + 500)
        await sleep(250)
        const answers = await ask()
        await flood
        return answers
      }
      const rounds = quick ? 3 : 5
      const latency = await alternating(
        rounds,
        during((longer) => login(32, longer)),
        ask,
      )
      const beside = await alternating(rounds, during(bareHashes), ask)
      const p99 = { ours: latency.ours.map((each) => each.p99), peer: latency.peer.map((each) => each.p99) }
      const wait = ratioOf(p99.ours, p99.peer)
      const bare = ratioOf(
        beside.ours.map((each) => each.p99),
        beside.peer.map((each) => each.p99),
      )
      return [
        {
          what: `logins per second against bare PBKDF2 on all cores (±${(speed.spread / 2).toFixed(2)})`,
          ours: text(median(perSecond.ours), '/s'),
          peer: text(median(perSecond.peer), '/s'),
          ratio: speed.ratio,
          target: '≥ 0.90',
          met: speed.ratio >= 0.9,
        },
        {
          what: `p99 of a gated request during a login flood, against idle (±${(wait.spread / 2).toFixed(2)})`,
          ours: text(median(p99.ours), 'ms'),
          peer: text(median(p99.peer), 'ms'),
          ratio: wait.ratio,
          target: undefined,
          met: undefined,
        },
        {
          what: `the same while bare PBKDF2 in another process uses all cores (±${(bare.spread / 2).toFixed(2)})`,
          ours: text(median(beside.ours.map((each) => each.p99)), 'ms'),
          peer: text(median(beside.peer.map((each) => each.p99)), 'ms'),
          ratio: bare.ratio,
          target: undefined,
          met: undefined,
        },
        {
          // What any busy process takes from its neighbors is not ours to give back; nothing may come on top of it.
          what: 'the first of these two ratios against the second',
          ours: wait.ratio.toFixed(2),
          peer: bare.ratio.toFixed(2),
          ratio: wait.ratio / bare.ratio,
          target: '≤ 1.25',
          met: wait.ratio / bare.ratio <= 1.25,
        },
        {
          what: 'p50 of a gated request while logins flood, against idle',
          ours: text(median(latency.ours.map((each) => each.p50)), 'ms'),
          peer: text(median(latency.peer.map((each) => each.p50)), 'ms'),
          ratio: ratioOf(
            latency.ours.map((each) => each.p50),
            latency.peer.map((each) => each.p50),
          ).ratio,
          target: undefined,
          met: undefined,
        },
      ]
    } finally {
      await Promise.all([service.stop(), loader.stop(), flood.stop(), end(peer)])
    }
  },
}

const text = (value: number, unit: string) => `${value.toFixed(2)} ${unit}`
