import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

test.each([
  [1, [1]],
  [500, [500]],
  [501, [500, 1]],
  [1200, [500, 500, 200]],
])('[ROLE-11] %d items are marked in calls of at most 500', async (count, sizes) => {
  vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
  const sent: { ids: string[]; seen: boolean }[] = []
  vi.stubGlobal('fetch', (_url: URL, { body }: { body: string }) => {
    sent.push(JSON.parse(body) as { ids: string[]; seen: boolean })
    return Promise.resolve(new Response(null, { status: 204 }))
  })
  const { markItems } = await import('./queries.ts')
  const ids = Array.from({ length: count }, (_, at) => `item${at}`)
  await markItems(ids, true)
  expect(sent.map((each) => each.ids.length)).toEqual(sizes)
  expect(sent.flatMap((each) => each.ids)).toEqual(ids)
  expect(sent.every(({ seen }) => seen)).toBe(true)
})
