import { backdrop, block, box, disc, row, width } from './drawing.ts'
import { beat, during, going, received, piecesOf } from './pieces.ts'
import type { Scene } from './scene.ts'
import { person } from './person.ts'

const swell = `(0.6+0.4*sin(2*PI*t/${beat}))`
const chirp = (at: number): string => received(at, at + 0.16, `0.05*sin(2*PI*(2600+9000*(t-${at}))*(t-${at}))`)

const { still, come, go, car } = piecesOf({ still: 4, come: 8, go: 8, car: 4 })
const postman = {
  x: during([
    [come, (s) => going(s, -60, 985, 0, 7.2)],
    [go, (s) => going(s, 985, -60, 0.4, 8)],
  ]),
  y: during([
    [come, (s) => going(s, 545, 490, 4.6, 7.2)],
    [go, (s) => going(s, 490, 545, 0.4, 3)],
  ]),
  stride: during(
    [
      [come, (s) => `lt(${s},7.2)`],
      [go, (s) => `gt(${s},0.4)`],
    ],
    '0',
  ),
}
const driven = (ahead: number): string => during([[car, (s) => `(420*${s}-${ahead})`]])

/** A house by the road: the postman, now and then a car. */
export const yard: Scene = {
  backdrop: backdrop('0x6fb1e8', '0xdff1fb', [
    box(0, 430, width, 290, '0x6f9f55'),
    box(0, 560, width, 90, '0x77777d'),
    ...row(10, (i) => box(i * 140, 603, 70, 5, '0xf0eec8')),
    box(820, 230, 330, 230, '0xe7d6bd'),
    box(800, 205, 370, 36, '0xa5543f'),
    box(860, 290, 80, 70, '0x9fd0e6'),
    box(1030, 290, 80, 70, '0x9fd0e6'),
    box(955, 350, 60, 110, '0x7b4b2f'),
    box(945, 460, 80, 100, '0xb7ab97'),
    ...row(12, (i) => box(20 + i * 46, 400, 16, 70, '0xf4f1e6')),
    box(10, 420, 540, 10, '0xf4f1e6'),
    box(640, 330, 26, 130, '0x6b4a2f'),
  ]),
  stands: [
    disc('sun', '150x150', '0xffe48a', '120', '60'),
    disc('cloud', '360x110', 'white', '330', '70', { alpha: 0.85, sharpness: 3 }),
    disc('wisp', '260x80', 'white', '1010', '120', { alpha: 0.75, sharpness: 3 }),
  ],
  moves: [
    disc('tree', '230x210', '0x3f7d3a', `538+4*sin(2*PI*t/${beat})`, '170'),
    ...person('postman', 150, { coat: '0xd9a514', legs: '0x27324a', head: '0x8a5a3c' }, postman),
    block('cab', '120x44', '0x9ad1ea', driven(255), '520'),
    block('car', '230x62', '0xc23b33', driven(310), '560'),
    disc('rear', '56x56', '0x202024', driven(285), '600'),
    disc('front', '56x56', '0x202024', driven(160), '600'),
  ],
  // Wind, a bird now and then, and the car.
  audio:
    `0.05*${swell}*(random(0)+random(1)+random(2)-1.5)+` +
    `${[1, 1.3, 1.6, 5, 5.3].map((at) => chirp(come.from + at)).join('+')}+` +
    received(car.from, car.to, `0.07*sin(PI*(t-${car.from})/4)*(sin(2*PI*82*t)+0.5*sin(2*PI*123*t))`),
  story: [
    [still, 1],
    [come, 1],
    [go, 1],
    [still, 15],
    [car, 1],
    [still, 19],
    [come, 1],
    [go, 1],
    [still, 16],
  ],
}
