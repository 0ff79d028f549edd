import type { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { codecs, ffmpeg, makeVideo } from '../../test/support/video-with-audio.ts'
import type { RouteResponse } from '../http/response.ts'
import type { Caller } from '../http/caller.ts'
import type { ExportFile } from './inner-export.ts'
import { createSendExport, type SendExportDeps } from './send-export.ts'

type Sender = Pick<Caller, 'hasPart' | 'signal'>
const withoutAudio: Sender = { hasPart: () => false, signal: new AbortController().signal }
const file = { header: () => undefined, disposition: 'inline' } as const

/** Reads of tables of contents: now, and the most at a time. */
const world = () => {
  const video = makeVideo('-map', '0', '-map', '1', ...codecs.video, ...codecs.aac, '-movflags', '+faststart')
  const reads = { now: 0, most: 0, count: 0 }
  let broken = false
  let closed = 0
  let held = Promise.resolve()
  let open = 0
  let maxOpen = 0
  const opened: ExportFile = {
    stat: async () => ({ size: video.length }),
    async read(buffer, offset, length, position) {
      const isTable = length > 1000 && position === 0
      if (isTable) {
        reads.now += 1
        reads.count += 1
        reads.most = Math.max(reads.most, reads.now)
        await new Promise(setImmediate)
        await held
        reads.now -= 1
        if (broken) throw new Error('a broken disk')
      }
      return { bytesRead: video.copy(buffer, offset, position, position + length) }
    },
    stream: () => expect.unreachable(),
    async close() {
      closed += 1
      open -= 1
    },
  }
  const send = createSendExport({
    store: {
      byId: async (id: string) => ({
        id,
        state: 'done',
        bytes: video.length,
        name: '',
        camera: 'yard',
        start: 0,
        end: 1,
      }),
    },
    async open() {
      open += 1
      maxOpen = Math.max(maxOpen, open)
      return opened
    },
    keys: { nameOf: (key: string) => key },
    titleOf: (camera: string) => camera,
    lose: () => expect.unreachable(),
  } as unknown as SendExportDeps)
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    return resolve
  }
  return {
    send,
    reads,
    hold,
    breakDisk: (is: boolean) => (broken = is),
    closed: () => closed,
    open: () => open,
    maxOpen: () => maxOpen,
  }
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
    // Once more for the table of contents.
    await expect.poll(closed).toBe(21)
  })

  test('CWE-770: those of few exports are read at a time', async () => {
    const { send, reads } = world()
    const sent = await Promise.all(Array.from({ length: 20 }, (_, nth) => send(`export ${nth}`, file, withoutAudio)))
    expect(reads).toEqual({ now: 0, most: 2, count: 20 })
    for (const each of sent) await bytesOf(each)
  })

  test('CWE-770: what waits for its table of contents is not open, and what all have left is not begun', async () => {
    const { send, reads, open, maxOpen, hold } = world()
    const release = hold()
    const leaving = new AbortController()
    const left = Array.from({ length: 20 }, (_, nth) =>
      send(`export ${nth}`, file, { ...withoutAudio, signal: leaving.signal }),
    )
    const staying = send('export 19', file, withoutAudio)
    await expect.poll(() => reads.count).toBe(2)
    leaving.abort()
    release()
    expect(await Promise.allSettled(left)).toEqual(Array(20).fill(expect.objectContaining({ status: 'rejected' })))
    await bytesOf(await staying)
    expect(reads).toEqual({ now: 0, most: 2, count: 3 })
    await expect.poll(open).toBe(0)
    expect(maxOpen()).toBeLessThanOrEqual(3)
    // A later request makes a new plan.
    await bytesOf(await send('export 5', file, withoutAudio))
  })

  test('that could not be read is read again', async () => {
    const { send, breakDisk } = world()
    breakDisk(true)
    await expect(send('one', file, withoutAudio)).rejects.toThrow('a broken disk')
    breakDisk(false)
    expect((await bytesOf(await send('one', file, withoutAudio))).length).toBeGreaterThan(1000)
  })
})
