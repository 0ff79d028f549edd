import { setTimeout as sleep } from 'node:timers/promises'
import { besideFigures, startBareHashing } from './bare-hashing.ts'
import { alternating, median, ratioOf, withoutTarget, type Bench } from './figure.ts'
import { requestText, startLoader } from './load.ts'
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
    const hashing = await startBareHashing()
    try {
      const names = Array.from({ length: 8 }, (_, i) => `user${i}`)
      for (const name of names) await service.user(name, 'viewer')
      const attempts = names.map((user) => requestText('POST', '/api/login', gatePort, {}, { user, password }))
      const login = (connections: number, duration: number) =>
        flood.send({ port: gatePort, requests: attempts, connections, duration, status: 200 })

      const duration = quick ? 3000 : 5000
      const perSecond = await alternating(
        quick ? 3 : 5,
        async () => {
          const { count, took } = await login(names.length, duration)
          return (count * 1000) / took
        },
        () => hashing.run(duration),
      )
      const speed = ratioOf(perSecond.ours, perSecond.peer)

      const headers = await service.user('erin', 'guard')
      const gated = [requestText('GET', '/api/cameras/yard', gatePort, headers)]
      const ask = () => loader.send({ port: gatePort, requests: gated, connections: 16, duration, rate, status: 200 })
      await ask()
      const during = (flooding: (duration: number) => Promise<unknown>) => async () => {
        const flood = flooding(duration + 500)
        await sleep(250)
        const responses = await ask()
        await flood
        return responses
      }
      const rounds = quick ? 3 : 5
      const latency = await alternating(
        rounds,
        during((longer) => login(32, longer)),
        ask,
      )
      const beside = await alternating(rounds, during(hashing.run), ask)
      const p99 = (taken: typeof latency) => ({
        ours: taken.ours.map((each) => each.p99),
        peer: taken.peer.map((each) => each.p99),
      })
      return [
        {
          what: `logins per second against bare PBKDF2 on all cores (±${(speed.spread / 2).toFixed(2)})`,
          ours: text(median(perSecond.ours), '/s'),
          peer: text(median(perSecond.peer), '/s'),
          ratio: speed.ratio,
          target: '≥ 0.90',
          met: speed.ratio >= 0.9,
        },
        ...besideFigures('a login flood', p99(latency), p99(beside)),
        withoutTarget(
          'p50 of a gated request during a login flood, against idle',
          text(median(latency.ours.map((each) => each.p50)), 'ms'),
          text(median(latency.peer.map((each) => each.p50)), 'ms'),
          ratioOf(
            latency.ours.map((each) => each.p50),
            latency.peer.map((each) => each.p50),
          ).ratio,
        ),
      ]
    } finally {
      await Promise.all([service.stop(), loader.stop(), flood.stop(), hashing.stop()])
    }
  },
}

const text = (value: number, unit: string) => `${value.toFixed(2)} ${unit}`
