import { stopAll } from '../../../test/support/cleanups.ts'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { audioLeft, codecs, ffmpeg, makeVideo, packetsIn } from '../../../test/support/video-with-audio.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { open, type FileHandle } from '../../shared/storage/media-disk.ts'
import { boxesIn, Fmp4Error, makeBox, typeOf, words } from './box.ts'
import { readPlan, videoOnlyFile, type RandomFile } from './video-only-file.ts'
import { planVideoOnly } from './video-only-plan.ts'

const openVideoOnlyFile = async (file: RandomFile) => videoOnlyFile(file, await readPlan(file))

let folder: string
beforeAll(() => void (folder = temporaryFolder()))
afterAll(stopAll)

const path = (): string => join(folder, 'video.mp4')
function opened(video: Buffer): Promise<FileHandle> {
  writeFileSync(path(), video)
  return open(path(), 'r')
}
/** The whole file without its audio. */
async function read(video: Buffer): Promise<Buffer> {
  const file = await openVideoOnlyFile(await opened(video))
  return Buffer.concat(await file.read(0, file.size).toArray())
}

const isClosed = ({ fd }: FileHandle): boolean => fd === -1

describe.skipIf(!ffmpeg)('a progressive file, as an export is', () => {
  const both = ['-map', '0', '-map', '1', ...codecs.video, ...codecs.aac]
  const faststart = ['-movflags', '+faststart']

  test.each([
    ['one audio track', both],
    ['two audio tracks, one before the video', ['-map', '1', '-map', '0', '-map', '2', ...codecs.video, ...codecs.aac]],
  ])('with %s: only the video remains, with the same packets', async (_what, args) => {
    const video = makeVideo(...args, ...faststart)
    const result = await read(video)
    const packets = packetsIn(result)
    expect(packets).toEqual(packetsIn(video, '0:v'))
    expect(packets.filter((line) => line.startsWith('#media_type'))).toEqual(['#media_type 0: video'])
    expect(audioLeft(video, result)).toEqual([])
    expect(await read(result)).toEqual(result)
  })

  test('without audio, it is sent as it is', async () => {
    const video = makeVideo('-map', '0', ...codecs.video, ...faststart)
    expect((await read(video)).equals(video)).toBe(true)
  })

  test.each([
    ['frames longer than what is read from the disk together', 'scale=1280:720', '10'],
    ['many frames in what is read together, with much audio between', 'scale=640:360', '25'],
  ])('with %s, every range has the bytes of the whole', async (_what, scale, quality) => {
    const noise = ['-vf', `${scale},noise=alls=100:allf=t`, '-qp', quality]
    const video = makeVideo('-map', '0', '-map', '1', ...codecs.video, ...noise, '-c:a', 'alac', ...faststart)
    const { size, head, ranges } = planVideoOnly(boxesIn(video, 0, video.length), video)
    const samples = Array.from({ length: ranges.count }, (_, i) => {
      const [offset = 0, place = 0, next = 0] = [ranges.offsets[i], ...ranges.places.subarray(i, i + 2)]
      return video.subarray(offset, offset + next - place)
    })
    const whole = Buffer.concat([head, ...samples])
    await (await opened(video)).close()
    await fc.assert(
      fc.asyncProperty(fc.nat(size), fc.nat(size), async (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        const file = await openVideoOnlyFile(await open(path(), 'r'))
        const pieces = (await file.read(from, to).toArray()) as Buffer[]
        expect(Buffer.concat(pieces).equals(whole.subarray(from, to))).toBe(true)
        expect(pieces.every(({ length }) => length <= 1 << 19)).toBe(true)
        expect(file.size).toBe(size)
      }),
      { numRuns: 100 },
    )
  })

  test('a stream closes the file when it ends, fails, or is destroyed before it began', async () => {
    const video = makeVideo(...both, ...faststart)
    const files = await Promise.all([opened(video), open(path(), 'r'), open(path(), 'r')])
    const [ended, failed, destroyed] = await Promise.all(files.map((each) => openVideoOnlyFile(each)))
    await ended!.read(0, ended!.size).toArray()
    destroyed!.read(0, 1).destroy()
    truncateSync(path(), video.length >> 1)
    await expect(failed!.read(0, failed!.size).toArray()).rejects.toThrow(Fmp4Error)
    await vi.waitFor(() => expect(files.map(isClosed)).toEqual([true, true, true]), 20_000)
  })

  test.each([
    ['has its table of contents at the end', []],
    ['is fragmented', ['-movflags', '+frag_keyframe+empty_moov']],
  ])('a file that %s is rejected, and stays open', async (_what, flags) => {
    const file = await opened(makeVideo(...both, ...flags))
    await expect(openVideoOnlyFile(file)).rejects.toThrow('not ftyp, moov and mdat')
    expect(isClosed(file)).toBe(false)
    await file.close()
  })
})

const ftyp = makeBox('ftyp')
test.each([
  ['is empty', Buffer.alloc(0), 'not ftyp, moov and mdat but nothing'],
  ['is cut in a header', Buffer.concat([ftyp, words(8)]), 'a box without a whole header'],
  ['is cut in a box', Buffer.concat([ftyp, words(100, typeOf('moov'))]), 'a box that leaves its parent'],
  ['has many boxes', Buffer.concat(Array.from({ length: 17 }, () => ftyp)), 'too many boxes'],
])('a file that %s is rejected', async (_what, bytes, message) => {
  const file = await opened(bytes)
  await expect(openVideoOnlyFile(file)).rejects.toThrow(new Fmp4Error(message))
  await file.close()
})

test('a file whose table of contents does not fit into memory is rejected before it is read', async () => {
  const size = 300 << 20
  const file = await opened(Buffer.concat([ftyp, words(size, typeOf('moov'))]))
  truncateSync(path(), ftyp.length + size)
  await expect(openVideoOnlyFile(file)).rejects.toThrow(`a table of contents of ${ftyp.length + size} bytes`)
  await file.close()
})
