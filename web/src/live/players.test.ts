import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeMediaSource, FakeSocket, FakeVideo } from './fake-media.ts'
import { createHlsPlayer } from './hls-player.ts'
import type { LiveState, PlayerProps } from './player-types.ts'
import { createMediaBuffer } from './media-buffer.ts'
import { createPlayer } from './mse-player.ts'

const mime = 'video/mp4; codecs="avc1.4D401F"'
const fragment = () => new ArrayBuffer(1000)

const page = { pictureInPictureElement: null as unknown }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('MediaSource', FakeMediaSource)
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:fed')
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue(undefined)
  FakeSocket.all = []
  FakeMediaSource.room = Number.POSITIVE_INFINITY
  page.pictureInPictureElement = null
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Whatever is due at this moment, and what follows from it. */
const settled = () => vi.advanceTimersByTimeAsync(0)

function partsFor(video: FakeVideo): { parts: PlayerProps; states: LiveState[] } {
  const states: LiveState[] = []
  const parts: PlayerProps = {
    video: video.element,
    url: new URL('wss://gatehouse/api/cameras/yard/live'),
    hls: new URL('https://gatehouse/api/cameras/yard/live/index.m3u8'),
    onState: (state) => states.push(state),
    refusalReason: () => Promise.resolve('unknown'),
    camera: () => Promise.resolve(undefined),
  }
  return { parts, states }
}

/** A player whose picture moves. */
async function playing(video: FakeVideo) {
  const { parts, states } = partsFor(video)
  const player = createPlayer(parts)
  player.setWanted(true)
  const socket = FakeSocket.all.at(-1)!
  socket.open()
  socket.announce(JSON.stringify({ mime }))
  await settled()
  socket.announce(fragment())
  await settled()
  video.dispatchEvent(new Event('timeupdate'))
  return { player, socket, states }
}

/** Feeds a full buffer at 30 seconds of playing. @returns how often something was tried, and why it broke */
async function feed(fragments: number, { stuck }: { stuck: boolean }) {
  const video = new FakeVideo()
  video.currentTime = 30
  const broken: unknown[] = []
  const media = createMediaBuffer(video.element, mime, (why) => broken.push(why))
  await settled()
  const buffer = FakeMediaSource.last!
  buffer.ranges = [[0, 31]]
  buffer.room = 31
  buffer.stuck = stuck
  for (let at = 0; at < fragments; at++) {
    media.append(fragment())
    await settled()
  }
  return { buffer, broken }
}

describe('a buffer without room', () => {
  test('is given up where removing what was played frees nothing', async () => {
    const { buffer, broken } = await feed(3, { stuck: true })
    expect(broken).toEqual([expect.objectContaining({ name: 'QuotaExceededError' })])
    expect(buffer.appends).toBeLessThanOrEqual(2)
    expect(buffer.removals).toBe(1)
  })
  test('goes on where it frees something', async () => {
    const { buffer, broken } = await feed(3, { stuck: false })
    expect(broken).toEqual([])
    expect(buffer.ranges).toEqual([[29.5, 34]])
  })
  test('is given up where nothing was played yet', async () => {
    const video = new FakeVideo()
    const broken: unknown[] = []
    const media = createMediaBuffer(video.element, mime, (why) => broken.push(why))
    await settled()
    FakeMediaSource.last!.room = 0
    media.append(fragment())
    expect(broken).toHaveLength(1)
    expect(FakeMediaSource.last?.removals).toBe(0)
  })
  test('is told, and the stream begins again after a while', async () => {
    FakeMediaSource.room = 0
    const video = new FakeVideo()
    const { socket, states } = await playing(video)
    expect(states.at(-1)).toEqual({ kind: 'lost' })
    expect(socket.closed).toBe(true)
    expect(FakeSocket.all).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2000)
    expect(FakeSocket.all).toHaveLength(2)
  })
})

describe('a video that was paused', () => {
  test('in a window of the browser’s own stays paused while more comes, and goes on from the present', async () => {
    const video = new FakeVideo()
    const { socket, states } = await playing(video)
    page.pictureInPictureElement = video
    video.pause()
    const { played } = video
    for (let second = 0; second < 20; second++) {
      socket.announce(fragment())
      await vi.advanceTimersByTimeAsync(1000)
    }
    expect(video.paused).toBe(true)
    expect(video.played).toBe(played)
    expect(states.at(-1)?.kind).toBe('playing')

    await video.play()
    const { appends } = FakeMediaSource.last!
    socket.announce(fragment())
    expect(FakeMediaSource.last?.appends).toBe(appends + 1)
  })
  test('plays again once that window is closed', async () => {
    const video = new FakeVideo()
    const { socket } = await playing(video)
    page.pictureInPictureElement = video
    video.pause()
    page.pictureInPictureElement = null
    socket.announce(fragment())
    expect(video.paused).toBe(false)
  })
  test('by the browser plays again with what comes next', async () => {
    const video = new FakeVideo()
    const { socket } = await playing(video)
    video.pause()
    socket.announce(fragment())
    expect(video.paused).toBe(false)
  })
})

test.each([
  ['fed by hand', createPlayer],
  ['that plays HLS', createHlsPlayer],
])('a player %s leaves no listener behind, however often it is made', async (_, create) => {
  const video = new FakeVideo()
  const types = ['error', 'timeupdate', 'waiting', 'pause', 'play', 'playing']
  const listeners = () => types.map((type) => video.listeners(type))
  const one = create(partsFor(video).parts)
  one.setWanted(true)
  const ofOne = listeners()
  one.stop()
  for (let times = 0; times < 9; times++) {
    const player = create(partsFor(video).parts)
    player.setWanted(true)
    player.stop()
  }
  const last = create(partsFor(video).parts)
  last.setWanted(true)
  expect(listeners()).toEqual(ofOne)
  expect(ofOne.some((count) => count === 1)).toBe(true)
  last.stop()
  expect(listeners()).toEqual(types.map(() => 0))
})
