import { execFileSync } from 'node:child_process'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { liveInnerRoutes } from '../src/cameras/remote/live.inner-routes.ts'
import { createRemoteVideo, type RemoteVideo } from '../src/cameras/remote/remote-video.ts'
import { createBroadcaster, type Broadcaster } from '../src/media/live/broadcaster.ts'
import type { Viewer } from '../src/media/live/viewers.ts'
import { createFmp4Parser } from '../src/media/mp4/fmp4-parser.ts'
import type { Fragment } from '../src/media/mp4/fragment.ts'
import type { InitSegment } from '../src/media/mp4/init-segment.ts'
import { encodeFrame } from '../src/shared/cluster/message-frames.ts'
import type { InnerRoute } from '../src/shared/cluster/inner-route.ts'
import { systemRandom } from '../src/shared/random.ts'
import { onTestFinishedOrLater, stopAll } from './support/cleanups.ts'
import { innerWorld, startInnerInstance, type InnerInstance, type InnerWorld } from './support/inner-instances.ts'
import { silent } from './support/null-log.ts'
import { program } from './support/programs.ts'
import { cameraKey } from '../src/shared/camera/camera-keys.ts'

const ffmpeg = program('ffmpeg')
let init: InitSegment
/** Ten frames, the first of which is a key frame. */
let fragments: Fragment[]

beforeAll(() => {
  const flags = ['-movflags', '+frag_every_frame+empty_moov+default_base_moof', '-f', 'mp4', 'pipe:1']
  const source = [
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=320x180:rate=10:duration=1',
    '-c:v',
    'libx264',
    '-g',
    '10',
    '-bf',
    '0',
  ]
  fragments = []
  const parser = createFmp4Parser({ init: (made) => void (init = made), fragment: (made) => void fragments.push(made) })
  parser.write(execFileSync(ffmpeg!, ['-v', 'error', ...source, ...flags]))
})
afterAll(stopAll)

interface SeenViewer extends Viewer {
  waiting: number
  readonly got: (string | Buffer)[]
  readonly closed: number[]
  leave(): void
}
function viewer(): SeenViewer {
  const leaving: (() => void)[] = []
  const seen: SeenViewer = {
    waiting: 0,
    got: [],
    closed: [],
    send: (data) => void seen.got.push(typeof data === 'string' ? data : Buffer.from(data)),
    onClose: (done) => void leaving.push(done),
    close: (code) => void seen.closed.push(code),
    leave: () => leaving.forEach((leave) => leave()),
  }
  return seen
}

interface Owner {
  readonly instance: InnerInstance
  readonly broadcaster: Broadcaster
  /** Requests for frames. */
  frames: number
  isHere: boolean
}
async function startOwner(id: string, world: InnerWorld, more: readonly InnerRoute[] = []): Promise<Owner> {
  const broadcaster = createBroadcaster()
  const owner = { broadcaster, frames: 0, isHere: true }
  const cameras = {
    isHere: (name: string) => owner.isHere && name === 'yard',
    lend: (_name: string, to: Viewer) => broadcaster.join(to, '{"state":"connecting"}', true),
    frameOf() {
      owner.frames++
      return Promise.resolve({ mp4: [init.data, fragments[0]!.data], at: 42 })
    },
  }
  const keys = {
    keyOf: (name: string) => cameraKey(`key of ${name}`),
    nameOf: (key: string) => key.replace('key of ', ''),
  }
  const routes = more.length > 0 ? more : liveInnerRoutes({ cameras, keys, clock: world.clock })
  return Object.assign(owner, { instance: await startInnerInstance(id, world, { routes }) })
}

let world: InnerWorld
let owner: Owner
let broadcaster: Broadcaster
let video: RemoteVideo
beforeEach(async () => {
  world = innerWorld()
  owner = await startOwner('owner', world)
  const gate = await startInnerInstance('gate', world)
  broadcaster = createBroadcaster()
  video = createRemoteVideo({
    camera: () => cameraKey('key of yard'),
    client: gate.client,
    broadcaster,
    awayNotice: () => 'away',
    clock: world.clock,
    log: silent,
    random: systemRandom,
  })
  video.from('owner')
  onTestFinishedOrLater(() => Promise.resolve(video.from(undefined)))
})

const soon = { timeout: 120_000, interval: 10 }
/** A viewer at the gate, as a shared camera has it. */
function watch(): SeenViewer {
  const each = viewer()
  each.onClose(video.demand())
  broadcaster.join(each, 'connecting', true)
  return each
}
const play = (from: Owner, count = fragments.length) => {
  from.broadcaster.begin(init)
  for (const fragment of fragments.slice(0, count)) from.broadcaster.push(fragment, world.clock.now())
}
const mime = () => JSON.stringify({ mime: init.mime })
const everything = () => [mime(), init.data, ...fragments.map(({ data }) => data)]

describe.skipIf(ffmpeg === undefined)('[NODE-3] live video of another instance', () => {
  test('viewers get the same bytes as at the instance that pulls the camera, over one stream', async () => {
    play(owner, 3)
    const viewers = [watch(), watch()]
    await expect.poll(() => viewers.map(({ got }) => got.length), soon).toEqual([6, 6])
    expect(owner.broadcaster.viewers).toBe(1)
    for (const fragment of fragments.slice(3)) owner.broadcaster.push(fragment, world.clock.now())
    for (const { got } of viewers) {
      await expect.poll(() => got.length, soon).toBe(13)
      expect(got).toEqual(['connecting', ...everything()])
    }
    const late = watch()
    expect(late.got).toEqual(everything())
    expect(broadcaster.held?.init.tracks).toEqual(init.tracks)
  })

  test('the stream ends some seconds after the last viewer has left, and begins again for the next one', async () => {
    play(owner)
    const [one, other] = [watch(), watch()]
    await expect.poll(() => owner.broadcaster.viewers, soon).toBe(1)
    one.leave()
    await world.clock.advance(20_000)
    expect(owner.broadcaster.viewers).toBe(1)
    other.leave()
    other.leave()
    await world.clock.advance(9_000)
    expect(owner.broadcaster.viewers).toBe(1)
    await world.clock.advance(1_100)
    await expect.poll(() => owner.broadcaster.viewers, soon).toBe(0)
    expect(broadcaster.held).toBeUndefined()
    const next = watch()
    await expect.poll(() => next.got.length, soon).toBe(13)
  })

  test('a viewer stays when the camera moves to another instance, and its new stream begins', async () => {
    const successor = await startOwner('successor', world)
    play(owner)
    const stays = watch()
    await expect.poll(() => stays.got.length, soon).toBe(13)
    play(successor)
    video.from('successor')
    await expect.poll(() => stays.got.slice(13), soon).toEqual(everything())
    await expect.poll(() => owner.broadcaster.viewers, soon).toBe(0)
    expect(stays.closed).toEqual([])
  })

  test('a viewer is notified while the instance is unavailable, and gets video again when it is back', async () => {
    play(owner)
    const stays = watch()
    await expect.poll(() => stays.got.length, soon).toBe(13)
    owner.instance.stop()
    await expect.poll(() => stays.got.slice(13), soon).toEqual(['away'])
    expect(broadcaster.held).toBeUndefined()
    play(await startOwner('owner', world))
    await expect.poll(() => stays.got.slice(-12), soon).toEqual(everything())
    expect(stays.closed).toEqual([])
  })

  test('a network that hangs is noticed within seconds', async () => {
    const line = await startLine(owner.instance.port)
    world.addresses.set('owner', `https://127.0.0.1:${line.port}`)
    play(owner)
    const stays = watch()
    await expect.poll(() => stays.got.length, soon).toBe(13)
    line.pause()
    await world.clock.advance(8_000)
    await expect.poll(() => stays.got.slice(13), soon).toContainEqual('away')
  })

  test('a slow network skips frames: what waits for it is bounded', async () => {
    const line = await startLine(owner.instance.port)
    world.addresses.set('owner', `https://127.0.0.1:${line.port}`)
    let waiting = 0
    const { join } = owner.broadcaster
    owner.broadcaster.join = (to, ...more) => {
      join(to, ...more)
      owner.broadcaster.follow({
        begin: () => {},
        fragment: () => void (waiting = Math.max(waiting, to.waiting)),
        end: () => {},
      })
    }
    play(owner)
    const stays = watch()
    await expect.poll(() => stays.got.length, soon).toBe(13)
    line.pause()
    const large = { ...fragments[0]!, data: padded(fragments[0]!.data, 400_000) }
    for (let frame = 0; frame < 200; frame++) owner.broadcaster.push(large, world.clock.now())
    expect(waiting).toBeGreaterThan(1 << 20)
    expect(waiting).toBeLessThan(2 << 20)
  })

  test('a snapshot is requested once per second, without opening the stream; while the instance is unavailable, it is the last one', async () => {
    const frames = await Promise.all([video.frame(), video.frame()])
    expect(frames[0]).toEqual({ mp4: [init.data, fragments[0]!.data], at: 42 })
    expect(frames[1]).toEqual(frames[0])
    expect([owner.frames, owner.broadcaster.viewers]).toEqual([1, 0])
    await world.clock.advance(1_100)
    await video.frame()
    expect(owner.frames).toBe(2)
    owner.instance.stop()
    await world.clock.advance(1_100)
    expect(await video.frame()).toEqual(frames[0])
    play(owner)
  })

  test('an instance that no longer pulls the camera sends nothing of it', async () => {
    play(owner)
    owner.isHere = false
    const one = watch()
    await expect.poll(() => one.got, soon).toEqual(['connecting', 'away'])
    expect(owner.broadcaster.viewers).toBe(0)
    expect(await video.frame()).toBeUndefined()
  })

  test.each<[string, () => Buffer[]]>([
    ['bytes that aren’t messages', () => [Buffer.from('HTTP/1.1 200 OK\r\n\r\n')]],
    ['a message that is too long', () => [Buffer.from([2, 255, 255, 255, 255])]],
    ['a fragment before its init segment', () => [encodeFrame(fragments[0]!.data)]],
    ['an init segment that isn’t one', () => ['{"mime":"video/mp4"}', Buffer.from('not an MP4 file')].map(encodeFrame)],
    ['a fragment that isn’t one', () => ['{"mime":"video/mp4"}', init.data, Buffer.alloc(40, 255)].map(encodeFrame)],
  ])('a stream with %s ends, and viewers are notified', async (_what, sent) => {
    let requests = 0
    const handle = () => {
      requests++
      return { body: Buffer.concat(sent()) }
    }
    await startOwner('broken', world, [{ path: '/live', action: 'live', scope: 'camera', handle }])
    video.from('broken')
    const one = watch()
    await expect.poll(() => one.got.includes('away'), soon).toBe(true)
    expect(broadcaster.held).toBeUndefined()
    await world.clock.advance(1_000)
    await expect.poll(() => requests, soon).toBeGreaterThan(1)
  })
})

/** The fragment with more bytes in its `mdat`. */
function padded(data: Buffer, bytes: number): Buffer {
  const moof = data.readUInt32BE(0)
  const made = Buffer.concat([data, Buffer.alloc(bytes)])
  made.writeUInt32BE(made.length - moof, moof)
  return made
}

/** A TCP relay that can stop carrying anything, without closing. */
async function startLine(to: number) {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    for (const [from, towards] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => undefined)
      from.once('close', () => towards.destroy())
      from.pipe(towards)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinishedOrLater(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
    return Promise.resolve()
  })
  return {
    port: (server.address() as AddressInfo).port,
    pause() {
      for (const socket of sockets) {
        socket.unpipe()
        socket.pause()
      }
      server.removeAllListeners('connection')
    },
  }
}
