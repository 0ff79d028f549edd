import { mkdir } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { ensureDirectory } from './ensure-directory.ts'

vi.mock('node:fs/promises', { spy: true })

test.each([
  ['ENOSPC', 1],
  ['EIO', 1],
  ['ESTALE', 1],
  ['EROFS', 1],
  ['EACCES', 78],
  ['ENOTDIR', 78],
])('a folder that can’t be created because of %s ends the start with status %i', async (code, status) => {
  vi.mocked(mkdir).mockRejectedValueOnce(Object.assign(new Error(code), { code }))
  await expect(ensureDirectory('/folder')).rejects.toMatchObject({ name: 'StartError', status })
})
