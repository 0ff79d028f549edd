import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import type { Frame } from '../media/ffmpeg/jpeg-encoder.ts'
import type * as MediaDisk from '../shared/storage/media-disk.ts'
import { ServiceError } from '../shared/errors.ts'
import { rm } from '../shared/storage/media-disk.ts'
import { createThumbnails, type Thumbnails } from './thumbnails.ts'

vi.mock('../shared/storage/media-disk.ts', { spy: true })

const noon = Date.UTC(2026, 10, 21, 12)
const day = 24 * 60 * 60_000

let folder: string
let thumbnails: Thumbnails
let elapsed: number
let isMounted: boolean

beforeEach(() => {
  folder = temporaryFolder()
  elapsed = 0
  isMounted = true
  const jpegEncoder = { jpegOf: () => Promise.resolve(Buffer.from('jpeg')) }
  thumbnails = createThumbnails({
    folder,
    requireDisk: () => (isMounted ? Promise.resolve() : Promise.reject(new ServiceError('unavailable'))),
    jpegEncoder,
    clock: { elapsed: () => elapsed },
    log: silent,
  })
  for (const date of ['2026-11-18', '2026-11-19', '2026-11-20']) {
    mkdirSync(join(folder, date))
    writeFileSync(join(folder, date, 'id.jpg'), 'jpeg')
  }
})
afterEach(() => void vi.mocked(rm).mockReset())

/** Files and folders below this one can't be removed. */
async function refuse(date: string, code: string): Promise<void> {
  const { rm: real } = await vi.importActual<typeof MediaDisk>('../shared/storage/media-disk.ts')
  vi.mocked(rm).mockImplementation((path, options) =>
    String(path).includes(date) ? Promise.reject(Object.assign(new Error(code), { code })) : real(path, options),
  )
}

test('a day whose thumbnails can’t be removed keeps no later one', async () => {
  await refuse('2026-11-18', 'EIO')
  await expect(thumbnails.removeBefore(noon - day)).rejects.toThrow('EIO')
  expect(readdirSync(folder)).toEqual(['2026-11-18', '2026-11-20'])
})

test('a thumbnail that can’t be removed is left alone for an hour, and keeps no other from being removed', async () => {
  await refuse('2026-11-18', 'EIO')
  const [jammed, other] = [
    { id: 'id', start: noon - 3 * day },
    { id: 'id', start: noon - 2 * day },
  ]
  expect((await thumbnails.remove([jammed, other])).size).toBe(1)
  expect([thumbnails.isPostponed(jammed), thumbnails.isPostponed(other)]).toEqual([true, false])
  expect(existsSync(join(folder, '2026-11-19'))).toBe(false)
  elapsed = 61 * 60_000
  expect(thumbnails.isPostponed(jammed)).toBe(false)
})

test('while the disk is missing, no thumbnail counts as removed or missing, and none is made below the mount point', async () => {
  isMounted = false
  const item = { id: 'id', start: noon - day }
  await expect(thumbnails.remove([item])).rejects.toMatchObject({ code: 'unavailable' })
  await expect(thumbnails.removeBefore(noon)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(thumbnails.read({ id: 'other', start: noon })).rejects.toMatchObject({ code: 'unavailable' })
  expect(await thumbnails.make({ id: 'new', start: noon + day }, {} as Frame)).toBe(false)
  expect(readdirSync(folder)).toEqual(['2026-11-18', '2026-11-19', '2026-11-20'])
  isMounted = true
  expect(await thumbnails.read({ id: 'other', start: noon })).toBeUndefined()
  expect(await thumbnails.make({ id: 'new', start: noon + day }, {} as Frame)).toBe(true)
})

test('on a disk where nothing can be removed, that’s an error', async () => {
  await refuse('2026', 'EROFS')
  await expect(thumbnails.remove([{ id: 'id', start: noon - day }])).rejects.toThrow('EROFS')
})
