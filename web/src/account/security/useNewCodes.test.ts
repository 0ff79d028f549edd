import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, expect, test, vi } from 'vitest'
import type { Profile } from '../../../../server/src/api-types.ts'

vi.stubGlobal('document', { baseURI: 'https://cams.example/', documentElement: { lang: 'en' } })
const { profileQuery, SessionContext } = await import('../../session/session.ts')
const { dropCodes, keptCodes } = await import('../../session/new-codes.ts')
const { useNewCodes } = await import('./useNewCodes.ts')
afterAll(() => vi.unstubAllGlobals())

const ada = { auth: 'password', key: 'ada', username: 'ada' } as Profile
const nina = { auth: 'password', key: 'nina', username: 'nina' } as Profile
const codes = ['abcd-efgh']

test.each([
  { now: 'ada', profile: ada, kept: codes },
  { now: 'nina', profile: nina, kept: undefined },
  { now: 'no one', profile: undefined, kept: undefined },
])('[ROLE-5] new recovery codes of ada that arrive when $now is signed in: $kept', ({ profile, kept }) => {
  dropCodes()
  const queries = new QueryClient()
  const shown: ReturnType<typeof useNewCodes>[1][] = []
  const Page = () => {
    shown.push(useNewCodes()[1])
    return null
  }
  const page = createElement(SessionContext, { value: ada }, createElement(Page))
  renderToString(createElement(QueryClientProvider, { client: queries }, page))
  if (profile) queries.setQueryData(profileQuery.queryKey, profile)
  for (const show of shown) show(codes)
  expect(keptCodes(ada)).toEqual(kept)
})
