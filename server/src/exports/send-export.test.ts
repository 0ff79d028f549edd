import type { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { codecs, ffmpeg, makeVideo } from '../../test/support/video-with-audio.ts'
import type { RouteResponse } from '../http/response.ts'
import type { Caller } from '../http/caller.ts'
import type { ExportFile } from './inner-export.ts'
import { createSendExport, type SendExportDeps } from './send-export.ts'

const withoutAudio = { hasPart: () => false } as unknown as Pick<Caller, 'hasPart'>
const file = { header: () => undefined, disposition: 'inline' } as const

/** Reads of tables of contents: now, and the most at a time. */
const world = () => {
  const video = makeVideo('-map', '0', '-map', '1', ...codecs.video, ...codecs.aac, '-movflags', '+faststart')
  const reads = { now: 0, most: 0, count: 0 }
  let broken = false
  let closed = 0
  const opened: ExportFile = {
    stat: async () => ({ size: video.length }),
    async read(buffer, offset, length, position) {
      const isTable = length > 1000 && position === 0
      if (isTable) {
        reads.now += 1
        reads.count += 1
        reads.most = Math.max(reads.most, reads.now)
        await new Promise(setImmediate)
        reads.now -= 1
        if (broken) throw new Error('a broken disk')
      }
      return { bytesRead: video.copy(buffer, offset, position, position + length) }
    },
    stream: () => expect.unreachable(),
    close: async () => void (closed += 1),
  }
  const send = createSendExport({
    store: {
      byId: async (id: string) => ({ id, state: 'done', name: '', camera: 'yard', start: 0, end: 1 }),
    },
    open: async () => opened,
    keys: { nameOf: (key: string) => key },
    titleOf: (camera: string) => camera,
    lose: () => expect.unreachable(),
  } as unknown as SendExportDeps)
  return { send, reads, breakDisk: (is: boolean) => (broken = is), closed: () => closed }
}
const bytesOf = async (response: RouteResponse): Promise<Buffer> =>
  Buffer.concat(await (response.parts.body as Readable).toArray())

describe.skipIf(!ffmpeg)('[GRANT-2] an export without its audio', () => {
  test('CWE-770: its table of contents, megabytes for each hour, is read once for requests at the same time', async () => {
    const { send, reads, closed } = world()
    const sent = await Promise.all(Array.from({ length: 20 }, () => send('one', file, withoutAudio)))
    expect(reads).toEqual({ now: 0, most: 1, count: 1 })
    const [first, ...others] = await Promise.all(sent.map(bytesOf))
    for (const other of others) expect(other.equals(first!)).toBe(true)
    await expect.poll(closed).toBe(20)
  })

  test('CWE-770: those of few exports are read at a time', async () => {
    const { send, reads } = world()
    const sent = await Promise.all(Array.from({ length: 20 }, (_, nth) => send(`export ${nth}`, file, withoutAudio)))
    expect(reads).toEqual({ now: 0, most: 2, count: 20 })
    for (const each of sent) await bytesOf(each)
  })

  test('that could not be read is read again', async () => {
    const { send, breakDisk } = world()
    breakDisk(true)
    await expect(send('one', file, withoutAudio)).rejects.toThrow('a broken disk')
    breakDisk(false)
    expect((await bytesOf(await send('one', file, withoutAudio))).length).toBeGreaterThan(1000)
  })
})
