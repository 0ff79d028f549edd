import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeMediaSource, FakeVideo } from '../../../test/fake-media.ts'
import { FakeSocket } from '../../../test/fake-socket.ts'
import { createHlsPlayer } from './hls-player.ts'
import { createHlsTransport } from './hls-transport.ts'
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

/** Runs everything that is due now, and what follows from it. */
const settled = () => vi.advanceTimersByTimeAsync(0)

function propsFor(video: FakeVideo): { props: PlayerProps; states: LiveState[] } {
  const states: LiveState[] = []
  const props: PlayerProps = {
    video: video.element,
    url: new URL('wss://gatehouse/api/cameras/yard/live'),
    hls: new URL('https://gatehouse/api/cameras/yard/live/index.m3u8'),
    onState: (state) => states.push(state),
    refusalReason: () => Promise.resolve('unknown'),
    camera: () => Promise.resolve(undefined),
  }
  return { props, states }
}

/** Starts a player that has shown a frame. */
async function playing(video: FakeVideo) {
  const { props, states } = propsFor(video)
  const player = createPlayer(props)
  player.setWanted(true)
  const socket = FakeSocket.all.at(-1)!
  socket.open()
  socket.receive(JSON.stringify({ mime }))
  await settled()
  socket.receive(fragment())
  await settled()
  video.dispatchEvent(new Event('timeupdate'))
  return { player, socket, states }
}

/** Feeds a full buffer at playback second 30. @returns the buffer, and the errors it broke with */
async function feed(fragments: number, { stuck }: { stuck: boolean }) {
  const video = new FakeVideo()
  video.currentTime = 30
  const broken: unknown[] = []
  const media = createMediaBuffer(video.element, mime, (error) => broken.push(error))
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

describe('a full buffer', () => {
  test('is abandoned if removing played media frees nothing', async () => {
    const { buffer, broken } = await feed(3, { stuck: true })
    expect(broken).toEqual([expect.objectContaining({ name: 'QuotaExceededError' })])
    expect(buffer.appends).toBeLessThanOrEqual(2)
    expect(buffer.removals).toBe(1)
  })
  test('continues if removing played media frees something', async () => {
    const { buffer, broken } = await feed(3, { stuck: false })
    expect(broken).toEqual([])
    expect(buffer.ranges).toEqual([[29.5, 34]])
  })
  test('is abandoned if nothing was played yet', async () => {
    const video = new FakeVideo()
    const broken: unknown[] = []
    const media = createMediaBuffer(video.element, mime, (error) => broken.push(error))
    await settled()
    FakeMediaSource.last!.room = 0
    media.append(fragment())
    expect(broken).toHaveLength(1)
    expect(FakeMediaSource.last?.removals).toBe(0)
  })
  test('reports a lost connection, and the player reconnects after a while', async () => {
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

test('a refused connection is reported with its reason, not as a lost one, and retried', async () => {
  const { props, states } = propsFor(new FakeVideo())
  const refusal = { detail: 'You have 16 streams open.', reason: undefined }
  createPlayer({ ...props, refusalReason: () => Promise.resolve(refusal) }).setWanted(true)
  FakeSocket.all.at(-1)!.end()
  await settled()
  expect(states.at(-1)).toEqual({ kind: 'refused', ...refusal })
  await vi.advanceTimersByTimeAsync(2000)
  expect(states.at(-1)).toEqual({ kind: 'refused', ...refusal })
  expect(FakeSocket.all).toHaveLength(2)
})

describe('a paused video', () => {
  test('in picture-in-picture stays paused while data arrives, and resumes at the live edge', async () => {
    const video = new FakeVideo()
    const { socket, states } = await playing(video)
    page.pictureInPictureElement = video
    video.pause()
    const { played } = video
    for (let second = 0; second < 20; second++) {
      socket.receive(fragment())
      await vi.advanceTimersByTimeAsync(1000)
    }
    expect(video.paused).toBe(true)
    expect(video.played).toBe(played)
    expect(states.at(-1)?.kind).toBe('playing')

    await video.play()
    const { appends } = FakeMediaSource.last!
    socket.receive(fragment())
    expect(FakeMediaSource.last?.appends).toBe(appends + 1)
  })
  test('plays again once picture-in-picture is closed', async () => {
    const video = new FakeVideo()
    const { socket } = await playing(video)
    page.pictureInPictureElement = video
    video.pause()
    page.pictureInPictureElement = null
    socket.receive(fragment())
    expect(video.paused).toBe(false)
  })
  test('that the browser paused plays again with the next fragment', async () => {
    const video = new FakeVideo()
    const { socket } = await playing(video)
    video.pause()
    socket.receive(fragment())
    expect(video.paused).toBe(false)
  })
})

const loaded = () => Promise.resolve({ createHlsTransport })
const notLoaded = () => Promise.reject(new TypeError('Importing a module script failed.'))

describe('the code of native HLS', () => {
  test('that could not be loaded is loaded again after a while, then after a longer one', async () => {
    const video = new FakeVideo()
    const { props, states } = propsFor(video)
    const load = vi.fn(loaded).mockImplementationOnce(notLoaded).mockImplementationOnce(notLoaded)
    createHlsPlayer(props, load).setWanted(true)
    await settled()
    expect(states).toEqual([{ kind: 'lost' }])
    await vi.advanceTimersByTimeAsync(1500)
    expect(load).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(1500)
    expect(load).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(1500)
    expect(load).toHaveBeenCalledTimes(3)
    expect(video.src).toBe(props.hls.href)
    video.dispatchEvent(new Event('timeupdate'))
    expect(states.at(-1)?.kind).toBe('playing')
  })
  test('is loaded again as soon as the browser is online', async () => {
    const video = new FakeVideo()
    const { props } = propsFor(video)
    createHlsPlayer(props, vi.fn(loaded).mockImplementationOnce(notLoaded)).setWanted(true)
    await settled()
    window.dispatchEvent(new Event('online'))
    await settled()
    expect(video.src).toBe(props.hls.href)
  })
  test('is not loaded again once the player stopped', async () => {
    const load = vi.fn(notLoaded)
    const player = createHlsPlayer(propsFor(new FakeVideo()).props, load)
    player.setWanted(true)
    await settled()
    player.stop()
    window.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(load).toHaveBeenCalledTimes(1)
  })
  test('plays nothing if it arrives after the player stopped', async () => {
    const video = new FakeVideo()
    const player = createHlsPlayer(propsFor(video).props, loaded)
    player.setWanted(true)
    player.stop()
    await settled()
    expect(video.src).toBe('')
  })
})

test.each([
  ['with a media source', createPlayer],
  ['with native HLS', (props: PlayerProps) => createHlsPlayer(props, loaded)],
])('a player %s leaves no listener behind, however often it is created', async (_, create) => {
  const video = new FakeVideo()
  const types = ['error', 'timeupdate', 'waiting', 'pause', 'play', 'playing']
  const listeners = () => types.map((type) => video.listeners(type))
  const one = create(propsFor(video).props)
  one.setWanted(true)
  await settled()
  const ofOne = listeners()
  one.stop()
  for (let times = 0; times < 9; times++) {
    const player = create(propsFor(video).props)
    player.setWanted(true)
    await settled()
    player.stop()
  }
  const last = create(propsFor(video).props)
  last.setWanted(true)
  await settled()
  expect(listeners()).toEqual(ofOne)
  expect(ofOne.some((count) => count === 1)).toBe(true)
  last.stop()
  expect(listeners()).toEqual(types.map(() => 0))
})
