import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildImages } from '../../scripts/image/build-image.ts'
import type { Image } from '../../scripts/image/oci-layout.ts'
import { stopAll } from './support/cleanups.ts'
import { startContainer, unpackImage, type Container } from './support/container.ts'
import {
  architecture,
  downloads,
  hasNamespaces,
  reachesMirror,
  runsArchitecture,
  skipLoudly,
} from './support/debian-mirror.ts'
import { exportRecording } from './support/exported-recording.ts'
import { program } from './support/programs.ts'
import { startRtspCamera } from './support/rtsp-camera.ts'

const root = resolve(import.meta.dirname, '../..')
/** Debian's packages, which are downloaded once. */
const debian = join(downloads, `debian-${architecture}`)
const hasPrograms = [program('mmdebstrap'), program('readelf')].every((found) => found !== undefined)
const canBuild = hasPrograms && (existsSync(debian) || (await reachesMirror()))
const canRun = canBuild && runsArchitecture && hasNamespaces
if (hasPrograms && !canBuild) skipLoudly('the tests of the image are', 'no mirror of Debian')
else if (hasPrograms && !canRun) skipLoudly('the tests that run the image are', `no root on ${architecture}`)

describe.skipIf(!canBuild)('the container image', () => {
  let [image, addOn]: Image[] = []
  /** The unpacked layers of both, which no container can change. */
  let folder: string
  beforeAll(() => {
    // Compressed less, so that the size here is an upper bound.
    ;[image, addOn] = buildImages({ root, architecture, epoch: 1_795_680_254, debian, level: 1 })
    if (canRun) folder = unpackImage(image!)
  }, 900_000)
  afterAll(stopAll)

  test('is at most 250 MB to download, and most of it changes rarely', () => {
    const sizes = image!.layers.map(({ bytes }) => bytes.length / 1e6)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(250)
    expect(sizes.at(-1)).toBeLessThan(25)
  })

  test('runs as a user who isn’t root, without a shell around the service, and the add-on shares its layers', () => {
    expect(image!.config).toMatchObject({ User: '1000:1000', StopSignal: 'SIGTERM' })
    expect([image!.config['Entrypoint'], image!.config['Cmd']].flat().join(' ')).not.toMatch(/\bsh\b/)
    expect(addOn!.layers).toBe(image!.layers)
  })

  describe.skipIf(!canRun)('runs where only its two folders can be written', () => {
    let container: Container
    beforeAll(async () => {
      const camera = await startRtspCamera({ audio: 'pcma' })
      const cameras = { yard: { source: 'demo:yard' }, gate: { source: camera.url() } }
      container = await startContainer(folder, image!, { cameras })
    })

    test('it shows the demo camera: a snapshot, and live video', async () => {
      const snapshot = async () => (await container.internal.get('/api/cameras/yard/latest.jpg')).status
      await expect.poll(snapshot).toBe(200)
      const socket = container.internal.socket('/api/cameras/yard/live')
      for (let bytes = 0; bytes < 20_000;) bytes += ((await once(socket, 'message')) as [Buffer])[0].length
      socket.terminate()
    })

    test('its ffmpeg reads an RTSP camera, makes AAC of its audio, and JPEG of its video', async () => {
      const camera = async () => (await container.internal.get('/api/cameras/gate')).json as { state: string }
      await expect.poll(async () => (await camera()).state, { timeout: 90_000 }).toBe('online')
      const { text } = await container.internal.get('/api/cameras/gate/live/index.m3u8')
      expect(text).toMatch(/^#EXTM3U/)
      const encoders = container.run('/usr/bin/ffmpeg', '-hide_banner', '-encoders').text
      for (const name of ['aac', 'mjpeg']) expect(encoders).toMatch(new RegExp(` ${name} `))
      const decoders = container.run('/usr/bin/ffmpeg', '-hide_banner', '-decoders').text
      for (const name of ['h264', 'hevc', 'mjpeg', 'aac', 'pcm_alaw', 'pcm_mulaw', 'opus']) {
        expect(decoders).toMatch(new RegExp(` ${name} `))
      }
      const protocols = container.run('/usr/bin/ffmpeg', '-hide_banner', '-protocols').text
      for (const name of ['rtmp', 'tls', 'tcp', 'udp']) expect(protocols).toMatch(new RegExp(`^  ${name}$`, 'm'))
    })

    test('it records, and makes an export', async () => {
      const { internal } = container
      const { body } = await internal.get(await exportRecording('yard', internal))
      expect(body.subarray(4, 8).toString('latin1')).toBe('ftyp')
      expect(body.length).toBeGreaterThan(20_000)
    })

    test('ffmpeg has all its limits, and nothing else is written', () => {
      // Its user has no right to reduce the bounding set, which matters only to programs that gain privileges.
      expect(container.output()).toMatch(
        /"active":"setpriv --no-new-privs --inh-caps=-all --ambient-caps=-all --pdeathsig=KILL prlimit --core=0 --fsize=0 --nofile=256 --data=\d+"/,
      )
      const touched = ['/x', '/usr/x', '/tmp/x', '/run/x'].map(
        (path) => container.run('/usr/bin/node', '-e', `require('fs').writeFileSync('${path}', '')`).status,
      )
      expect(touched).toEqual([1, 1, 1, 0])
      const ids = container.run('/usr/bin/node', '-p', 'process.getuid()').text
      expect(ids.trim()).toBe('1000')
    })

    test('the command works in it, and the health check says what the service says', () => {
      expect(container.health()).toBe(0)
      expect(container.run('/usr/bin/gatehouse', 'user', 'list')).toMatchObject({
        status: 0,
        text: expect.stringContaining('admin') as string,
      })
    })

    test('SIGTERM ends it cleanly, with all its children', async () => {
      const running = container.processes()
      expect(running.length).toBeGreaterThan(2)
      expect(await container.stop()).toBe(0)
      expect(running.filter(isRunning)).toEqual([])
      expect(container.health()).toBe(1)
    })
  })

  test.skipIf(!canRun)('as an add-on it reads root’s options, takes its folders, and is no longer root', async () => {
    const container = await startContainer(
      folder,
      addOn!,
      {},
      {
        env: ['APP_OPTIONS_FILE=/run/options.json'],
        prepare(folder) {
          const options = join(folder, 'data/options.json')
          writeFileSync(options, JSON.stringify({ jwt_secret: 's'.repeat(64) }), { mode: 0o600 })
        },
      },
    )
    for (const path of ['config', 'config/config.yml', 'config/gatehouse.db', 'media']) {
      expect([path, statSync(join(container.folder, path)).uid]).toEqual([path, 1000])
    }
    // The secret is the option's.
    expect(existsSync(join(container.folder, 'config/.jwt_secret'))).toBe(false)
    const [tini, ...others] = container.processes()
    expect(statSync(`/proc/${tini}`).uid).toBe(0)
    expect(others.map((pid) => statSync(`/proc/${pid}`).uid)).toEqual(others.map(() => 1000))
    expect(await container.stop()).toBe(0)
  })
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
