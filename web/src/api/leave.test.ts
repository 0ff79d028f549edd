import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const location = { pathname: '/', search: '', hash: '', assign: vi.fn(), reload: vi.fn() }

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
  vi.stubGlobal('window', { location })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

const storage = (broken: readonly string[]) => ({
  getItem: () => (broken.includes('getItem') ? fail() : null),
  setItem: () => (broken.includes('setItem') ? fail() : undefined),
})
const fail = (): never => {
  throw new DOMException('denied', 'SecurityError')
}

test.each([[['setItem']], [['getItem', 'setItem']]])(
  '[PROXY-12] without working session storage (%j), every redirected call shows the URL as a link',
  async (broken) => {
    vi.stubGlobal('sessionStorage', storage(broken))
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError()))
    const { redirectToSignIn } = await import('./leave.ts')
    const url = new URL('https://sso.example/login')
    expect(await redirectToSignIn({ kind: 'address', url })).toEqual(url)
    expect(await redirectToSignIn({ kind: 'address', url })).toEqual(url)
    expect(location.assign).not.toHaveBeenCalled()
  },
)

test('[PROXY-12] if earlier attempts are unknown, the URL through the API is shown and nothing is reloaded', async () => {
  vi.stubGlobal('sessionStorage', storage(['setItem']))
  const { redirectToSignIn } = await import('./leave.ts')
  expect((await redirectToSignIn({ kind: 'unseen' })).href).toBe('https://cams.example/api/login')
  expect(location.reload).not.toHaveBeenCalled()
})

const ssoUrl = new URL('https://sso.example/login')

test.each([
  { to: { kind: 'address', url: ssoUrl } as const, left: location.assign, link: ssoUrl.href },
  { to: { kind: 'unseen' } as const, left: location.reload, link: 'https://cams.example/api/login' },
])('[PROXY-12] a user who stays on the page although it was to leave gets the link: $to.kind', async (each) => {
  vi.useFakeTimers()
  vi.stubGlobal('sessionStorage', storage([]))
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError()))
  const { redirectToSignIn } = await import('./leave.ts')
  const settled = vi.fn()
  const saving = redirectToSignIn(each.to)
  void saving.then(settled)
  await vi.advanceTimersByTimeAsync(14_000)
  expect(each.left).toHaveBeenCalledOnce()
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2000)
  expect(settled.mock.calls[0]?.[0].href).toBe(each.link)
  // The next poll doesn't ask the browser to leave again.
  expect((await redirectToSignIn(each.to)).href).toBe(each.link)
  expect(each.left).toHaveBeenCalledOnce()
})
