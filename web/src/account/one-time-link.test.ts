import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a link that gets no response fails after half a minute, as if the service were unreachable', async () => {
  vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
  vi.stubGlobal(
    'fetch',
    (_url: URL, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  )
  const { openedLinkQuery } = await import('./one-time-link.ts')
  const passed = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(passed.signal)
  const opened = new QueryClient().fetchQuery(openedLinkQuery({ kind: 'invitation', id: '1', secret: 'secret' }))
  await vi.waitFor(() => expect(timeout).toHaveBeenCalledWith(30_000))
  passed.abort()
  await expect(opened).rejects.toMatchObject({ failure: { status: 0 } })
})
