import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { systemRandom } from '../random.ts'
import type * as MediaDisk from './media-disk.ts'
import { atomicWrite, stat } from './media-disk.ts'
import { rememberDisk } from './mounted-disk.ts'

vi.mock('./media-disk.ts', { spy: true })

let folder: string
/** Of every folder. */
let device: number
let error: string | undefined
beforeEach(async () => {
  folder = join(temporaryFolder(), 'review')
  device = 1
  error = undefined
  const { stat: real } = await vi.importActual<typeof MediaDisk>('./media-disk.ts')
  vi.mocked(stat).mockImplementation(async (path) => {
    if (error !== undefined) throw Object.assign(new Error(error), { code: error })
    return Object.assign(await real(path), { dev: device })
  })
  vi.mocked(atomicWrite).mockReset()
})

const missing = { code: 'unavailable', reason: 'recordings-disk-missing' }

test('a disk that comes back as another device is recognized, also after a restart; the folder below it is not', async () => {
  const { requireDisk } = await rememberDisk(folder, systemRandom)
  await requireDisk()
  renameSync(folder, `${folder}.away`)
  mkdirSync(folder)
  device = 2
  await expect(requireDisk()).rejects.toMatchObject(missing)
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
  await expect(requireDisk()).rejects.toMatchObject(missing)
  renameSync(`${folder}.away`, folder)
  device = 3
  await requireDisk()
  const again = await rememberDisk(folder, systemRandom)
  device = 4
  await again.requireDisk()
})

test('a folder that was removed from its disk is not a missing disk, nor is one in which nothing can be written', async () => {
  vi.mocked(atomicWrite).mockRejectedValue(new Error('ENOSPC'))
  const { requireDisk } = await rememberDisk(folder, systemRandom)
  rmSync(folder, { recursive: true })
  await requireDisk()
})

test.each(['EIO', 'ESTALE', 'EACCES'])(
  'a disk that fails (%s) at startup, or later, is missing until it works again',
  async (code) => {
    error = code
    const { requireDisk } = await rememberDisk(folder, systemRandom)
    await expect(requireDisk()).rejects.toMatchObject(missing)
    error = undefined
    await requireDisk()
    error = code
    await expect(requireDisk()).rejects.toMatchObject(missing)
    error = undefined
    await requireDisk()
  },
)
