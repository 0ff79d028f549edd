import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/**
 * A fake camera on loopback: RTSP over TCP, Digest login, H.264 or H.265, and optional audio. It can also misbehave in
 * the ways real cameras do.
 */
export interface RtspCamera {
  readonly port: number
  readonly user: string
  readonly password: string
  /** Its URL, with the right credentials unless another password is given. */
  url(password?: string): string
  /** Viewers that are receiving frames. */
  readonly playing: number
  /** The number of connections so far with the right credentials. */
  readonly connections: number
  /** The requests that it rejected because of their credentials, or because they had none. */
  readonly rejected: readonly string[]
  /** Keeps its connections and stops sending, between two frames or in the middle of one. */
  stall(midFrame?: boolean): void
  resume(): void
  /** Sends frames without audio; or audio again. */
  mute(muted: boolean): void
  /** Drops its connections and refuses new ones. */
  die(): Promise<void>
  listen(): Promise<void>
  /**
   * Sends frames of another size from the next key frame on, in the same session. They are encoded synchronously, which
   * blocks every camera of this process, unless {@link makeVideo} has encoded them before.
   */
  resize(size: string): void
  /** Drops its connections; later connections get frames in another format. */
  changeCodec(codec: Codec, size: string): void
  /** Sends noise instead of frames; or frames again. */
  sendNoise(noisy: boolean): void
  /** Continues in the same connections with another SSRC and other sequence numbers, as a restarted encoder does. */
  renumber(): void
  stop(): Promise<void>
}

export interface RtspCameraOptions {
  readonly ffmpeg?: string
  readonly user?: string
  readonly password?: string
  readonly size?: string
  readonly codec?: Codec
  /** Sends its parameter sets in the SDP; otherwise only with each key frame, as many cameras do. */
  readonly setsInSdp?: boolean
  /** Its video, as a source of ffmpeg's `lavfi`: seconds of it, looped. */
  readonly scene?: Scene
  /** Its audio codec, a tone; `broken`: announced as AAC, but noise. undefined: no audio is announced. */
  readonly audio?: AudioCodec
  /** Announces its audio but sends none, until that is changed. */
  readonly muted?: boolean
  /** Frames from one key frame to the next: a second of them unless given. The scene has to be a multiple as long. */
  readonly keyEvery?: number
  /** RTP time stamp of a frame by its number: at the clock rate unless given. */
  readonly timestampOf?: (frame: number) => number
  /** More options for the encoder. */
  readonly encoding?: readonly string[]
  /** Those that it lists for Digest; it accepts MD5 only. */
  readonly algorithms?: readonly string[]
}

type Codec = 'h264' | 'h265'
type AudioCodec = 'pcma' | 'pcmu' | 'aac' | 'broken'
interface Scene {
  readonly source: (size: string, rate: number) => string
  readonly seconds: number
}

const rate = 10
const clockRate = 90_000
const packetSize = 1400

const testScene: Scene = { source: (size, rate) => `testsrc2=s=${size}:r=${rate}`, seconds: 3 }

/** Frames as lists of NAL units, encoded once per size. The first is a key frame; there is one every second. */
const videos = new Map<string, Buffer[][]>()

const encoders: Record<Codec, readonly string[]> = {
  h264: [
    ['-c:v', 'libx264', '-preset', 'ultrafast', '-profile:v', 'baseline'],
    ['-x264-params', 'slices=1:sliced-threads=0:repeat-headers=1:scenecut=0', '-f', 'h264'],
  ].flat(),
  h265: [
    ['-c:v', 'libx265', '-preset', 'ultrafast'],
    ['-x265-params', 'repeat-headers=1:scenecut=0:bframes=0:log-level=error', '-f', 'hevc'],
  ].flat(),
}

/** ITU-T H.264, table 7-1, and H.265, table 7-1. */
const kindOf = (unit: Buffer, codec: Codec): number => (codec === 'h264' ? unit[0]! & 0x1f : (unit[0]! >> 1) & 0x3f)
const isSlice = (kind: number, codec: Codec): boolean => (codec === 'h264' ? [1, 5].includes(kind) : kind < 32)
const isParameterSet = (kind: number, codec: Codec): boolean =>
  (codec === 'h264' ? [7, 8] : [32, 33, 34]).includes(kind)

/** Encodes video that a camera will switch to. */
export const makeVideo = (ffmpeg: string, size: string, codec: Codec = 'h264'): void =>
  void videoOf(size, ffmpeg, codec, testScene)

interface Encoding {
  readonly keyEvery: number
  readonly more: readonly string[]
}

const usual: Encoding = { keyEvery: rate, more: [] }

function videoOf(
  size: string,
  ffmpeg: string,
  codec: Codec,
  scene: Scene,
  { keyEvery, more }: Encoding = usual,
): Buffer[][] {
  const source = scene.source(size, rate)
  const key = [codec, source, keyEvery, ...more].join(' ')
  let frames = videos.get(key)
  if (!frames) {
    const args = [
      ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', source, '-t', String(scene.seconds), '-pix_fmt', 'yuv420p'],
      [...encoders[codec], '-g', String(keyEvery), ...more, 'pipe:1'],
    ].flat()
    const { stdout, stderr } = spawnSync(ffmpeg, args, { maxBuffer: 64 << 20 })
    frames = framesIn(stdout, codec)
    if (frames.length === 0) throw new Error(`no video for the camera: ${stderr.toString()}`)
    videos.set(key, frames)
  }
  return frames
}

/** Splits an Annex B stream into frames of one slice each. */
function framesIn(stream: Buffer, codec: Codec): Buffer[][] {
  const frames: Buffer[][] = []
  let units: Buffer[] = []
  let start = -1
  for (let at = 0; at + 3 <= stream.length; at++) {
    const begins = stream[at] === 0 && stream[at + 1] === 0 && stream[at + 2] === 1
    if (!begins && at + 3 < stream.length) continue
    if (start >= 0) {
      let end = begins ? at : stream.length
      while (stream[end - 1] === 0) end--
      const unit = stream.subarray(start, end)
      units.push(unit)
      if (isSlice(kindOf(unit, codec), codec)) {
        frames.push(units)
        units = []
      }
    }
    start = at + 3
  }
  return frames
}

interface Tone {
  /** The payload of one packet. */
  readonly frames: readonly Buffer[]
  /** Samples per packet, and per second. */
  readonly samples: number
  readonly rate: number
  readonly payloadType: number
  readonly described: readonly string[]
}

const tones = new Map<AudioCodec, Tone>()

function toneOf(codec: AudioCodec, ffmpeg: string): Tone {
  let tone = tones.get(codec)
  if (!tone) {
    tone = codec === 'pcma' || codec === 'pcmu' ? telephoneTone(ffmpeg, codec) : aacTone(ffmpeg, codec === 'broken')
    tones.set(codec, tone)
  }
  return tone
}

function toneFrom(ffmpeg: string, samplesPerSecond: number, ...format: readonly string[]): Buffer {
  const input = ['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', `sine=440:r=${samplesPerSecond}:d=4`]
  return spawnSync(ffmpeg, [...input, '-ac', '1', ...format, 'pipe:1'], { maxBuffer: 8 << 20 }).stdout
}

/** G.711: A-law and µ-law each have a static payload type (RFC 3551). */
function telephoneTone(ffmpeg: string, codec: 'pcma' | 'pcmu'): Tone {
  const samples = 160
  const payloadType = codec === 'pcma' ? 8 : 0
  const all = toneFrom(ffmpeg, 8000, '-f', codec === 'pcma' ? 'alaw' : 'mulaw')
  const frames = Array.from({ length: Math.floor(all.length / samples) }, (_, i) =>
    all.subarray(i * samples, (i + 1) * samples),
  )
  const described = [`m=audio 0 RTP/AVP ${payloadType}`, `a=rtpmap:${payloadType} ${codec.toUpperCase()}/8000`]
  return { frames, samples, rate: 8000, payloadType, described }
}

/** AAC of 16 kHz and one channel, each frame with the header of RFC 3640. */
function aacTone(ffmpeg: string, broken: boolean): Tone {
  const all = toneFrom(ffmpeg, 16_000, '-c:a', 'aac', '-b:a', '32k', '-f', 'adts')
  const frames: Buffer[] = []
  for (let at = 0; at + 7 <= all.length;) {
    const length = ((all[at + 3]! & 3) << 11) | (all[at + 4]! << 3) | (all[at + 5]! >> 5)
    const frame = broken ? randomBytes(100) : all.subarray(at + 7, at + length)
    frames.push(Buffer.concat([Buffer.from([0, 16, frame.length >> 5, (frame.length & 31) << 3]), frame]))
    at += length
  }
  const described = [
    'm=audio 0 RTP/AVP 97',
    'a=rtpmap:97 MPEG4-GENERIC/16000/1',
    'a=fmtp:97 streamtype=5;profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1408',
  ]
  return { frames, samples: 1024, rate: 16_000, payloadType: 97, described }
}

export async function startRtspCamera({
  ffmpeg = 'ffmpeg',
  user = 'cam',
  // Its own password, so that a client of an earlier camera on this port can't connect.
  password = `pass:w/rd-${randomBytes(4).toString('hex')}`,
  size = '320x240',
  codec: codecAtFirst = 'h264',
  setsInSdp = true,
  scene = testScene,
  audio,
  muted: mutedAtFirst = false,
  keyEvery = rate,
  timestampOf = (number) => (number * clockRate) / rate,
  encoding = [],
  algorithms = ['MD5'],
}: RtspCameraOptions = {}): Promise<RtspCamera> {
  const realm = 'camera'
  const nonce = randomBytes(8).toString('hex')
  const sockets = new Set<Socket>()
  const players = new Set<Player>()
  let codec = codecAtFirst
  const made = { keyEvery, more: encoding }
  let video = videoOf(size, ffmpeg, codec, scene, made)
  let next: Buffer[][] | undefined
  let stalled: boolean | 'mid-frame' = false
  let noisy = false
  let connections = 0
  const rejected: string[] = []
  let frame = 0
  const tone = audio && toneOf(audio, ffmpeg)
  let muted = mutedAtFirst
  let toneFrame = 0

  const sendFrame = (): void => {
    if (next && frame % keyEvery === 0) {
      video = next
      next = undefined
    }
    const units = video[frame % video.length]!
    const sent = noisy ? units.map((unit) => Buffer.concat([unit.subarray(0, 2), randomBytes(unit.length)])) : units
    for (const player of players) player.send(sent, timestampOf(frame), codec, stalled === 'mid-frame')
    if (stalled) stalled = true
    frame++
    if (!tone) return
    for (; (toneFrame * tone.samples) / tone.rate < frame / rate; toneFrame++) {
      const payload = tone.frames[toneFrame % tone.frames.length]!
      for (const player of muted ? [] : players) player.audio(payload, tone.payloadType, toneFrame * tone.samples)
    }
  }
  // What a busy machine delays is sent late, as by a real camera, which doesn't run slower because of it.
  let sentUntil = performance.now()
  const tick = setInterval(() => {
    for (; sentUntil < performance.now(); sentUntil += 1000 / rate) if (stalled !== true) sendFrame()
  }, 1000 / rate)

  const serve = (socket: Socket): void => {
    sockets.add(socket)
    const player = createPlayer(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      players.delete(player)
    })
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      // Other data from the client, such as receiver reports, is skipped.
      for (;;) {
        if (text.startsWith('$')) {
          if (text.length < 4) return
          const length = 4 + (text.charCodeAt(2) << 8) + text.charCodeAt(3)
          if (text.length < length) return
          text = text.slice(length)
          continue
        }
        const end = text.indexOf('\r\n\r\n')
        if (end < 0) return
        respond(text.slice(0, end))
        text = text.slice(end + 4)
      }
    })

    const respond = (request: string): void => {
      const [method = '', address = ''] = request.split(' ')
      const header = (name: string): string => new RegExp(`^${name}: *(.*)$`, 'im').exec(request)?.[1]?.trim() ?? ''
      const reply = (status: string, headers: readonly string[] = [], body = ''): void => {
        const all = [`RTSP/1.0 ${status}`, `CSeq: ${header('CSeq')}`, ...headers]
        if (body) all.push(`Content-Length: ${body.length}`)
        socket.write(`${all.join('\r\n')}\r\n\r\n${body}`)
      }
      if (method === 'OPTIONS') return reply('200 OK', ['Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN'])
      if (!canEnter(method, header('Authorization'))) {
        rejected.push(request)
        const challenge = `WWW-Authenticate: Digest realm="${realm}", nonce="${nonce}", algorithm=`
        return reply(
          '401 Unauthorized',
          algorithms.map((name) => challenge + name),
        )
      }
      switch (method) {
        case 'DESCRIBE':
          connections++
          return reply(
            '200 OK',
            ['Content-Type: application/sdp', `Content-Base: ${address}/`],
            describe(setsInSdp ? video : undefined, codec, tone),
          )
        case 'SETUP':
          return reply('200 OK', [
            `Transport: RTP/AVP/TCP;unicast;interleaved=${address.endsWith('track2') ? '2-3' : '0-1'}`,
            'Session: 1;timeout=60',
          ])
        case 'PLAY':
          reply('200 OK', ['Session: 1', 'Range: npt=now-'])
          players.add(player)
          return
        case 'TEARDOWN':
          players.delete(player)
          return reply('200 OK', ['Session: 1'])
        default:
          return reply('200 OK', ['Session: 1'])
      }
    }
  }

  const canEnter = (method: string, authorization: string): boolean => {
    const field = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(authorization)?.[1] ?? ''
    const secret = md5(`${user}:${realm}:${password}`)
    const expected = md5(`${secret}:${nonce}:${md5(`${method}:${field('uri')}`)}`)
    return authorization.startsWith('Digest ') && field('response') === expected
  }

  let server: Server
  let port = 0
  const listen = async (): Promise<void> => {
    server = createServer(serve)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }
  const die = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  await listen()

  return {
    get port() {
      return port
    },
    user,
    password,
    url: (given = password) => `rtsp://${user}:${encodeURIComponent(given)}@127.0.0.1:${port}/stream1`,
    get playing() {
      return players.size
    },
    get connections() {
      return connections
    },
    rejected,
    stall: (midFrame = false) => void (stalled = midFrame ? 'mid-frame' : true),
    resume: () => void (stalled = false),
    mute: (next) => void (muted = next),
    die,
    listen,
    resize: (to) => void (next = videoOf(to, ffmpeg, codec, scene, made)),
    changeCodec(to, size) {
      video = videoOf(size, ffmpeg, to, scene, made)
      codec = to
      for (const socket of sockets) socket.destroy()
    },
    sendNoise: (now) => void (noisy = now),
    renumber() {
      for (const player of players) player.renumber()
    },
    async stop() {
      clearInterval(tick)
      await die()
    },
  }
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** @param video undefined: the parameter sets are not announced. */
function describe(video: readonly Buffer[][] | undefined, codec: Codec, tone: Tone | undefined): string {
  const units = video?.[0]?.filter((unit) => isParameterSet(kindOf(unit, codec), codec)) ?? []
  const sets = units.map((unit) => unit.toString('base64'))
  const [vps, sps, pps] = sets
  const reported =
    codec === 'h264' ? `sprop-parameter-sets=${sets.join(',')}` : `sprop-vps=${vps};sprop-sps=${sps};sprop-pps=${pps}`
  const mode = codec === 'h264' ? ['packetization-mode=1'] : []
  const format = [...mode, ...(video ? [reported] : [])].join(';')
  return [
    ['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=camera', 'c=IN IP4 0.0.0.0', 't=0 0', 'a=control:*'],
    ['m=video 0 RTP/AVP 96', `a=rtpmap:96 ${codec.toUpperCase()}/${clockRate}`, 'a=control:track1'],
    format ? [`a=fmtp:96 ${format}`] : [],
    tone ? [...tone.described, 'a=control:track2', ''] : [''],
  ]
    .flat()
    .join('\r\n')
}

interface Player {
  /** @param half stops in the middle of the frame */
  send(units: readonly Buffer[], timestamp: number, codec: Codec, half: boolean): void
  audio(payload: Buffer, payloadType: number, timestamp: number): void
  /** Continues with another SSRC and other sequence numbers. */
  renumber(): void
}

/** RTP (RFC 3550, 6184, 7798) in the RTSP connection. */
function createPlayer(socket: Socket): Player {
  const sequence = [0, 0, 0]
  let ssrc = 7
  const packet = (payload: Buffer, last: boolean, timestamp: number, channel = 0, payloadType = 96): Buffer => {
    const head = Buffer.alloc(16)
    head.write('$', 0, 'latin1')
    head[1] = channel
    head.writeUInt16BE(payload.length + 12, 2)
    head[4] = 0x80
    head[5] = payloadType | (last ? 0x80 : 0)
    head.writeUInt16BE(sequence[channel]!++ & 0xffff, 6)
    head.writeUInt32BE(timestamp >>> 0, 8)
    head.writeUInt32BE(ssrc + channel, 12)
    return Buffer.concat([head, payload])
  }
  return {
    audio: (payload, payloadType, timestamp) => void socket.write(packet(payload, true, timestamp, 2, payloadType)),
    renumber() {
      ssrc += 1000
      for (const channel of sequence.keys()) sequence[channel]! += 20_000
    },
    send(units, timestamp, codec, half) {
      const packets: Buffer[] = []
      for (const [i, unit] of units.entries()) {
        const last = i === units.length - 1
        if (unit.length <= packetSize) {
          packets.push(packet(unit, last, timestamp))
          continue
        }
        // A fragmentation unit: FU-A of H.264, type 49 of H.265.
        const header = codec === 'h264' ? 1 : 2
        for (let at = header; at < unit.length; at += packetSize) {
          const ends = at + packetSize >= unit.length
          const mark = (at === header ? 0x80 : 0) | (ends ? 0x40 : 0) | kindOf(unit, codec)
          const first = codec === 'h264' ? (unit[0]! & 0x60) | 28 : (unit[0]! & 0x81) | (49 << 1)
          const head = Buffer.from(codec === 'h264' ? [first, mark] : [first, unit[1]!, mark])
          packets.push(packet(Buffer.concat([head, unit.subarray(at, at + packetSize)]), last && ends, timestamp))
        }
      }
      if (half) packets.splice(packets.length >> 1)
      socket.write(Buffer.concat(packets))
    },
  }
}
