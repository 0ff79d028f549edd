import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const location = { pathname: '/', search: '', hash: '', assign: vi.fn(), reload: vi.fn() }

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
  vi.stubGlobal('window', { location })
})
afterEach(() => {
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
