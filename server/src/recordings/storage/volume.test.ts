import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { systemRandom } from '../../shared/random.ts'
import { readFile } from '../../shared/storage/media-disk.ts'
import { openVolume } from './volume.ts'

vi.mock('../../shared/storage/media-disk.ts', { spy: true })

test.each([
  ['ESTALE', 1],
  ['EACCES', 78],
])('a recordings folder that can’t be read because of %s ends the start with status %i', async (code, status) => {
  vi.mocked(readFile).mockRejectedValueOnce(Object.assign(new Error(code), { code }))
  await expect(openVolume(temporaryFolder(), systemRandom)).rejects.toMatchObject({ name: 'StartError', status })
})
