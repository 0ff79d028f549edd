import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { createDiskCheck } from './disk.ts'

test('a disk has a size, and less than that is free', async () => {
  const disk = await createDiskCheck(tmpdir())()
  expect(disk?.total).toBeGreaterThan(0)
  expect(disk?.free).toBeLessThanOrEqual(disk?.total ?? 0)
})

test('a missing folder has no disk space', async () => {
  expect(await createDiskCheck('/no/such/folder')()).toBeNull()
})
