import { expect, test } from 'vitest'
import { hostOf } from './host-of.ts'

test('a URL is shown by its host, and as it is if it can’t be read', () => {
  expect(hostOf('https://gate.example:8971/')).toBe('gate.example:8971')
  expect(hostOf('https://[::1')).toBe('https://[::1')
})
