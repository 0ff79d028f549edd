import { afterEach, expect, test, vi } from 'vitest'
import { beginsWithSound, rememberSound } from './sound-choice.ts'

afterEach(() => vi.unstubAllGlobals())

/** A browser that keeps what it is given, and whose page somebody has touched or not. */
function browser(touched: boolean): void {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: touched } })
}

test.each([
  ['on', true, true],
  ['on', false, false],
  ['off', true, false],
  ['never chosen', true, false],
] as const)('sound %s last time, on a page touched: %s; begins with sound: %s', (choice, touched, begins) => {
  browser(touched)
  if (choice !== 'never chosen') rememberSound(choice === 'on')
  expect(beginsWithSound()).toBe(begins)
})

test('a browser that keeps nothing begins without sound', () => {
  expect(beginsWithSound()).toBe(false)
})
