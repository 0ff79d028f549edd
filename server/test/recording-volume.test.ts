import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { makeSegment, seedRecordings } from './support/seeded-recordings.ts'
import { decoded, expectAgreement, filesOf, indexOf } from './support/seen-recordings.ts'
import { openDatabase } from './support/service-database.ts'
import type { Service } from './support/service.ts'
import { startService } from './support/start-service.ts'
import { wait } from './support/wait.ts'

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 60_000, interval: 100 })

/** Number of rows in the index. */
function indexed(service: Service): number {
  const db = openDatabase(service, { readOnly: true })
  const { count } = db.prepare('select count(*) as count from recording').get() as { count: number }
  db.close()
  return count
}

const keeping = (days: number) => ({
  recording: { retain_days: days },
  cameras: { yard: { source: 'demo:yard', enabled: false } },
})

describe('a volume of many files', () => {
  test('killed while thousands of segments expire: the recordings are reconciled, and the remaining ones play', async () => {
    const service = await startService({ config: keeping(30) })
    await service.stop()
    const last = Math.floor(Date.now() / 1000) - 60
    const sample = join(service.dir, 'sample.mp4')
    await makeSegment(sample, { seconds: 10, size: '320x240', bitrate: '60k' })
    seedRecordings(service, 'yard', { sample, count: 6000, last })
    expectAgreement(service)
    // All but a thousandth of a day has expired.
    const sweeping = await service.restart({ config: keeping(0.001) })
    while (indexed(sweeping) > 5500) await wait(5, 'the index is read from outside, which nothing announces')
    await sweeping.kill()
    const left = filesOf(sweeping).size
    expect(left).toBeGreaterThan(100)
    expect(indexOf(sweeping).size).toBeGreaterThanOrEqual(left)

    // In the meantime, another program changed files too.
    const folder = join(sweeping.mediaDir, 'recordings')
    const files = [...filesOf(sweeping).keys()].filter((file) => file.endsWith('.mp4')).sort()
    const [torn, zeros, empty] = files.slice(-4, -1)
    const day = files.at(-1)!.split('/')[0]!
    const put = (file: string, data: Buffer | string): void => {
      // A symlink is not written through.
      rmSync(join(folder, file), { force: true })
      writeFileSync(join(folder, file), data)
    }
    const whole = readFileSync(sample)
    put(torn!, whole.subarray(0, whole.length >> 1))
    put(zeros!, Buffer.alloc(whole.length))
    put(empty!, '')
    const foreign = `${day}/yard/23-59-58.000.mp4`
    put(foreign, randomBytes(5000))
    const holiday = `${day}/yard/holiday.mp4`
    put(holiday, whole)

    const again = await sweeping.restart({ config: keeping(30) })
    await again.printed(/recordings reconciled/)
    const now = filesOf(again)
    // Files whose names are not ours are left alone.
    expect(now.has(holiday)).toBe(true)
    rmSync(join(folder, holiday))
    expectAgreement(again)
    expect(again.output()).toMatch(new RegExp(`segment size changed[^\\n]*|${torn!}`))
    const aside = [...now.keys()].filter((file) => file.startsWith('.broken/'))
    expect(new Set(aside.map((file) => file.split('_').at(-1)))).toEqual(
      new Set([empty!, foreign].map((file) => file.split('/').at(-1))),
    )
    expect(aside).toHaveLength(2)
    expect(indexOf(again).get(torn!)).toBeLessThan(whole.length)

    // Zeros of the right length are only noticed when a client plays them: then they are removed, and the rest plays.
    const start = last - 300
    const playlist = `/api/cameras/yard/playback/${start}/${last + 20}/index.m3u8`
    const ids = [...(await again.internal.get(playlist)).text.matchAll(/segments\/(\d+)\/video/g)].map(([, id]) => id!)
    const responses = await Promise.all(
      ids.map((id) => again.internal.get(`/api/cameras/yard/segments/${id}/video.m4s?at=0`)),
    )
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(ids.length - 1)
    await until(() => expect(indexOf(again).has(zeros!)).toBe(false))
    await until(() => expectAgreement(again))
    const { frames, complaints } = await decoded(`${again.internal.base}${playlist}`)
    expect(complaints).toBe('')
    expect(frames).toBeGreaterThan(25 * 10 * 10)
  })
})
