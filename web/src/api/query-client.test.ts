import { MutationObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('what a form sent, for example a password, is forgotten once the form is closed', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
  const { createQueryClient } = await import('./query-client.ts')
  const queries = createQueryClient()
  const form = new MutationObserver(queries, { mutationFn: (password: string) => Promise.resolve(password.length) })
  const close = form.subscribe(() => {})
  await form.mutate('secret')
  const kept = () => queries.getMutationCache().getAll()
  expect(kept()).toHaveLength(1)
  close()
  await vi.advanceTimersByTimeAsync(1000)
  expect(kept()).toEqual([])
})
