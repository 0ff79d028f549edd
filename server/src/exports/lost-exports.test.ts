import { expect, test } from 'vitest'
import { createLostExports, type LostExports } from './lost-exports.ts'
import type { StoredExport } from './export-store.ts'
import { silent } from '../../test/support/null-log.ts'
import { createTestClock } from '../../test/support/test-clock.ts'

const one = { id: '1', volume: 'own', camera: 'yard' } as unknown as StoredExport

function lostExports(): { readonly lost: LostExports; readonly marked: string[] } {
  const marked: string[] = []
  const lost = createLostExports({
    volume: 'own',
    folder: { path: '/media/exports', requireDisk: async () => {}, bytesOf: async () => undefined },
    store: {
      byId: async () => undefined,
      lose: async (id) => (marked.push(id), true),
      recover: async () => false,
    },
    onChange: () => {},
    clock: createTestClock(),
    log: silent,
  })
  return { lost, marked }
}

test('a missing file is lost only once rows and files have been compared', async () => {
  const { lost, marked } = lostExports()
  await expect(lost.lose(one)).rejects.toMatchObject({ code: 'unavailable' })
  expect(marked).toEqual([])
  lost.compared()
  await lost.lose(one)
  expect(marked).toEqual(['1'])
})

test('nothing is lost if the comparison shows that the disk is missing', async () => {
  const { lost, marked } = lostExports()
  lost.allMissing(2)
  lost.compared()
  await expect(lost.lose(one)).rejects.toMatchObject({ code: 'unavailable' })
  expect(marked).toEqual([])
})
