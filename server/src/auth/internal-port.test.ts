import { expect, test } from 'vitest'
import { authenticateInternal } from './internal-port.ts'

test('[PORT-2] every caller of the internal port is the anonymous admin, also after reauthentication', async () => {
  const authentication = authenticateInternal()
  expect(authentication.identity).toMatchObject({
    kind: 'authenticated',
    authMethod: 'internal',
    name: 'anonymous',
    role: 'admin',
  })
  expect(authentication.until).toBeUndefined()
  expect(await authentication.reauthenticate()).toBe(authentication)
})
