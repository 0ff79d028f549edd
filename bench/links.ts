import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { hashOfSecret } from '../server/src/auth/link-secret.ts'
import { createLinkKeys } from '../server/src/auth/share-link/link-keys.ts'
import { findFfmpeg } from '../server/src/media/ffmpeg/find-ffmpeg.ts'
import { compareCosts, costFigure, usualRounds, type Costed } from './cost.ts'
import type { Bench } from './figure.ts'
import { requestText, startLoader } from './load.ts'
import { makeClip } from './revocation.ts'
import { createSandbox, startService, type Sandbox } from './service.ts'

const secret = 'a secret of at least sixty-four characters, used for these benchmarks only'
const links = 1000

/** Measures share links: opening one, and requests of its viewers. */
export const shareLinks: Bench = {
  name: 'links',
  async run({ quick, scratch }) {
    const ffmpeg = findFfmpeg()
    if (!ffmpeg) throw new Error('no ffmpeg: a link shows no camera without it')
    const roles = { guard: { cameras: ['yard'], allow: ['live', 'share'] } }
    const auth = { roles, failed_login_rate_limit: null, trusted_proxies: ['127.0.0.1'] }
    const sandbox = await createSandbox(scratch, { auth, cameras: { yard: { source: 'file:clip.mp4' } } })
    mkdirSync(sandbox.mediaDir, { recursive: true })
    makeClip(ffmpeg, join(sandbox.mediaDir, 'clip.mp4'), { size: '160x90', bitrate: '50k' })
    const service = await startService(sandbox, 'measured', { SERVICE_JWT_SECRET: secret })
    const loader = startLoader()
    const { pid, gatePort: port } = service
    const to = (requests: readonly string[], status: number): Costed => ({ pid, port, requests, status })
    try {
      const owner = await service.user('erin', 'guard')
      const made = addLinks(sandbox)
      // Whatever the newest frame is, the response is an empty 304.
      const known = { 'if-none-match': '*' }
      const byCookie = to([requestText('GET', '/api/cameras/yard/latest.jpg', port, { ...owner, ...known })], 304)
      const byLink = (of: readonly CreatedShareLink[]) =>
        to(
          of.map(({ id, cookie }) => requestText('GET', `/api/links/${id}/latest.jpg`, port, { cookie, ...known })),
          304,
        )
      // From many addresses: of one, not many openings of a link are accepted.
      const opened = (of: readonly CreatedShareLink[]) =>
        to(
          made.map((_, nth) => {
            const { id, text } = of[nth % of.length]!
            const from = { 'x-forwarded-for': `10.0.${nth >> 8}.${nth & 255}` }
            return requestText('POST', `/api/links/${id}/open`, port, from, { secret: text })
          }),
          200,
        )
      await untilFrame(port, owner)
      const compare = (ours: Costed, peer: Costed) => compareCosts(loader, ours, peer, usualRounds(quick))
      const one = made.slice(0, 1)
      return [
        costFigure(
          'request by the cookie of a link against one by that of a session',
          await compare(byLink(one), byCookie),
        ),
        costFigure('1,000 links in turn against one: request by cookie', await compare(byLink(made), byLink(one))),
        costFigure('1,000 links in turn against one: opening', await compare(opened(made), opened(one))),
      ]
    } finally {
      await Promise.all([service.stop(), loader.stop()])
    }
  },
}

async function untilFrame(port: number, headers: Record<string, string>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { status } = await fetch(`http://127.0.0.1:${port}/api/cameras/yard/latest.jpg`, { headers })
    if (status === 200) return
    await new Promise((resolve) => void setTimeout(resolve, 200))
  }
  throw new Error('the camera has no frame')
}

interface CreatedShareLink {
  readonly id: string
  /** The secret. */
  readonly text: string
  /** Of a viewer. */
  readonly cookie: string
}

/** Writes links of the only user with `share` directly into the database. */
function addLinks({ configDir }: Sandbox): readonly CreatedShareLink[] {
  const db = new DatabaseSync(join(configDir, 'gatehouse.db'), { timeout: 5000 })
  const { id: owner } = db.prepare("select id from user where key = 'erin'").get() as { id: string }
  const { key: camera } = db.prepare("select key from camera where name = 'yard'").get() as { key: string }
  const link =
    db.prepare(`insert into share_link (id, user_id, kind, camera, expires_at, secret_hash, wrong_codes, opens,
    download, audio, note, created_at) values (?, ?, 'live', ?, ?, ?, 0, 0, 0, 0, '', ?)`)
  const keys = createLinkKeys(secret)
  const now = Date.now()
  db.exec('begin immediate')
  const made = Array.from({ length: links }, () => {
    const id = randomBytes(16).toString('hex')
    const text = randomBytes(32).toString('base64url')
    const secretHash = hashOfSecret(text)
    link.run(id, owner, camera, now + 86_400_000, secretHash, now)
    const viewer = randomBytes(16).toString('hex')
    return { id, text, cookie: `gatehouse_link=${viewer}.${keys.sign({ id, secretHash }, viewer)}` }
  })
  db.exec('commit')
  db.close()
  return made
}
