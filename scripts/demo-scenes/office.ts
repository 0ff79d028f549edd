import { backdrop, block, box, disc, once, row, width, type Thing } from './drawing.ts'
import { away, beat, during, going, piecesOf } from './pieces.ts'
import type { Scene } from './scene.ts'
import { person } from './person.ts'

/** A hand of the clock, radians from twelve. Not in RGB: ffmpeg 5.1 crashes on rotating that. */
const hand = (name: string, shape: string, angle: number): Thing => ({
  name,
  graph:
    `color=black@0:s=180x180:${once},format=yuva420p,drawbox=${shape}:color=0x22262a@1:t=fill:replace=1,` +
    `rotate=a=${angle}:c=none`,
  x: '1000',
  y: '105',
})

const { empty, come, works, drinks, go } = piecesOf({ empty: 4, come: 8, works: 4, drinks: 4, go: 8 })
const breath = '3*sin(2*PI*t)'
const seated = { x: 655, y: 790 }
const colleague = {
  x: during([
    [come, (s) => going(s, 1420, seated.x, 0, 5)],
    [works, () => String(seated.x)],
    [drinks, (s) => `${seated.x}+26*sin(PI*${s}/4)`],
    [go, (s) => going(s, seated.x, 1420, 2, 8)],
  ]),
  // A seated person is lower.
  y: during(
    [
      [come, (s) => going(s, 700, seated.y, 5, 6.4)],
      [works, () => `${seated.y}+${breath}`],
      [drinks, () => `${seated.y}+${breath}`],
      [go, (s) => going(s, seated.y, 700, 0.6, 2)],
    ],
    '0',
  ),
  stride: during(
    [
      [come, (s) => `lt(${s},5)`],
      [go, (s) => `gt(${s},2)`],
    ],
    '0',
  ),
}
const screen = (there: number): string =>
  during([
    [come, (s) => `if(gt(${s},6.6),${there},${away})`],
    [works, () => String(there)],
    [drinks, () => String(there)],
    [go, (s) => `if(lt(${s},0.5),${there},${away})`],
  ])
const page = [
  `color=0xf4f6f8:s=340x190:${once},format=yuv420p`,
  ...row(7, (i) => box(20, 22 + i * 22, 90 + ((i * 67) % 110), 8, '0x8b97a5')),
  ...row(5, (i) => box(240 + i * 17, 150 - ((i * 37) % 70), 11, 20 + ((i * 37) % 70), '0x4f86c6')),
].join(',')

/** A desk in an office: a colleague who comes, works, drinks coffee, goes. */
export const office: Scene = {
  backdrop: backdrop('0xcfd6d3', '0xaeb7b6', [
    box(0, 560, width, 160, '0x8b6a4b'),
    box(0, 553, width, 8, '0xf2efe9'),
    box(110, 120, 300, 210, '0xf7f7f4'),
    box(122, 132, 276, 186, '0x9cc7e6'),
    box(256, 132, 8, 186, '0xf7f7f4'),
    box(430, 500, 640, 24, '0x5a3f2b'),
    box(460, 524, 24, 140, '0x4a3323'),
    box(1016, 524, 24, 140, '0x4a3323'),
    box(560, 246, 364, 214, '0x222428'),
    box(572, 258, 340, 190, '0x30353b'),
    box(722, 460, 40, 30, '0x33363b'),
    box(672, 488, 140, 12, '0x33363b'),
    box(190, 470, 90, 110, '0xb2633f'),
  ]),
  stands: [
    disc('rim', '206x206', '0x2d3136', '987', '92', { sharpness: 24 }),
    disc('face', '190x190', '0xfafafa', '995', '100', { sharpness: 24 }),
    hand('short', 'x=86:y=34:w=8:h=60', 2),
    hand('long', 'x=87:y=12:w=5:h=80', 0.6),
  ],
  moves: [
    { name: 'page', graph: page, x: screen(572), y: '258' },
    block('cursor', '4x14', '0x30353b', `if(lt(mod(t,1),0.5),${screen(700)},${away})`, '174+258-132'),
    disc('plant', '210x190', '0x4f8a4c', `130+4*sin(2*PI*t/${beat})`, '310'),
    ...person('colleague', 400, { coat: '0x3c5f8a', legs: '0x2b3038', head: '0x6b4a38' }, colleague),
    block(
      'mug',
      '44x56',
      '0xe9e4da',
      during([[drinks, (s) => `972-270*sin(PI*${s}/4)`]], '972'),
      `444-${during([[drinks, (s) => `90*sin(PI*${s}/4)`]], '0')}`,
    ),
  ],
  // A clock, twice a second, and the hum of a screen.
  audio: `0.004*sin(2*PI*100*t)+0.12*exp(-160*mod(t,0.5))*sin(2*PI*(1900-500*gte(mod(t,1),0.5))*mod(t,0.5))`,
  story: [
    [empty, 4],
    [come, 1],
    [works, 14],
    [drinks, 1],
    [works, 16],
    [go, 1],
    [empty, 28],
  ],
}
