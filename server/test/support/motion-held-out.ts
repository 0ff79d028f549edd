import { canvas, chanceOf, scene, texture, walk, type Place, type Scene, type Walk } from './motion-scenes.ts'

/**
 * Scenes that no threshold of the detector was tuned on: other places, seeds, sizes, speeds and weather. Tune with
 * `motion-scenes.ts` alone, and report the results on these scenes.
 */

const { width, height } = canvas

const placeOf = (value: (x: number, y: number, i: number) => number): Place =>
  Float32Array.from({ length: width * height }, (_, i) => value((i % width) / width, Math.floor(i / width) / height, i))

/** A street from above: house fronts, pavement, asphalt with a line, parked cars. */
const street = (() => {
  const coarse = texture(31, 48, 4)
  const fine = texture(32, 5, 2)
  return placeOf((x, y, i) => {
    const [soft, grain] = [coarse[i]!, fine[i]!]
    if (y < 0.3) return (x * 9) % 1 < 0.45 && (y * 14) % 2 < 1 ? 62 + 4 * grain : 150 + 9 * grain
    if (y < 0.42) return 118 + 6 * soft + 9 * grain
    if (y > 0.66 && y < 0.68 && (x * 12) % 2 < 1) return 205
    if (y > 0.44 && y < 0.54 && (x * 6 + 0.2) % 1.5 < 0.9) return 50 + 45 * ((x * 6 + 0.2) % 1.5)
    return 82 + 8 * soft + 6 * grain
  })
})()

/** A hall: walls, two doors, a tiled floor, little detail. */
const hall = (() => {
  const coarse = texture(41, 90, 3)
  return placeOf((x, y, i) => {
    if (y > 0.62) return ((x * 14 + y * 5) % 1 < 0.08 || (y * 16) % 1 < 0.12 ? 135 : 168) + 4 * coarse[i]!
    if ((x > 0.12 && x < 0.27 && y > 0.14) || (x > 0.68 && x < 0.83 && y > 0.14)) return 92 + 5 * coarse[i]!
    return 196 - 30 * x + 5 * coarse[i]!
  })
})()

/** A garden: mostly hedge and lawn, fine and restless. */
const garden = (() => {
  const coarse = texture(51, 40, 5)
  const fine = texture(52, 4, 2)
  return placeOf((_, y, i) => (y < 0.5 ? 70 + 30 * coarse[i]! + 16 * fine[i]! : 120 + 14 * coarse[i]! + 14 * fine[i]!))
})()

const night = (value: number): number => 12 + value * 0.35

/** A person with a size, a tone and a pace that depend on the seed. */
function person(seed: number, from: number, more: Partial<Walk> = {}): Walk {
  const chance = chanceOf(seed)
  const size = 0.15 + 0.3 * chance()
  const leftwards = chance() < 0.5
  const speed = (leftwards ? -1 : 1) * (0.5 + 0.6 * chance()) * ((size * height) / width)
  const x = leftwards ? 0.95 - 0.3 * chance() : 0.05 + 0.3 * chance()
  const gray = chance() < 0.5 ? 25 + 30 * chance() : 205 + 40 * chance()
  return walk(from, 5 + 4 * chance(), size, { speed, x, gray, feet: 0.72 + 0.2 * chance(), ...more })
}

const crossings: readonly Scene[] = [
  ...[street, hall, garden].map((place, n) =>
    scene({
      name: `people in ${['the street', 'the hall', 'the garden'][n]!}`,
      seconds: 90,
      place,
      seed: 300 + n,
      walks: [person(61 + n, 14), person(71 + n, 40), person(81 + n, 66)],
    }),
  ),
  scene({
    name: 'cars in the street',
    seconds: 80,
    place: street,
    seed: 310,
    walks: [
      { ...walk(16, 5, 0.16, { speed: 0.24, x: -0.05, feet: 0.76, gray: 190 }), shape: 'car' },
      { ...walk(44, 3.5, 0.2, { speed: -0.36, x: 1.1, feet: 0.86, gray: 35 }), shape: 'car' },
    ],
  }),
  scene({
    name: 'a dog in the garden',
    seconds: 70,
    place: garden,
    seed: 311,
    walks: [{ ...walk(20, 7, 0.13, { speed: 0.11, x: 0.1, feet: 0.8, gray: 215 }), shape: 'dog' }],
  }),
  scene({
    name: 'people in the street by night',
    seconds: 80,
    place: street,
    seed: 312,
    noise: 8,
    change: night,
    walks: [person(91, 18, { gray: 220 }), person(92, 50, { gray: 190 })],
  }),
  scene({
    name: 'people in the street by night, in rain',
    seconds: 80,
    place: street,
    seed: 313,
    noise: 6,
    rain: 30,
    change: night,
    walks: [person(93, 18, { gray: 230 }), person(94, 50, { gray: 210 })],
  }),
  scene({
    name: 'a person crosses the hall quickly, and far away',
    seconds: 70,
    place: hall,
    seed: 314,
    walks: [walk(18, 2.6, 0.4, { speed: 0.36, x: 0, gray: 60 }), walk(45, 9, 0.12, { feet: 0.66, x: 0.3, gray: 40 })],
  }),
  scene({
    name: 'a person in the garden while clouds pass',
    seconds: 80,
    place: garden,
    seed: 315,
    light: (time) => 1 + 0.22 * Math.sin((2 * Math.PI * time) / 19),
    walks: [person(95, 20), person(96, 52)],
  }),
  scene({
    name: 'a person in the hall after the camera was knocked',
    seconds: 70,
    place: hall,
    seed: 316,
    aim: (time) => (time < 18 ? [0, 0] : [-9, 6]),
    walks: [person(97, 28), person(98, 50)],
  }),
]

const withoutPerson: readonly Scene[] = [
  ...[street, hall, garden].map((place, n) =>
    scene({
      name: `noise in ${['the street', 'the hall', 'the garden'][n]!} by night`,
      seconds: 100,
      place,
      seed: 330 + n,
      noise: 6 + 2 * n,
      change: night,
    }),
  ),
  scene({
    name: 'the street: clouds, and their shadow',
    seconds: 110,
    place: street,
    seed: 340,
    light: (time, x, y) =>
      (1 + 0.12 * Math.sin((2 * Math.PI * time) / 23)) *
      (1 - 0.28 / (1 + Math.exp(-(((time % 45) - 12) / 15 - (0.8 * x + 0.2 * y)) * 10))),
  }),
  scene({
    name: 'the hall: lights on and off',
    seconds: 100,
    place: hall,
    seed: 341,
    noise: 3,
    light: (time, x) => (time % 34 < 17 ? 1 : 0.6 - 0.2 * x),
  }),
  scene({
    name: 'the hall: a door lets light in',
    seconds: 90,
    place: hall,
    seed: 342,
    noise: 4,
    light: (time, x, y) =>
      0.55 + (time % 45 > 20 && time % 45 < 34 ? 0.5 * Math.exp(-((x - 0.2) ** 2 / 0.02 + (y - 0.5) ** 2 / 0.2)) : 0),
  }),
  scene({
    name: 'the street: headlights turn in',
    seconds: 100,
    place: street,
    seed: 343,
    noise: 5,
    light: (time, x, y) => {
      const at = 1.2 - ((time % 33) - 14) / 5
      return 0.42 + 0.7 * Math.exp(-((x - at) ** 2 / 0.015 + (y - 0.52) ** 2 / 0.05))
    },
  }),
  scene({
    name: 'the hall: headlights through a window',
    seconds: 90,
    place: hall,
    seed: 344,
    noise: 6,
    light: (time, x, y) => 0.4 + 0.45 * Math.exp(-((x - ((time % 40) - 18) / 9) ** 2 / 0.03 + (y - 0.3) ** 2 / 0.03)),
  }),
  scene({
    name: 'the street: the camera is knocked, and put right',
    seconds: 110,
    place: street,
    seed: 345,
    aim: (time) => (time < 26 ? [0, 0] : time < 68 ? [-6, 7] : [1, 0]),
  }),
  scene({
    name: 'the garden: the camera slips',
    seconds: 100,
    place: garden,
    seed: 346,
    aim: (time) => (time < 35 ? [0, 0] : [3, 14]),
  }),
  scene({
    name: 'the hall: the camera is knocked, and trembles',
    seconds: 90,
    place: hall,
    seed: 347,
    noise: 4,
    aim: (time) =>
      time < 33 ? [0, 0] : [-11 + 10 * Math.exp(-(time - 33) / 1.5) * Math.cos(2 * Math.PI * 3.1 * time), -2],
  }),
  scene({
    name: 'the garden: the infrared filter changes',
    seconds: 90,
    place: garden,
    seed: 348,
    noise: (time) => (time < 45 ? 2 : 6),
    change: (value, time) => (time < 45 ? value : 25 + 170 * (value / 200) ** 1.6),
  }),
]

export const heldOut: readonly Scene[] = [...crossings, ...withoutPerson]

/** Things move here, but should not be reported. */
export const heldOutWeather: readonly Scene[] = [
  scene({ name: 'the street in rain', seconds: 120, place: street, seed: 350, rain: 80 }),
  scene({ name: 'leaves before the garden', seconds: 120, place: garden, seed: 351, foliage: 1.6 }),
]
