import { QueryClient } from '@tanstack/react-query'
import { afterAll, expect, test, vi } from 'vitest'
import type { Profile } from '../../../server/src/api-types.ts'
import { queryKeys } from '../api/query-keys.ts'

vi.stubGlobal('document', { baseURI: 'https://cams.example/', documentElement: { lang: 'en' } })
const { profileQuery } = await import('../session/session.ts')
const { keepCodes, keptCodes } = await import('../session/new-codes.ts')
const { ownScreenQuery } = await import('./queries.ts')
afterAll(() => vi.unstubAllGlobals())

const ada = { auth: 'password', key: 'ada', username: 'ada' } as Profile
const hall = { auth: 'screen', key: null, username: 'Hall' } as Profile
const codes = ['abcd-efgh']
const seen = queryKeys.exports.list(null)

test.each([
  { shown: ada, status: 200, isKept: false },
  { shown: ada, status: 401, isKept: false },
  // Still signed in.
  { shown: ada, status: 404, isKept: true },
  { shown: ada, status: 500, isKept: true },
  { shown: hall, status: 200, isKept: true },
])(
  '[ROLE-5] after $status for the screen, what $shown.username saw on this display is kept: $isKept',
  async ({ shown, status, isKept }) => {
    const queries = new QueryClient()
    queries.setQueryData(profileQuery.queryKey, shown)
    queries.setQueryData(seen, 'yard')
    keepCodes(shown, codes)
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ name: 'Hall' }, { status })))
    await queries.fetchQuery(ownScreenQuery).catch(() => undefined)
    const kept = [queries.getQueryData(profileQuery.queryKey), queries.getQueryData(seen), keptCodes(shown)]
    expect(kept).toEqual(isKept ? [shown, 'yard', codes] : [undefined, undefined, undefined])
    expect(queries.getQueryState(ownScreenQuery.queryKey)?.status).toBe(status === 200 ? 'success' : 'error')
  },
)
