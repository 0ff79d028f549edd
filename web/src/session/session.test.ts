import { notificationsStore } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import type { Profile } from '../../../server/src/api-types.ts'

vi.stubGlobal('document', { baseURI: 'https://cams.example/', documentElement: { lang: 'en' } })
const { notifyFailure, notifySuccess } = await import('../ui/feedback/notify.ts')
const { forget, profileQuery } = await import('./session.ts')
afterAll(() => vi.unstubAllGlobals())
afterEach(() => forget(new QueryClient()))

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
