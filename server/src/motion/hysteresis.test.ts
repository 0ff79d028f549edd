import { expect, test } from 'vitest'
import { createHysteresis } from './hysteresis.ts'

type Over = 'strong' | 'begin' | 'go-on' | 'none'
const signs: Record<string, Over> = { S: 'strong', B: 'begin', g: 'go-on', '.': 'none' }

test.each([
  // every  frames          moving
  [1, '.B.B.B.', '-------'],
  [1, '.BB....', '--##---'],
  [1, '.BBgggg.', '--######'],
  [1, '.Bg.B..', '-------'],
  [0.2, 'BB.BB.', '------'],
  [0.2, 'BBB', '--#'],
  [0.2, 'BBB............', '--###########--'],
  [2, '.B..', '----'],
  [2, '.S..', '-##-'],
  [2, '.BB.', '--##'],
  [4, '.S..', '-##-'],
])('a frame every %d s: %s is %s', (every, frames, moving) => {
  const hysteresis = createHysteresis()
  const seen = frames.split('').map((sign) => (hysteresis.next(every, signs[sign]!) ? '#' : '-'))
  expect(seen.join('')).toBe(moving)
})
