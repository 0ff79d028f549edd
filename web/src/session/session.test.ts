import { notificationsStore } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Profile } from '../../../server/src/api-types.ts'

vi.stubGlobal('document', { baseURI: 'https://cams.example/', documentElement: { lang: 'en' } })
const { notifyFailure, notifySuccess } = await import('../ui/feedback/notify.ts')
const { forget, forgetAndRefetch, isStillSignedIn, profileQuery } = await import('./session.ts')
const { keepCodes, keptCodes } = await import('./new-codes.ts')
afterAll(() => vi.unstubAllGlobals())
afterEach(() => {
  forget(new QueryClient())
  keepCodes(ada, undefined)
})

const ada = { auth: 'password', key: 'ada', username: 'ada' } as Profile
const nina = { auth: 'password', key: 'nina', username: 'nina' } as Profile

/** A tab in which ada is signed in and is shown two toasts. */
function tabOfAda(): QueryClient {
  const queries = new QueryClient()
  queries.setQueryData(profileQuery.queryKey, ada)
  notifySuccess('Export of the yard ready.')
  notifyFailure('Couldn’t delete the item.')
  expect(toasts()).toHaveLength(2)
  return queries
}

const toasts = () => notificationsStore.getState().notifications

test.each([
  { before: ada, status: 200, now: ada, still: true },
  { before: ada, status: 200, now: nina, still: false },
  { before: ada, status: 401, now: undefined, still: false },
  { before: ada, status: 500, now: undefined, still: false },
  { before: undefined, status: 200, now: ada, still: false },
])(
  '[TOK-6] a kept page of $before.username is shown again when the service answers $status $now.username: $still',
  async ({ before, status, now, still }) => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(now ?? {}, { status })))
    const queries = new QueryClient()
    if (before) queries.setQueryData(profileQuery.queryKey, before)
    expect(await isStillSignedIn(queries)).toBe(still)
  },
)

test('[ROLE-5] after a user signs out, the next one in the tab sees none of their toasts', () => {
  forget(tabOfAda())
  expect(toasts()).toEqual([])
})

test.each([
  { now: nina, left: 0 },
  { now: ada, left: 2 },
])('[ROLE-5] when $now.username turns out to be signed in, $left of the toasts of ada stay', async ({ now, left }) => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(now)))
  await tabOfAda().fetchQuery({ ...profileQuery, staleTime: 0 })
  expect(toasts()).toHaveLength(left)
})

test('[ROLE-5] after a user signs out of a page that stays open, nothing of theirs is kept', async () => {
  const queries = tabOfAda()
  await forgetAndRefetch(queries)
  expect(toasts()).toEqual([])
  expect(queries.getQueryData(profileQuery.queryKey)).toBeUndefined()
})

describe('[ROLE-5] new recovery codes', () => {
  const codes = ['abcd-efgh']
  beforeEach(() => keepCodes(ada, codes))

  test('are shown to no other user, even of the same name', () => {
    expect(keptCodes(ada)).toEqual(codes)
    expect(keptCodes({ auth: 'oidc', key: 'other', username: 'ada' })).toBeUndefined()
  })

  test.each([
    ['forget', forget],
    ['forgetAndRefetch', forgetAndRefetch],
  ])('are dropped once the user has signed out: %s', async (_name, act) => {
    await Promise.resolve(act(new QueryClient()))
    expect(keptCodes(ada)).toBeUndefined()
  })

  test.each([
    { now: nina, left: undefined },
    { now: ada, left: codes },
  ])('when $now.username turns out to be signed in: $left', async ({ now, left }) => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(now)))
    await tabOfAda().fetchQuery({ ...profileQuery, staleTime: 0 })
    expect(keptCodes(ada)).toEqual(left)
  })
})
