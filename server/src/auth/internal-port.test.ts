import { expect, test } from 'vitest'
import { authenticateInternal } from './internal-port.ts'

test('[PORT-2] everybody on the inside is anonymous, admin, and stays so', async () => {
  const authentication = authenticateInternal()
  expect(authentication.identity).toMatchObject({ kind: 'known', source: 'inside', name: 'anonymous', role: 'admin' })
  expect(authentication.until).toBeUndefined()
  expect(await authentication.reauthenticate()).toBe(authentication)
})
