import { describe, expect, test } from 'vitest'
import { motionsIn, scoreScene } from '../../test/support/motion-score.ts'
import {
  canvas,
  scene,
  small,
  stillness,
  walks,
  weather,
  type Scene,
  type Walk,
} from '../../test/support/motion-scenes.ts'
import { createDetector, type Detector, type DetectorSettings, type MotionResult } from './detector.ts'

const named = (scenes: readonly Scene[], name: string): Scene => scenes.find((each) => each.name.startsWith(name))!
const medium = { sensitivity: 'medium', masks: [] } as const

function detect(detector: Detector, { draw }: Scene, from: number, to: number, every = 1): MotionResult[] {
  const findings: MotionResult[] = []
  for (let time = from; time < to; time += every) findings.push(detector.detect(small(draw(time), time * 1000)))
  return findings
}

/** Of a scene that lasts longer, what is enough here, seconds. */
const enough = 60

describe('a small set of scenes, of which all are in bench/motion.ts', () => {
  test.each([
    ['a person at middle distance', 1],
    ['a person at middle distance', 2],
    ['a person far away', 1],
    ['a person runs', 1],
    ['a person by night, noise and rain', 0.2],
    ['a person by night, little light', 1],
    ['a person while clouds pass', 1],
    ['a person after the camera was knocked', 1],
    ['a person in the light of headlights', 2],
  ])('%s, a frame every %d s: every person is found, and nothing else', (name, every) => {
    const { events, found, reported, right } = scoreScene(named(walks, name), every, 'medium')
    expect({ found, wrong: reported - right }).toEqual({ found: events, wrong: 0 })
  })

  test.each([
    ['noise of a sensor by night', 1],
    ['clouds: slow light', 2],
    ['the soft shadow of a cloud', 2],
    ['a lamp goes on and off', 1],
    ['a lamp lights a part', 2],
    ['the infrared filter changes', 1],
    ['flicker of a lamp', 1],
    ['headlights', 2],
    ['headlights', 4],
    ['the camera is knocked: a little', 2],
    ['the camera is knocked by night', 1],
    ['a clock in the frame', 1],
    ['rain', 1],
    ['leaves sway', 1],
  ])('%s, a frame every %d s: no motion is reported', (name, every) => {
    expect(scoreScene(named([...stillness, ...weather], name), every, 'medium', enough).reported).toBe(0)
  })
})

const walker = { from: 10, to: 18, size: 0.3, feet: 0.82, x: 0.2, speed: 0.05, gray: 40 }
const one = scene({ name: 'one walk', seconds: 40, walks: [walker] })

test('motion has a time, a share of the frame, and a region', () => {
  const findings = detect(createDetector(medium), one, 0, 40, 0.5)
  const moving = findings.filter((each) => each.moving)
  expect(moving[0]!.at).toBeGreaterThanOrEqual(10_000)
  expect(moving[0]!.at).toBeLessThanOrEqual(12_000)
  expect(moving.at(-1)!.at).toBeLessThanOrEqual(22_000)
  const at = findings.find((each) => each.at === 14_000)!
  // 4 s at 5 % of the width a second, from 20 % on.
  expect(at.box!.x).toBeLessThan(0.4)
  expect(at.box!.x + at.box!.width).toBeGreaterThan(0.4)
  expect(at.box!.y + at.box!.height).toBeGreaterThan(0.75)
  expect(at.percent).toBeGreaterThan(0.2)
  expect(at.percent).toBeLessThan(5)
})

test('pixels under a mask are ignored from the frame on at which the mask is set', () => {
  const everywhere = [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ],
  ]
  const detector = createDetector({ sensitivity: 'medium', masks: everywhere })
  expect(detect(detector, one, 0, 13).some(({ moving }) => moving)).toBe(false)
  detector.set(medium)
  expect(detect(detector, one, 13, 18).some(({ moving }) => moving)).toBe(true)
  detector.set({ sensitivity: 'medium', masks: everywhere })
  expect(detect(detector, one, 18, 30).at(-1)).toMatchObject({ percent: 0, moving: false })
})

test('a part that is masked does not count in the percent', () => {
  const half = [
    [
      [0.5, 0],
      [1, 0],
      [1, 1],
      [0.5, 1],
    ],
  ]
  const all = detect(createDetector(medium), one, 0, 13).at(-1)!
  const rest = detect(createDetector({ sensitivity: 'medium', masks: half }), one, 0, 13).at(-1)!
  expect(rest.percent / all.percent).toBeGreaterThan(1.7)
  expect(rest.percent / all.percent).toBeLessThan(2.3)
})

test('a lower sensitivity reports less', () => {
  const far = named(walks, 'a person far away')
  const found = (sensitivity: 'low' | 'medium' | 'high') => scoreScene(far, 2, sensitivity).found
  expect([found('low'), found('medium'), found('high')]).toEqual([0, 2, 2])
})

/** What is reported of a scene. */
function reported(drawn: Scene, every: number, settings: DetectorSettings = medium) {
  const frames = function* () {
    for (let time = 0; time < drawn.seconds; time += every) yield small(drawn.draw(time), time * 1000)
  }
  return motionsIn(frames(), createDetector(settings))
}

test('motion of an object ends when it stops, and begins again when it leaves', () => {
  const car: Walk = { ...walker, from: 8, to: 12, speed: 0.1, gray: 200 }
  const stands = { ...car, from: 12, to: 40, x: 0.6, speed: 0 }
  const leaves = { ...car, from: 40, to: 44, x: 0.6 }
  const [came, went, ...more] = reported(scene({ name: 'a car', seconds: 60, walks: [car, stands, leaves] }), 2)
  expect(more).toEqual([])
  expect(came!.to).toBeLessThanOrEqual(16)
  expect(went!.from).toBeGreaterThanOrEqual(40)
  expect(went!.to).toBeLessThanOrEqual(48)
})

describe('a mask over a part', () => {
  const masks = [
    [
      [0, 0],
      [0.6, 0],
      [0.6, 1],
      [0, 1],
    ],
  ]
  const masked = { ...medium, masks }

  test('motion under a mask is not reported, even if it covers only part of the mask', () => {
    const under = scene({ name: 'under', seconds: 25, walks: [{ ...walker, from: 8, to: 22, speed: 0.02 }] })
    expect(reported(under, 1)).toHaveLength(1)
    expect(reported(under, 1, masked)).toEqual([])
  })

  test('light under a mask does not affect the rest of the image', () => {
    const beside = scene({
      name: 'beside',
      seconds: 22,
      light: (time, x) => (x < 0.58 && time % 4 >= 2 ? 0.5 : 1),
      walks: [{ ...walker, from: 12, to: 18, x: 0.65 }],
    })
    expect(reported(beside, 1, masked)).toHaveLength(1)
  })
})

test('slow changes of light are removed, and results stay sure', () => {
  const clouds = named(stillness, 'clouds')
  expect(detect(createDetector(medium), clouds, 0, 60).every(({ sure }, i) => sure === i > 1)).toBe(true)
})

test('the infrared filter isn’t motion at a high frame rate, either', () => {
  const filter = named(stillness, 'the infrared filter')
  expect(detect(createDetector(medium), filter, 34, 44, 0.2).some(({ moving }) => moving)).toBe(false)
})

test('a frame that is mostly noise is still looked at', () => {
  const dark = scene({ name: 'dark', seconds: 20, noise: 30 })
  expect(detect(createDetector(medium), dark, 0, 20).every(({ sure, moving }, i) => sure === i > 1 && !moving)).toBe(
    true,
  )
})

test('headlights that sweep over the yard are light', () => {
  const sweep = scene({
    name: 'headlights',
    seconds: 30,
    light: (time, x, y) => 0.5 + 0.6 * Math.exp(-((x - (time - 10) / 6) ** 2 + (y - 0.6) ** 2) / 0.02),
  })
  expect(reported(sweep, 1)).toEqual([])
})

test.each([0.5, 2])('a camera that is turned sees no motion, a frame every %d s', (every) => {
  const yard = scene({ name: 'yard', seconds: 24 })
  const turned = (time: number): Uint8Array => {
    const drawn = yard.draw(time)
    if (time < 14) return drawn
    const quarter = Math.round(canvas.width / 4)
    return drawn.map((_, i) => {
      const x = i % canvas.width
      return drawn[i - x + ((x + quarter) % canvas.width)]!
    })
  }
  expect(reported({ ...yard, draw: turned }, every)).toEqual([])
})

test('the same frames give the same findings', () => {
  const twice = [1, 2].map(() => detect(createDetector(medium), one, 5, 20))
  expect(twice[0]).toEqual(twice[1])
})

test('it is sure of nothing until it has seen the scene, and not right after a break', () => {
  const detector = createDetector(medium)
  expect(detect(detector, one, 0, 5).map(({ sure }) => sure)).toEqual([false, false, true, true, true])
  expect(detector.detect(small(one.draw(0), 100_000)).sure).toBe(false)
})

test('motion ends when the object rests', () => {
  const detector = createDetector(medium)
  expect(detect(detector, one, 5, 14).at(-1)!.moving).toBe(true)
  detector.rest()
  expect(detector.detect(small(one.draw(30), 14_500)).moving).toBe(false)
})
