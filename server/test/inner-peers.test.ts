import { Readable } from 'node:stream'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createPeerMessages, type PeerMessages } from '../src/cluster/peers/peer-messages.ts'
import type { InnerRoute } from '../src/shared/cluster/inner-route.ts'
import { systemRandom } from '../src/shared/random.ts'
import { onTestFinishedOrLater, stopAll } from './support/cleanups.ts'
import { innerWorld, startInnerInstance, type InnerInstance, type InnerWorld } from './support/inner-instances.ts'
import { silent } from './support/null-log.ts'

interface Peer {
  readonly instance: InnerInstance
  readonly messages: PeerMessages
  /** What it received, as `<instance> <message>`. */
  readonly got: string[]
  /** Its log lines, each the id and the name of the instance, and the message. */
  readonly logged: string[]
}

let world: InnerWorld
beforeEach(() => void (world = innerWorld()))
afterAll(stopAll)

/** @param routes other routes than those of the messages, for an instance that is broken */
async function startPeer(id: string, current: () => object[] = () => [], routes?: InnerRoute[]): Promise<Peer> {
  // The routes need the client, which needs the instance.
  const late: InnerRoute[] = routes ?? [
    {
      path: '/events',
      action: 'status',
      scope: 'service',
      handle: (call) => {
        const [route] = messages.routes
        if (route?.scope !== 'service') throw new Error('no route')
        return route.handle(call)
      },
    },
  ]
  const instance = await startInnerInstance(id, world, { routes: late })
  const { client, instances } = instance
  const logged: string[] = []
  const write = (fields: object, message: string) =>
    void logged.push([...['instance', 'name'].map((each) => Reflect.get(fields, each) as string), message].join(' '))
  const log = { ...silent, info: write, warn: write }
  const messages = createPeerMessages({ instances, client, clock: world.clock, random: systemRandom, log })
  const got: string[] = []
  messages.start(
    {
      connected: (from) => got.push(`${from} connected`),
      receive: (from, message) => got.push(`${from} ${JSON.stringify(message)}`),
      away: (from) => got.push(`${from} away`),
    },
    current,
  )
  onTestFinishedOrLater(() => Promise.resolve(messages.stop()))
  return { instance, messages, got, logged }
}

const soon = { timeout: 120_000, interval: 10 }

test('[NODE-3] each instance gets what is true now, and then every message, in order', async () => {
  const one = await startPeer('one', () => [{ now: 1 }, { now: 2 }])
  const two = await startPeer('two')
  await expect.poll(() => two.got, soon).toEqual(['one connected', 'one {"now":1}', 'one {"now":2}'])
  for (let at = 0; at < 50; at++) one.messages.send({ at })
  await expect.poll(() => two.got.slice(3), soon).toEqual(Array.from({ length: 50 }, (_, at) => `one {"at":${at}}`))
})

test('[NODE-3] an instance that stops is unavailable, and is connected again when it is back', async () => {
  const one = await startPeer('one')
  const two = await startPeer('two', () => [{ now: 1 }])
  const three = await startPeer('three')
  await expect.poll(() => three.got.filter((each) => each.endsWith('connected')), soon).toHaveLength(2)
  two.instance.stop()
  two.messages.stop()
  await expect.poll(() => three.got, soon).toContain('two away')
  const name = three.instance.instances.find('two')?.name
  expect(three.logged.slice(-1)).toEqual([`two ${name} instance unreachable`])
  await startPeer('two', () => [{ now: 2 }])
  await world.clock.advance(3_000)
  await expect.poll(() => three.got.slice(-2), soon).toEqual(['two connected', 'two {"now":2}'])
  expect(three.logged.slice(-1)).toEqual([`two ${name} instance reached again`])
  expect(one.got.every((each) => !each.startsWith('one'))).toBe(true)
})

test('[NODE-3] an instance that is silent is unavailable within ten seconds', async () => {
  await startPeer('silent', undefined, [{ path: '/events', action: 'status', scope: 'service', handle: hanging }])
  const two = await startPeer('two')
  await expect.poll(() => world.addresses.size).toBe(2)
  await world.clock.advance(10_000)
  await expect.poll(() => two.got, soon).toContain('silent away')
})

/** Never responds. */
const hanging = () => new Promise<never>(() => {})

test('[NODE-3] an instance that sends what isn’t a message is connected again and again, and disturbs nothing', async () => {
  let requests = 0
  const handle = () => {
    requests++
    return { body: Buffer.from('no message') }
  }
  await startPeer('broken', undefined, [{ path: '/events', action: 'status', scope: 'service', handle }])
  const one = await startPeer('one')
  const two = await startPeer('two')
  await world.clock.advance(1_000)
  await expect.poll(() => requests, soon).toBeGreaterThan(2)
  one.messages.send({ works: true })
  await expect.poll(() => two.got, soon).toContain('one {"works":true}')
})

test('[NODE-3] an instance that does not read is disconnected: what waits for it is bounded', async () => {
  const one = await startPeer('one')
  const route = one.messages.routes[0]
  if (route?.scope !== 'service') throw new Error('no route')
  const { body } = await route.handle({
    from: 'slow',
    query: new URLSearchParams(),
    header: () => undefined,
  })
  if (!(body instanceof Readable)) throw new Error('no stream')
  for (let at = 0; at < 1000 && !body.destroyed; at++) one.messages.send({ text: 'x'.repeat(100_000) })
  expect(body.destroyed).toBe(true)
  expect(body.readableLength).toBeLessThan(5 << 20)
})
