import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { queryKeys } from '../api/query-keys.ts'

vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
const { ApiError } = await import('../api/api.ts')
const { isStillOpen } = await import('./useSharedLink.ts')

afterAll(() => vi.unstubAllGlobals())

test.each([
  ['as before', undefined, true],
  ['that it was revoked', new ApiError('', { status: 403, reason: { code: 'link-revoked' } }), false],
  ['that it shows nothing now', new ApiError('', { status: 403, reason: { code: 'link-unavailable' } }), false],
  ['nothing', new ApiError('', { status: 0 }), true],
])('[LINK-3] an opened link about which the service says %s is open: %j', async (_title, refusal, isOpen) => {
  const queries = new QueryClient()
  const queryFn = vi.fn().mockResolvedValueOnce({ kind: 'history' })
  if (refusal) queryFn.mockRejectedValueOnce(refusal)
  else queryFn.mockResolvedValueOnce({ kind: 'history' })
  const link = new QueryObserver(queries, { queryKey: queryKeys.sharedLink('a'), queryFn, retry: false })
  onTestFinished(link.subscribe(() => {}))
  await vi.waitFor(() => expect(link.getCurrentResult().isSuccess).toBe(true))
  expect(await isStillOpen(queries, 'a')).toBe(isOpen)
  expect(queryFn).toHaveBeenCalledTimes(2)
})
