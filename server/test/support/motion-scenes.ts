import type { GrayFrame } from '../../src/media/ffmpeg/gray-frames.ts'
import { gray } from '../../src/motion/gray.ts'

/** Drawn camera images with a known time of every motion. The same seed gives the same frames. */
export interface Scene {
  readonly name: string
  readonly seconds: number
  /** When a person is visible, seconds. Empty: nothing moves that should be reported. */
  readonly events: readonly Span[]
  /** The frame at a time, `canvas.width` × `canvas.height` bytes. */
  draw(time: number): Uint8Array
}

export interface Span {
  readonly from: number
  readonly to: number
}

/** Pixels: four for each pixel that is analyzed. */
export const canvas = { width: gray.width * 2, height: gray.height * 2 } as const

const { width, height } = canvas

/** Random numbers from 0 to 1: Mulberry32. */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Gaussian numbers, sigma 1, precomputed: each frame takes a random section of them. */
const gaussian = (() => {
  const chance = chanceOf(99)
  return Float32Array.from({ length: 1 << 18 }, () => {
    return Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())
  })
})()

/** Hills of brightness, -1 to 1, finer with every octave. */
export function texture(seed: number, coarse: number, octaves: number): Float32Array {
  const chance = chanceOf(seed)
  const sum = new Float32Array(width * height)
  for (let octave = 0; octave < octaves; octave++) {
    const cell = Math.max(2, coarse / 2 ** octave)
    const columns = Math.ceil(width / cell) + 2
    const values = Float32Array.from({ length: columns * (Math.ceil(height / cell) + 2) }, () => chance() * 2 - 1)
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const column = Math.floor(x / cell)
        const row = Math.floor(y / cell)
        const [u, v] = [x / cell - column, y / cell - row]
        const at = row * columns + column
        const above = values[at]! * (1 - u) + values[at + 1]! * u
        const below = values[at + columns]! * (1 - u) + values[at + columns + 1]! * u
        sum[y * width + x]! += (above * (1 - v) + below * v) / 2 ** octave
      }
    }
  }
  return sum
}

export type Place = Float32Array<ArrayBuffer>

/** A yard: sky, a house with windows, a fence, grass and a path. */
const yard = (() => {
  const coarse = texture(1, 64, 4)
  const fine = texture(2, 6, 2)
  const frame = new Float32Array(width * height)
  for (let i = 0; i < frame.length; i++) {
    const x = (i % width) / width
    const y = Math.floor(i / width) / height
    let value = y < 0.35 ? 175 - 50 * y : 100 + 22 * coarse[i]! + 10 * fine[i]!
    if (x > 0.55 && x < 0.9 && y > 0.15 && y < 0.5) {
      value = 140 + 5 * fine[i]!
      if ((x * 20) % 3 < 1.2 && y > 0.24 && y < 0.36) value = 55
    }
    if (y > 0.36 && y < 0.48 && x < 0.5 && (x * 60) % 2 < 0.9) value = 190
    if (y > 0.7 && y < 0.86) value = 128 + 8 * coarse[i]! + 5 * fine[i]!
    frame[i] = value
  }
  return frame
})()

export interface Walk extends Span {
  /** Fraction of the frame height. */
  readonly size: number
  /** Position of the feet, fraction of the height. */
  readonly feet: number
  /** Where the walk begins, fraction of the width; speed, fraction per second. */
  readonly x: number
  readonly speed: number
  /** Gray level of the clothes. */
  readonly gray: number
  /** Defaults of a person. */
  readonly shape?: 'person' | 'car' | 'dog'
}

export interface SceneDeps {
  readonly name: string
  readonly seconds: number
  /** Defaults of the yard. */
  readonly place?: Place
  readonly walks?: readonly Walk[]
  /** Sigma of the sensor noise, gray levels. */
  readonly noise?: number | ((time: number) => number)
  /** Gain at a position (fractions of the frame) and a time. */
  readonly light?: (time: number, x: number, y: number) => number
  /** Digits at the top left that count the seconds. */
  readonly clock?: boolean
  /** Pixels by which the leaves of the left third sway. */
  readonly foliage?: number
  /** Rain streaks per frame. */
  readonly rain?: number
  readonly seed?: number
  /** The frame before light and noise. */
  readonly change?: (value: number, time: number) => number
  /** Pixels by which the camera is turned to the right and down. */
  readonly aim?: (time: number) => readonly [number, number]
}

export function scene(deps: SceneDeps): Scene {
  const { walks = [], light, change, aim, place = yard } = deps
  const leaves = texture(7, 10, 3)
  const draw = (time: number): Uint8Array => {
    let frame = place.slice()
    if (deps.foliage !== undefined) sway(frame, leaves, deps.foliage, time)
    for (const walk of walks) if (time >= walk.from && time < walk.to) drawWalker(frame, walk, time)
    if (aim) frame = seenFrom(frame, aim(time))
    if (change) for (let i = 0; i < frame.length; i++) frame[i] = change(frame[i]!, time)
    if (light) {
      for (let i = 0; i < frame.length; i++) {
        frame[i]! *= light(time, (i % width) / width, Math.floor(i / width) / height)
      }
    }
    const chance = chanceOf((deps.seed ?? 5) * 1_000_003 + Math.round(time * 1000))
    if (deps.rain !== undefined) rain(frame, deps.rain, chance)
    const sigma = typeof deps.noise === 'function' ? deps.noise(time) : (deps.noise ?? 2)
    const start = Math.floor(chance() * gaussian.length)
    const step = 1 + 2 * Math.floor(chance() * 50)
    for (let i = 0; i < frame.length; i++) frame[i]! += sigma * gaussian[(start + i * step) & (gaussian.length - 1)]!
    if (deps.clock) drawClock(frame, time)
    return new Uint8Array(new Uint8ClampedArray(frame).buffer)
  }
  return { name: deps.name, seconds: deps.seconds, events: walks.map(({ from, to }) => ({ from, to })), draw }
}

/** The small frame that ffmpeg would make of it. */
export function small(drawn: Uint8Array, at: number): GrayFrame {
  const pixels = new Uint8Array(gray.size)
  for (let y = 0; y < gray.height; y++) {
    for (let x = 0; x < gray.width; x++) {
      const i = y * 2 * width + x * 2
      pixels[y * gray.width + x] = (drawn[i]! + drawn[i + 1]! + drawn[i + width]! + drawn[i + width + 1]! + 2) >> 2
    }
  }
  return { at, pixels }
}

function drawWalker(frame: Float32Array, { size, feet, x, speed, gray: tone, from, shape }: Walk, time: number): void {
  const tall = size * height
  const middle = (x + speed * (time - from)) * width
  const bottom = feet * height
  // A standing person does not move the legs.
  const stride = speed === 0 ? 0 : Math.sin((time - from) * 2 * Math.PI * 0.9)
  const ellipse = (centerX: number, centerY: number, radiusX: number, radiusY: number, value: number): void => {
    const [rx, ry] = [Math.max(radiusX, 0.6), Math.max(radiusY, 0.6)]
    for (let row = Math.max(0, Math.floor(centerY - ry - 1)); row <= Math.min(height - 1, centerY + ry + 1); row++) {
      for (
        let column = Math.max(0, Math.floor(centerX - rx - 1));
        column <= Math.min(width - 1, centerX + rx + 1);
        column++
      ) {
        const away = Math.hypot((column + 0.5 - centerX) / rx, (row + 0.5 - centerY) / ry)
        const alpha = Math.min(1, Math.max(0, (1 - away) * Math.min(rx, ry) + 0.5))
        const i = row * width + column
        frame[i] = frame[i]! * (1 - alpha) + value * alpha
      }
    }
  }
  if (shape === 'car') {
    ellipse(middle, bottom - 0.35 * tall, 1.1 * tall, 0.33 * tall, tone)
    ellipse(middle, bottom - 0.7 * tall, 0.6 * tall, 0.3 * tall, tone + 25)
    for (const side of [-1, 1]) ellipse(middle + side * 0.65 * tall, bottom - 0.15 * tall, 0.2 * tall, 0.18 * tall, 25)
    return
  }
  if (shape === 'dog') {
    for (const side of [-1, 1]) {
      ellipse(middle + side * (0.5 + 0.2 * stride) * tall, bottom - 0.25 * tall, 0.09 * tall, 0.28 * tall, tone - 10)
    }
    ellipse(middle, bottom - 0.6 * tall, 0.75 * tall, 0.28 * tall, tone)
    ellipse(middle + Math.sign(speed) * 0.8 * tall, bottom - 0.85 * tall, 0.25 * tall, 0.2 * tall, tone + 10)
    return
  }
  for (const side of [-1, 1]) {
    ellipse(middle + side * stride * 0.09 * tall, bottom - 0.23 * tall, 0.06 * tall, 0.24 * tall, tone - 12)
  }
  ellipse(middle, bottom - 0.62 * tall, 0.125 * tall, 0.25 * tall, tone)
  ellipse(middle, bottom - 0.92 * tall, 0.06 * tall, 0.08 * tall, tone + 40)
}

/** The frame of a turned camera; the newly visible edge repeats the pixels next to it. */
function seenFrom(frame: Place, [right, down]: readonly [number, number]): Place {
  return frame.map((_, i) => {
    const x = Math.min(width - 1, Math.max(0, (i % width) + Math.round(right)))
    const y = Math.min(height - 1, Math.max(0, Math.floor(i / width) + Math.round(down)))
    return frame[y * width + x]!
  })
}

function sway(frame: Float32Array, leaves: Float32Array, max: number, time: number): void {
  for (let y = 0; y < height * 0.75; y++) {
    for (let x = 0; x < width / 3; x++) {
      if (Math.hypot((x - width / 6) / (width / 6), (y - height * 0.35) / (height * 0.35)) > 1) continue
      const gust = Math.sin(time * 1.7 + y / 23) + 0.6 * Math.sin(time * 2.9 + x / 11) + 0.3 * Math.sin(time * 0.31)
      const from = Math.min(width - 1, Math.max(0, Math.round(x + max * gust)))
      frame[y * width + x] = 85 + 38 * leaves[y * width + from]!
    }
  }
}

function rain(frame: Float32Array, streaks: number, chance: () => number): void {
  for (let streak = 0; streak < streaks; streak++) {
    const x = Math.floor(chance() * width)
    const from = Math.floor(chance() * height)
    const length = 4 + Math.floor(chance() * 14)
    const bright = 20 + chance() * 45
    for (let y = from; y < Math.min(height, from + length); y++) frame[y * width + x]! += bright
  }
}

/** Rows of five bits. */
const digits = ['75557', '26227', '71747', '71717', '55711', '74717', '74757', '71111', '75757', '75717']

function drawClock(frame: Float32Array, time: number): void {
  const whole = Math.floor(time)
  const text = `202611211${String(Math.floor(whole / 60) % 60).padStart(2, '0')}${String(whole % 60).padStart(2, '0')}`
  for (const [place, sign] of text.split('').entries()) {
    const rows = digits[Number(sign)]!
    for (let y = 0; y < 5; y++) {
      for (let x = 0; x < 3; x++) {
        if ((Number.parseInt(rows[y]!, 16) & (4 >> x)) === 0) continue
        frame[(5 + y) * width + 5 + place * 4 + x] = 245
      }
    }
  }
}

export const walk = (from: number, seconds: number, size: number, more: Partial<Walk> = {}): Walk => {
  // A person walks about four fifths of their height per second, and leaves the frame to the right.
  const speed = more.speed ?? (0.8 * size * height) / width
  return { from, to: from + seconds, size, feet: 0.82, x: 0.1, speed, gray: 45, ...more }
}

/** Scenes with a person, which must be reported. */
export const walks: readonly Scene[] = [
  scene({ name: 'a person near, by day', seconds: 60, walks: [walk(15, 3, 0.5, { speed: 0.25 }), walk(38, 4, 0.45)] }),
  scene({
    name: 'a person at middle distance, by day',
    seconds: 60,
    walks: [walk(15, 8, 0.22), walk(40, 6, 0.25, { x: 0.6 })],
  }),
  scene({
    name: 'a person far away (a tenth of the height)',
    seconds: 70,
    walks: [walk(15, 12, 0.1, { feet: 0.62 }), walk(45, 10, 0.1)],
  }),
  scene({
    name: 'a person runs',
    seconds: 50,
    walks: [walk(15, 3, 0.25, { speed: 0.3 }), walk(35, 2.5, 0.3, { speed: 0.38, x: 0 })],
  }),
  scene({
    name: 'a person walks slowly',
    seconds: 70,
    walks: [walk(15, 15, 0.25, { speed: 0.03 }), walk(48, 12, 0.3, { speed: 0.04, x: 0.5 })],
  }),
  scene({
    name: 'little contrast (18 levels)',
    seconds: 60,
    walks: [walk(15, 8, 0.25, { gray: 110 }), walk(40, 7, 0.3, { gray: 146 })],
  }),
  scene({
    name: 'two persons at once',
    seconds: 60,
    walks: [walk(15, 8, 0.25), walk(17, 8, 0.22, { x: 0.8, speed: -0.08, feet: 0.75, gray: 210 }), walk(45, 6, 0.25)],
  }),
  scene({
    name: 'a person by night, noise and rain',
    seconds: 60,
    noise: 7,
    rain: 25,
    change: (value) => 20 + value * 0.45,
    walks: [walk(15, 8, 0.25, { gray: 200 }), walk(40, 6, 0.3, { gray: 210 })],
  }),
  scene({
    name: 'a person by night, little light',
    seconds: 60,
    noise: 8,
    change: (value) => 15 + value * 0.4,
    walks: [walk(15, 8, 0.25, { gray: 185 }), walk(40, 6, 0.3, { gray: 40 })],
  }),
  scene({
    name: 'a person while clouds pass',
    seconds: 60,
    light: (time) => 1 + 0.25 * Math.sin((2 * Math.PI * time) / 25),
    walks: [walk(15, 8, 0.25), walk(42, 6, 0.3)],
  }),
  scene({
    name: 'a person after the camera was knocked',
    seconds: 60,
    aim: (time) => (time < 15 ? [0, 0] : [12, 5]),
    walks: [walk(24, 8, 0.25), walk(44, 6, 0.3)],
  }),
  scene({
    name: 'a person in the light of headlights',
    seconds: 70,
    light: (time, x, y) => 0.5 + 0.6 * Math.exp(-((x - (time - 14) / 6) ** 2 + (y - 0.6) ** 2) / 0.02),
    walks: [walk(30, 8, 0.25), walk(50, 6, 0.3, { gray: 200 })],
  }),
  scene({ name: 'a person before swaying leaves', seconds: 70, foliage: 2, walks: [walk(40, 8, 0.28, { x: 0.35 })] }),
]

/** Scenes in which nothing must be reported. */
export const stillness: readonly Scene[] = [
  scene({ name: 'noise of a sensor by day', seconds: 120 }),
  scene({ name: 'noise of a sensor by night', seconds: 120, noise: 9, change: (value) => 15 + value * 0.4 }),
  scene({
    name: 'clouds: slow light',
    seconds: 120,
    light: (time) => 1 + 0.3 * Math.sin((2 * Math.PI * time) / 30),
  }),
  scene({
    name: 'the soft shadow of a cloud crosses',
    seconds: 120,
    light: (time, x) => 1 - 0.3 / (1 + Math.exp(-(((time % 40) - 10) / 20 - x) * 14)),
  }),
  scene({ name: 'a lamp goes on and off', seconds: 90, light: (time) => (time % 40 < 20 ? 1 : 0.45) }),
  scene({
    name: 'a lamp lights a part',
    seconds: 90,
    noise: 4,
    light: (time, x, y) => (time % 40 < 20 ? 0.5 : 0.5 + 0.6 * Math.exp(-((x - 0.7) ** 2 + (y - 0.5) ** 2) / 0.05)),
  }),
  scene({
    name: 'the infrared filter changes, noise with it',
    seconds: 90,
    noise: (time) => (time < 40 ? 2 : 7),
    change: (value, time) => (time < 40 ? value : 30 + 150 * ((value - 40) / 160) ** 2),
  }),
  scene({
    name: 'flicker of a lamp at the mains',
    seconds: 90,
    light: (time) => 1 + 0.05 * Math.sin(2 * Math.PI * 3.7 * time) + 0.03 * Math.sin(time * 41),
  }),
  scene({
    name: 'headlights sweep over the yard',
    seconds: 90,
    light: (time, x, y) => 0.5 + 0.6 * Math.exp(-((x - ((time % 30) - 10) / 6) ** 2 + (y - 0.6) ** 2) / 0.02),
  }),
  scene({
    name: 'the camera is knocked: a little, more, and back',
    seconds: 110,
    aim: (time) => (time < 20 ? [0, 0] : time < 45 ? [5, -3] : time < 75 ? [22, 9] : [0, 0]),
  }),
  scene({
    name: 'the camera is knocked by night, and trembles',
    seconds: 90,
    noise: 7,
    change: (value) => 15 + value * 0.4,
    aim: (time) => {
      if (time < 30) return [0, 0]
      const tremble = 8 * Math.exp(-(time - 30)) * Math.sin(2 * Math.PI * 4.3 * time)
      return [7 + tremble, 4]
    },
  }),
  scene({ name: 'a clock in the frame', seconds: 150, clock: true }),
  scene({
    name: 'a clock in the frame by night',
    seconds: 150,
    clock: true,
    noise: 7,
    change: (value) => 15 + value * 0.4,
  }),
]

/** Things move here, but should not be reported: the purpose of masks. */
export const weather: readonly Scene[] = [
  scene({ name: 'rain', seconds: 120, rain: 60 }),
  scene({ name: 'heavy rain by night', seconds: 120, rain: 160, noise: 7, change: (value) => 15 + value * 0.4 }),
  scene({ name: 'leaves sway', seconds: 120, foliage: 1.2 }),
  scene({ name: 'leaves in strong wind', seconds: 120, foliage: 3 }),
]
