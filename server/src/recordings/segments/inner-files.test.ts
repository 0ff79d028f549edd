import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { afterAll, expect, test, vi } from 'vitest'
import { stopAll } from '../../../test/support/cleanups.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { ServiceError } from '../../shared/errors.ts'
import { open, readFile } from '../../shared/storage/media-disk.ts'
import { segmentInnerRoute } from './inner-files.ts'
import type { Segment } from '../index/recording-store.ts'
import { filesOnDisk } from './segment-files.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

vi.mock('../../shared/storage/media-disk.ts', { spy: true })

const folder = temporaryFolder()
afterAll(stopAll)
mkdirSync(join(folder, 'yard'))
writeFileSync(join(folder, 'yard/1.mp4'), 'the video, and more')

const stored: Segment = {
  id: 1,
  camera: cameraKey('yard'),
  start: 1000,
  end: 11_000,
  bytes: 9,
  initBytes: 3,
  motion: 0,
  streamId: 1,
  file: 'yard/1.mp4',
  volume: 'own',
  object: null,
  epoch: 1,
}

const disk = () => Promise.resolve()
const noDisk = () => Promise.reject(new ServiceError('unavailable'))

const requested = async (
  query: string,
  { camera = 'yard', range = { start: 1000, end: 11_000 }, segment = stored, requireDisk = disk } = {},
) => {
  const route = segmentInnerRoute({
    folder,
    requireDisk,
    store: {
      startingAt: (of, start) =>
        Promise.resolve(of === segment.camera && start === segment.start ? segment : undefined),
    },
  })
  if (route.scope !== 'range') throw new Error('a ticket of this route names a range')
  const call = { from: 'other', header: () => undefined }
  const { body } = await route.handle({ ...call, camera: cameraKey(camera), range, query: new URLSearchParams(query) })
  return (await buffer(body as Readable)).toString()
}

test.each([
  ['the init segment', 'start=1000&bytes=3', 'the'],
  ['the whole segment', 'start=1000&bytes=9', 'the video'],
  ['no more than the segment', 'start=1000&bytes=9999', 'the video'],
])('sends %s', async (_what, query, sent) => expect(await requested(query)).toBe(sent))

const whole = 'start=1000&bytes=9'
test.each([
  ['another camera', whole, { camera: 'office' }],
  ['a segment that begins before the range', whole, { range: { start: 1001, end: 11_000 } }],
  ['a segment that ends after the range', whole, { range: { start: 1000, end: 10_999 } }],
  ['another start', 'start=1001&bytes=9', {}],
  ['a file in the object storage', whole, { segment: { ...stored, object: 'key' } }],
  ['a missing file', whole, { segment: { ...stored, file: 'yard/2.mp4' } }],
])('does not send %s', async (_what, query, more) => {
  await expect(requested(query, more)).rejects.toMatchObject({ code: 'not-found' })
})

test('[NODE-3] while the disk is missing, no file is reported as missing', async () => {
  const unmounted = requested(whole, { segment: { ...stored, file: 'yard/2.mp4' }, requireDisk: noDisk })
  await expect(unmounted).rejects.toMatchObject({ code: 'unavailable' })
})

test.each(['EIO', 'ESTALE', 'ENXIO', 'EMFILE'])(
  'a file that can’t be read (%s) is not reported as missing',
  async (code) => {
    const failing = () => Promise.reject(Object.assign(new Error(code), { code }))
    const files = filesOnDisk(folder, disk)
    const unreadable = { code: 'unavailable', reason: 'recording-unreachable' }
    for (const read of [() => requested(whole), () => files.head(stored), () => files.whole(stored)]) {
      vi.mocked(open).mockImplementationOnce(failing)
      vi.mocked(readFile).mockImplementationOnce(failing)
      await expect(read()).rejects.toMatchObject(unreadable)
      vi.mocked(open).mockReset()
      vi.mocked(readFile).mockReset()
    }
    vi.mocked(open).mockImplementationOnce(failing)
    await expect(requested(whole, { requireDisk: noDisk })).rejects.not.toHaveProperty(
      'reason',
      'recording-unreachable',
    )
    vi.mocked(open).mockReset()
  },
)

test.each(['', 'start=1000', 'start=1000&bytes=0', 'start=1000&bytes=-1', 'start=x&bytes=9', 'start=1000&bytes=1.5'])(
  'rejects %j',
  async (query) => expect(requested(query)).rejects.toMatchObject({ code: 'invalid-request' }),
)
