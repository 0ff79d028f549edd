import { once } from 'node:events'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { stopAll } from './support/cleanups.ts'
import { canCluster, startClusterProcesses, type Cluster } from './support/cluster.ts'
import { chanceOf } from './support/motion-scenes.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import type { Gatehouse } from './support/start-gatehouse.ts'
import { wait } from './support/wait.ts'

/** Kills; each costs about two seconds of CPU time. */
const rounds = Number(process.env['KILL_ROUNDS'] ?? 2)
const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 1e9))

interface Document {
  readonly cameras: Record<string, unknown>
  readonly auth: { readonly roles: Record<string, { readonly cameras: readonly string[] } | readonly string[]> }
}

/** What was acknowledged, and what was sent: a change without a response was made or not. */
interface Written {
  readonly acknowledged: Set<string>
  readonly sent: Set<string>
}

/** Adds a camera and then a role for it, again and again, until the signal is aborted or the instance is killed. */
async function writeUntil(
  { internal }: Gatehouse,
  prefix: string,
  signal: AbortSignal,
  { acknowledged, sent }: Written,
) {
  for (let nth = 0; !signal.aborted; nth++) {
    const name = `${prefix}_${nth}`
    const requests = [
      () => internal.post('/api/cameras', { name, source: 'demo:yard', enabled: false }, { 'if-match': '*' }),
      () => internal.put(`/api/roles/${name}`, { cameras: ['yard'] }),
    ]
    for (const [kind, request] of requests.entries()) {
      const what = `${kind === 0 ? 'camera' : 'role'} ${name}`
      sent.add(what)
      const reply = await request().catch(() => undefined)
      if (!reply) return
      // Another instance saved at the same moment.
      if (reply.status === 412) sent.delete(what)
      else if (reply.status === 201) acknowledged.add(what)
    }
  }
}

const namesIn = ({ cameras, auth }: Document): string[] => [
  ...Object.keys(cameras).map((name) => `camera ${name}`),
  ...Object.keys(auth.roles).map((name) => `role ${name}`),
]

/** Every version is a whole document, each has what the one before had, and the registry has the cameras of the newest. */
async function expectWhole(
  cluster: Cluster<Gatehouse>,
  { acknowledged, sent }: Written,
  what: string,
): Promise<string> {
  const rows = await cluster.ask('select number, document from config_version order by number')
  const versions = rows.map(({ number, document }) => ({ number: Number(number), text: String(document) }))
  const first = versions[0]!.number
  expect(
    versions.map(({ number }) => number),
    what,
  ).toEqual(versions.map((_, nth) => first + nth))
  let before: string[] = []
  for (const { text } of versions) {
    const names = namesIn(parse(text) as Document)
    expect(
      before.filter((name) => !names.includes(name)),
      what,
    ).toEqual([])
    before = names
  }
  expect(
    [...acknowledged].filter((name) => !before.includes(name)),
    what,
  ).toEqual([])
  const unknown = before.filter((name) => / k\d/.test(name) && !sent.has(name))
  expect(unknown, what).toEqual([])
  const registered = await cluster.ask(`select name, key from camera where volume = '' and removed_at is null`)
  expect(registered.map(({ name }) => `camera ${String(name)}`).sort(), what).toEqual(
    before.filter((name) => name.startsWith('camera ')).sort(),
  )
  expect(new Set(registered.map(({ key }) => key)).size).toBe(registered.length)
  return versions.at(-1)!.text
}

describe.skipIf(!canCluster)('instances that are killed', () => {
  afterAll(stopAll)

  test(
    `[NODE-1] killed at any moment while the configuration is saved through two instances, no acknowledged version is lost, none is half, and the cameras agree (KILL_SEED=${seed})`,
    { timeout: 60_000 + rounds * 30_000 },
    async () => {
      const chance = chanceOf(seed)
      const cluster = await startClusterProcesses({
        count: 2,
        config: { cameras: quietCameras, auth: { roles: { guard: ['yard'] }, failed_login_rate_limit: null } },
      })
      const written: Written = { acknowledged: new Set(), sent: new Set() }
      for (let round = 0; round < rounds; round++) {
        const ending = new AbortController()
        const [killed, other] = [cluster.instances[round % 2]!, cluster.instances[(round + 1) % 2]!]
        const alone = writeUntil(killed.service, `k${round}_a`, new AbortController().signal, written)
        const beside = writeUntil(other.service, `k${round}_b`, ending.signal, written)
        await wait(chance() * 600, 'both instances save')
        // What the other one saves later would complete what is half.
        ending.abort()
        await beside
        // Some forty messages are two saves.
        const exact = Math.ceil(chance() * 40)
        killed.line.afterMessages(exact, () => killed.service.process.kill('SIGKILL'))
        await once(killed.service.process, 'exit')
        await alone
        await expectWhole(cluster, written, `round ${round}`)
        killed.service = await killed.service.restart()
        const document = await expectWhole(cluster, written, `round ${round}, after the restart`)
        for (const { service } of cluster.instances)
          await expect.poll(async () => (await service.internal.get('/api/config/raw')).text).toBe(document)
      }
      expect(written.acknowledged.size).toBeGreaterThan(rounds)
    },
  )
})
