import { afterEach, expect, test, vi } from 'vitest'
import { beginsWithAudio, rememberAudio } from './audio-choice.ts'

afterEach(() => vi.unstubAllGlobals())

/** Stubs a browser with storage, whose page the user has touched or not. */
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
] as const)('audio %s last time, page touched: %s, starts with audio: %s', (choice, touched, begins) => {
  browser(touched)
  if (choice !== 'never chosen') rememberAudio(choice === 'on')
  expect(beginsWithAudio()).toBe(begins)
})

test('a browser without storage starts muted', () => {
  expect(beginsWithAudio()).toBe(false)
})
