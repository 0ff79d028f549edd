import { expect, test } from 'vitest'
import { healthOnly } from './health-only.ts'
import type { RequestContext } from './request-context.ts'

test.each([
  ['/api/health', undefined],
  ['/api/health/x', 'not-found'],
  ['/api/profile', 'not-found'],
  ['/login', undefined],
])('the gate of an instance that serves no users: %s: %s', (path, code) => {
  const context = { isApi: path.startsWith('/api/'), path } as unknown as RequestContext
  const guard = () => healthOnly(context)
  if (code === undefined) guard()
  else expect(guard).toThrow(expect.objectContaining({ code, reason: 'serves-no-users' }))
})
