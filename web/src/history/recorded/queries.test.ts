import { afterAll, expect, test, vi } from 'vitest'

vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
const { farDayQuery } = await import('./queries.ts')

afterAll(() => vi.unstubAllGlobals())

test('a search that reaches further back is not answered by one that found nothing nearer', () => {
  const day = new Date(2026, 10, 15).getTime() / 1000
  const keyUntil = (year: number, month: number, date: number) =>
    farDayQuery(['yard'], day, -1, new Date(year, month, date).getTime() / 1000).queryKey
  expect(keyUntil(2025, 9, 20)).not.toEqual(keyUntil(2025, 10, 20))
  // Whole months are searched.
  expect(keyUntil(2025, 10, 1)).toEqual(keyUntil(2025, 10, 20))
})
