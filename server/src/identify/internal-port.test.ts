import { expect, test } from 'vitest'
import { identifyInside } from './internal-port.ts'

test('[PORT-2] everybody on the inside is anonymous, admin, and stays so', async () => {
  const standing = identifyInside()
  expect(standing.identity).toMatchObject({ kind: 'known', source: 'inside', name: 'anonymous', role: 'admin' })
  expect(standing.until).toBeUndefined()
  expect(await standing.again()).toBe(standing)
})
