import { afterEach, expect, onTestFinished, test, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

test('a JSON body is sent to its route, with the parameters in the path', async () => {
  vi.stubGlobal('document', { baseURI: 'https://cams.example/sub/' })
  const sent: unknown[] = []
  vi.stubGlobal('fetch', (url: URL, { method, body }: { method: string; body: string }) => {
    sent.push([method, url.href, JSON.parse(body)])
    return Promise.resolve(new Response(null, { status: 204 }))
  })
  const { sendJson } = await import('./api.ts')
  await sendJson('PUT /api/users/:username/role', { username: 'a/b:role' }, { role: 'guard', expected_role: 'viewer' })
  await sendJson('POST /api/login', {}, { user: 'ada', password: 'secret' })
  expect(sent).toEqual([
    ['PUT', 'https://cams.example/sub/api/users/a%2Fb%3Arole/role', { role: 'guard', expected_role: 'viewer' }],
    ['POST', 'https://cams.example/sub/api/login', { user: 'ada', password: 'secret' }],
  ])
})

/** A service that is never heard of again. @returns timeouts that were begun, in milliseconds, and one that ends them */
function silence() {
  vi.stubGlobal('document', { baseURI: 'https://cams.example/' })
  vi.stubGlobal(
    'fetch',
    (_url: URL, { signal }: { signal: AbortSignal | null }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
  )
  const passed = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(passed.signal)
  onTestFinished(() => timeout.mockRestore())
  return { begun: () => timeout.mock.calls.flat(), pass: () => passed.abort() }
}

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
  'a %s without a response fails after half a minute, as if the service were unreachable',
  async (method) => {
    const { begun, pass } = silence()
    const { ApiError, send } = await import('./api.ts')
    const sent = send('api/exports/1', { method })
    expect(begun()).toEqual([30_000])
    pass()
    await expect(sent).rejects.toEqual(new ApiError('', { status: 0 }))
  },
)

test.each([
  ['a change that the page can give up itself', { method: 'POST', signal: new AbortController().signal }],
  ['what changes nothing', {}],
] as const)('%s has no timeout', async (_title, call) => {
  const { begun } = silence()
  const { send } = await import('./api.ts')
  void send('api/exports', call)
  expect(begun()).toEqual([])
})

test('a change that is given up isn’t a failure of the service', async () => {
  silence()
  const { ApiError, send } = await import('./api.ts')
  const leave = new AbortController()
  const sent = send('api/exports', { method: 'POST', signal: leave.signal })
  leave.abort()
  await expect(sent).rejects.not.toBeInstanceOf(ApiError)
})
