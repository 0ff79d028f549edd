/** Two services that differ only in cameras that a caller can't see: every response to that caller has to be the same. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cameraActions } from '../server/src/access/action.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { bearer, createToken } from '../server/test/support/create-token.ts'
import { seedExports } from '../server/test/support/export-seed.ts'
import { makeLink } from '../server/test/support/make-link.ts'
import { pairScreen } from '../server/test/support/pair-screen.ts'
import { grayJpeg, seedReview } from '../server/test/support/review-seed.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import { createTestClock } from '../server/test/support/test-clock.ts'
import type { Reply, TestClient } from '../server/test/support/test-client.ts'

const newId = (): string => randomBytes(16).toString('hex')
const now = Math.floor(Date.now() / 1000) * 1000
const ids = { export: newId(), item: newId(), hiddenExport: newId(), hiddenItem: newId() }
const camera = (name: string) => ({ source: `demo:${name}`, enabled: false })

interface World {
  readonly service: InProcessService
  readonly callers: Readonly<Record<string, TestClient>>
}

/** @param hidden what only the second of the two services has */
async function start(hidden: boolean): Promise<World> {
  const service = await startService(
    {
      config: {
        tls: { enabled: false },
        cameras: { yard: camera('yard'), ...(hidden && { vault: camera('office'), attic: camera('door') }) },
        camera_groups: { front: hidden ? ['yard', 'vault'] : ['yard'], ...(hidden && { back: ['vault'] }) },
        auth: { roles: { guard: ['yard'], ...(hidden && { keeper: ['vault'] }) } },
      },
    },
    createTestClock({ now }),
  )
  const admin = await service.user('boss', 'admin')
  const guard = await service.user('gus', 'guard')
  const yard = { cameras: ['yard'] }
  const { token } = await createToken(guard, yard)
  const managing = await createToken(admin, {
    ...yard,
    actions: [...cameraActions, 'screens.manage', 'cameras.manage', 'exports.manage', 'links.manage'],
  })
  const screen = await pairScreen(service, { name: 'hall', ...yard })
  const exported = { yard: ids.export, ...(hidden && { vault: ids.hiddenExport }) }
  await seedExports(service, exported, now - 3_600_000)
  const seen = (name: string, id: string) => ({ camera: name, id, start: now - 600_000, jpeg: grayJpeg })
  await seedReview(service, [seen('yard', ids.item), ...(hidden ? [seen('vault', ids.hiddenItem)] : [])])
  if (hidden) {
    await service.user('kay', 'keeper')
    await makeLink(admin, { kind: 'live', camera: 'vault' })
    await pairScreen(service, { name: 'cellar', cameras: ['vault'] })
    await admin.delete('/api/cameras/attic', { 'if-match': '*' })
  }
  return {
    service,
    callers: {
      guard,
      token: service.gate.with(bearer(token)),
      managing: service.gate.with(bearer(managing.token)),
      screen: screen.client,
    },
  }
}

let one: World
let more: World
/** Each path that can be read, with the names of its query parameters. */
let paths: [path: string, parameters: readonly string[]][]
beforeAll(async () => {
  ;[one, more] = [await start(false), await start(true)]
  interface Operation {
    readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  }
  const reference = (await one.service.internal.get('/api/openapi.json')).json as {
    readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
  }
  paths = Object.entries(reference.paths).flatMap(([path, { get }]): typeof paths => {
    // Streams don't end, signing out ends the session, and the reference is the same for everyone.
    if (!get || /events|mjpeg|logout|openapi|docs/.test(path)) return []
    return [[path, (get.parameters ?? []).flatMap((each) => (each.in === 'query' ? [each.name] : []))]]
  })
})
afterAll(stopAll)

const seconds = now / 1000
const span = { after: String(seconds - 3600), before: String(seconds) }
const times = { start: span.after, end: span.before }
/** What paths and queries can name: what is seen, what isn't, and what one of the services doesn't have anymore. */
const names: readonly Readonly<Record<string, string>>[] = [
  { camera: 'yard', id: ids.export },
  { camera: 'yard', id: ids.item, cameras: 'yard' },
  { camera: 'vault', id: ids.hiddenExport, cameras: 'vault', user: 'kay', role: 'keeper' },
  { camera: 'vault', id: ids.hiddenItem, cameras: 'yard,vault' },
  { camera: 'attic', id: newId(), cameras: 'attic', name: 'attic', username: 'kay', link: newId() },
]

function targetsOf([path, parameters]: (typeof paths)[number]): ReadonlySet<string> {
  const targets = names.map((each): string => {
    const values: Readonly<Record<string, string>> = { ...span, ...times, ...each }
    const query = new URLSearchParams()
    for (const name of parameters) if (values[name] !== undefined) query.set(name, values[name])
    return `${path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? 'x')}?${query.toString()}`
  })
  return new Set(targets)
}

const known = new Set(Object.values(ids))
const shownBy = ({ status, headers, text }: Reply, { service }: World, target: string): string[] =>
  [
    String(status),
    ...Object.entries(headers).flatMap(([name, value]) =>
      // The whole configuration has one version, with which its changes are guarded.
      name === 'date' || name === 'set-cookie' || (name === 'etag' && target.startsWith('/api/config/'))
        ? []
        : [`${name}: ${String(value)}`],
    ),
    text,
  ].map((line) =>
    line
      .replaceAll(/[0-9a-f]{32}/g, (id) => (known.has(id) ? id : 'another id'))
      .replaceAll(`:${service.gatePort}`, ':port'),
  )

test.each<[source: string, who: string, caller: string]>([
  ['ASVS 8.2.2', 'a user', 'guard'],
  ['ASVS 8.2.2', 'an API token of that user', 'token'],
  ['ASVS 8.2.2', 'an API token that manages what it sees', 'managing'],
  ['ASVS 8.2.2', 'a screen', 'screen'],
])(
  '[ROLE-5] %s: %s learns nothing of cameras, users, roles and links that it cannot see',
  async (_source, _who, caller) => {
    const statuses = new Set<string | undefined>()
    for (const path of paths) {
      for (const target of targetsOf(path)) {
        const [without, withMore] = await Promise.all(
          [one, more].map(async (world) => shownBy(await world.callers[caller]!.get(target), world, target)),
        )
        expect([target, ...withMore!]).toEqual([target, ...without!])
        statuses.add(without![0])
      }
    }
    expect([...statuses]).toEqual(expect.arrayContaining(['200', '403', '404']))
  },
)
