import type { DemoScene } from '../shared/camera-source.ts'

const width = 1280
const height = 720
/** Frames a second. */
export const frameRate = 12
/** Every movement comes round in this time, so that the loop has no seam. */
export const seconds = 20

/** Drawn once; then the same frame again and again, so that only what moves costs anything. */
const once = `r=${frameRate}:d=0.08`
const again = 'loop=-1:1'

const box = (x: number, y: number, w: number, h: number, colour: string): string =>
  `drawbox=x=${x}:y=${y}:w=${w}:h=${h}:color=${colour}:t=fill`

const row = (count: number, one: (index: number) => string): string[] => Array.from({ length: count }, (_, i) => one(i))

/** What stands still: a gradient from top to bottom with boxes on it. */
const backdrop = (top: string, bottom: string, boxes: readonly string[]): string =>
  `gradients=s=${width}x${height}:c0=${top}:c1=${bottom}:x0=0:y0=0:x1=0:y1=${height}:n=2:speed=0.00001:${once},` +
  `format=yuv420p,${boxes.join(',')},${again}[backdrop]`

interface Thing {
  readonly name: string
  readonly graph: string
  /** Expressions of `t`, seconds. */
  readonly x: string
  readonly y: string
}

/** An ellipse; the lower the sharpness, the softer its edge. */
function disc(
  name: string,
  size: string,
  colour: string,
  x: string,
  y: string,
  { alpha = 1, sharpness = 10 }: { alpha?: number; sharpness?: number } = {},
): Thing {
  const edge = `clip((1-hypot((X-W/2)/(W/2),(Y-H/2)/(H/2)))*${sharpness},0,1)`
  const graph =
    `color=${colour}:s=${size}:${once},format=yuva420p,` +
    `geq=lum='p(X,Y)':cb='p(X,Y)':cr='p(X,Y)':a='${Math.round(alpha * 255)}*${edge}',${again}`
  return { name, graph, x, y }
}

const block = (name: string, size: string, colour: string, x: string, y: string): Thing => ({
  name,
  graph: `color=${colour}:s=${size}:r=${frameRate}`,
  x,
  y,
})

/** A hand of the clock. Not in RGB: ffmpeg 5.1 crashes on rotating that. */
const hand = (name: string, shape: string, angle: string): Thing => ({
  name,
  graph:
    `color=black@0:s=180x180:${once},format=yuva420p,drawbox=${shape}:t=fill:replace=1,${again},` +
    `rotate=a='${angle}':c=none`,
  x: '1000',
  y: '105',
})

interface Scene {
  readonly backdrop: string
  /** From the back to the front. */
  readonly things: readonly Thing[]
}

const car = 'mod(t*190,1900)'
const passer = (offset: number): string => `if(lt(t,14),${offset}+1560*t/14,-400)`
const step = '8*abs(sin(2*PI*t))'
const sway = `240*sin(2*PI*t/${seconds})`

const scenes: Readonly<Record<DemoScene, Scene>> = {
  yard: {
    backdrop: backdrop('0x6fb1e8', '0xdff1fb', [
      box(0, 430, width, 290, '0x6f9f55'),
      box(0, 560, width, 90, '0x77777d'),
      ...row(10, (i) => box(i * 140, 603, 70, 5, '0xf0eec8')),
      box(820, 230, 330, 230, '0xe7d6bd'),
      box(800, 205, 370, 36, '0xa5543f'),
      box(860, 290, 80, 70, '0x9fd0e6'),
      box(1030, 290, 80, 70, '0x9fd0e6'),
      box(955, 350, 60, 110, '0x7b4b2f'),
      ...row(12, (i) => box(20 + i * 46, 400, 16, 70, '0xf4f1e6')),
      box(10, 420, 540, 10, '0xf4f1e6'),
      box(640, 330, 26, 130, '0x6b4a2f'),
    ]),
    things: [
      disc('sun', '150x150', '0xffe48a', '120', '60'),
      disc('cloud', '360x110', 'white', 'mod(t*82+200,1640)-360', '70', { alpha: 0.85, sharpness: 3 }),
      disc('wisp', '260x80', 'white', 'mod(t*77+900,1540)-260', '150', { alpha: 0.75, sharpness: 3 }),
      disc('tree', '230x210', '0x3f7d3a', '538+6*sin(2*PI*t/4)', '170'),
      disc('ball', '44x44', '0xe2483d', '260+170*sin(2*PI*t/5)', '470-110*abs(sin(2*PI*t/2))'),
      block('cab', '120x44', '0x9ad1ea', `${car}-255`, '520'),
      block('car', '230x62', '0xc23b33', `${car}-310`, '560'),
      disc('rear', '56x56', '0x202024', `${car}-285`, '600'),
      disc('front', '56x56', '0x202024', `${car}-160`, '600'),
    ],
  },
  door: {
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
    things: [
      disc('knob', '26x26', '0xe8c25a', '738', '330'),
      disc('glow', '620x620', '0xffb74f', '127+6*sin(2*PI*t)', '-110', { alpha: 0.42, sharpness: 1 }),
      disc('lamp', '46x46', '0xffe7a8', '414', '172'),
      disc('moth', '14x10', '0xfff3d0', '430+70*sin(2*PI*t/2)+20*sin(3*PI*t)', '195+50*cos(2*PI*t/2.5)'),
      disc('body', '150x330', '0x1b1826', passer(-200), `350+${step}`),
      disc('head', '74x84', '0x15131c', passer(-162), `282+${step}`),
      disc('cat', '120x52', '0x0f0d12', '1500-130*t', '640+5*sin(4*PI*t)'),
      disc('nose', '46x42', '0x0f0d12', '1474-130*t', '622+5*sin(4*PI*t)'),
    ],
  },
  office: {
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
      box(722, 460, 40, 30, '0x33363b'),
      box(672, 488, 140, 12, '0x33363b'),
      box(960, 440, 50, 60, '0xe9e4da'),
      box(190, 470, 90, 110, '0xb2633f'),
    ]),
    things: [
      disc('rim', '206x206', '0x2d3136', '987', '92', { sharpness: 24 }),
      disc('face', '190x190', '0xfafafa', '995', '100', { sharpness: 24 }),
      hand('short', 'x=86:y=34:w=8:h=60:color=0x22262a@1', `2*PI*t/${seconds}+2`),
      hand('long', 'x=87:y=12:w=5:h=80:color=0xd23b33@1', '2*PI*floor(t*2)/40'),
      {
        name: 'screen',
        graph:
          `mandelbrot=s=340x190:r=${frameRate}:start_scale=2.2:end_scale=0.004:end_pts=${seconds * frameRate}:` +
          'start_x=-0.7436:start_y=0.1318:maxiter=220,format=yuv420p',
        x: '572',
        y: '258',
      },
      disc('plant', '210x190', '0x4f8a4c', '130+8*sin(2*PI*t/5)', '310'),
      block('torso', '190x210', '0x3c5f8a', `430+${sway}`, '510+6*sin(2*PI*t)'),
      disc('head', '96x108', '0x6b4a38', `477+${sway}`, '415+6*sin(2*PI*t)', { sharpness: 12 }),
    ],
  },
}

/** The scene as one filter graph of ffmpeg, with the picture at `[v]`. It draws no text: that would need a font. */
export function demoGraph(scene: DemoScene): string {
  const { backdrop, things } = scenes[scene]
  const drawn = things.map(({ name, graph }) => `${graph}[${name}]`)
  const placed = things.map(({ name, x, y }, i) => {
    const below = i === 0 ? 'backdrop' : `on${i - 1}`
    return `[${below}][${name}]overlay=x='${x}':y='${y}':eval=frame[on${i}]`
  })
  return [backdrop, ...drawn, ...placed, `[on${things.length - 1}]trim=duration=${seconds},format=yuv420p[v]`].join(';')
}

/** Samples a second. 625 frames of AAC are then just as long as a scene, so that the loop has no seam. */
export const soundRate = 32_000
export const soundFrames = (seconds * soundRate) / 1024

const swell = (every: number): string => `(0.6+0.4*sin(2*PI*t/${every}))`
/** A short sound that fades, from a time on. */
const struck = (at: string, tone: string, fade: number): string => `exp(-${fade}*mod(${at},${seconds}))*${tone}`
const chirp = (at: number): string =>
  `0.05*between(mod(t,10),${at},${at + 0.16})*sin(2*PI*(2600+9000*mod(t-${at},10))*mod(t-${at},10))`

/** Soft, and each comes round within the scene. */
const sounds: Readonly<Record<DemoScene, string>> = {
  // Wind, and a bird now and then.
  yard: `0.05*${swell(10)}*(random(0)+random(1)+random(2)-1.5)+${[2, 2.3, 2.6, 6.5, 6.8].map(chirp).join('+')}`,
  // Crickets, and two knocks by whoever comes.
  door:
    `0.012*sin(2*PI*4200*t)*gt(sin(2*PI*16*t),0)*gt(sin(2*PI*t/2),0.3)+` +
    [15, 15.35].map((at) => `0.25*gte(t,${at})*${struck(`t-${at}`, 'sin(2*PI*140*t)', 30)}`).join('+'),
  // A clock, twice a second, and the hum of a screen.
  office:
    `0.004*sin(2*PI*100*t)+` +
    `0.12*exp(-160*mod(t,0.5))*sin(2*PI*(1900-500*gte(mod(t,1),0.5))*mod(t,0.5))`,
}

/** The scene's sound as one source of ffmpeg. */
export const demoSound = (scene: DemoScene): string =>
  `aevalsrc=exprs='${sounds[scene]}':s=${soundRate}:d=${seconds + 1}`
