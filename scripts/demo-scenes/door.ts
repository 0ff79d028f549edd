import { backdrop, block, box, disc, row, width } from './drawing.ts'
import { away, during, going, received, piecesOf } from './pieces.ts'
import type { Scene } from './scene.ts'
import { person } from './person.ts'

const rap = (at: number): string => received(at, at + 0.3, `0.25*exp(-30*(t-${at}))*sin(2*PI*140*t)`)

const { still, visit, pass, cat } = piecesOf({ still: 4, visit: 12, pass: 4, cat: 8 })
/** Seconds of the visit at which the door is open. */
const opened = { from: 7, to: 9.5 }
const open = (there: number): string =>
  during([[visit, (s) => `if(between(${s},${opened.from},${opened.to}),${there},${away})`]])
const visitor = {
  x: during([
    [visit, (s) => `if(gt(${s},9),${away},${going(s, -120, 600, 0, 5)}+${going(s, 0, 45, 7.6, 8.8)})`],
    [pass, (s) => going(s, 1400, -130, 0, 4)],
  ]),
  y: during(
    [
      [visit, (s) => `${going(s, 690, 640, 3.6, 5)}-${going(s, 0, 60, 7.6, 8.8)}`],
      [pass, () => '690'],
    ],
    '0',
  ),
  stride: during([[visit, (s) => `(lt(${s},5)+between(${s},7.6,8.8))`]], '1'),
}
const prowls = (ahead: number): string => during([[cat, (s) => `(1320-${ahead}-190*${s})`]])
const pads = `5*sin(4*PI*t)`

/** A front door at night: a visitor, a passer-by, a cat. */
export const door: Scene = {
  backdrop: backdrop('0x241b3a', '0x5c3f55', [
    box(0, 560, width, 160, '0x3a3440'),
    box(0, 556, width, 6, '0x574c5c'),
    ...row(9, (i) => box(0, i * 62 + 58, width, 3, '0x2e2340')),
    box(500, 120, 290, 442, '0x20161c'),
    box(516, 136, 258, 426, '0x6d2f2a'),
    ...row(4, (i) => box(545 + 110 * (i % 2), i < 2 ? 165 : 350, 90, i < 2 ? 150 : 170, '0x873d35')),
    box(470, 562, 350, 22, '0x6e6470'),
    box(440, 584, 410, 22, '0x5f5662'),
    box(900, 190, 150, 190, '0xf4c772'),
    box(970, 190, 8, 190, '0x20161c'),
    box(900, 280, 150, 8, '0x20161c'),
    box(420, 160, 34, 60, '0x2a2228'),
  ]),
  stands: [
    disc('knob', '26x26', '0xe8c25a', '738', '330'),
    disc('glow', '620x620', '0xffb74f', '127', '-110', { alpha: 0.42, sharpness: 1 }),
    disc('lamp', '46x46', '0xffe7a8', '414', '172'),
  ],
  moves: [
    block('inside', '258x426', '0xe9b765', open(516), '136'),
    block('panel', '40x426', '0x56231f', open(734), '136'),
    disc('moth', '10x8', '0xb39a7c', '430+26*sin(PI*t)', '195+14*sin(2*PI*t)'),
    ...person('visitor', 400, { coat: '0x33506b', legs: '0x15131c', head: '0xb98a68' }, visitor),
    disc('cat', '120x52', '0x0f0d12', prowls(0), `640+${pads}`),
    disc('nose', '46x42', '0x0f0d12', prowls(26), `622+${pads}`),
    disc('tail', '70x14', '0x0f0d12', prowls(-104), `640+2*${pads}`),
  ],
  // Crickets, and the visitor raps on the door twice.
  audio:
    `if(gt(sin(2*PI*t/2),0.3)*gt(sin(2*PI*16*t),0),0.012*sin(2*PI*4200*t),0)+` +
    [5.6, 5.95].map((at) => rap(visit.from + at)).join('+'),
  story: [
    [still, 2],
    [visit, 1],
    [still, 20],
    [cat, 1],
    [still, 18],
    [pass, 1],
    [still, 22],
  ],
}
