import { once } from 'node:events'
import { symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { expectLinear } from '../../../test/support/linear-cost.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { parseCameraSource, type CameraSource } from '../../shared/camera/camera-source.ts'
import { firstMode } from './analysis.ts'
import { ffmpegInputArgs, maskOf } from './source.ts'

function folder(): string {
  const made = temporaryFolder()
  return made
}

function read(text: string, mediaDir: string): CameraSource {
  const source = parseCameraSource(text, mediaDir)
  if ('problem' in source) throw new Error(source.problem.message)
  return source
}

const { signal } = new AbortController()
const inputFor = (text: string, mediaDir = '/media', analysis = firstMode.analysis) =>
  ffmpegInputArgs(read(text, mediaDir), { ...firstMode, analysis, mediaDir, timeout: 20_000, signal })
const argsOf = async (text: string, mediaDir?: string): Promise<readonly string[]> =>
  (await inputFor(text, mediaDir)).args

test('a demo scene can open files and nothing else', async () => {
  const args = await argsOf('demo:yard')
  expect(args[args.indexOf('-protocol_whitelist') + 1]).toBe('file')
  expect(args[args.indexOf('-format_whitelist') + 1]).toBe('concat,mov')
  expect(args.join(' ')).not.toMatch(/concat:|exec|subfile|crypto|data:|pipe|safe/)
})

test.each([
  ['rtsp://user:secret@cam/1', 'rtsp', 'rtsp,rtp,tcp'],
  ['rtsps://user:secret@cam/1', 'rtsp', 'rtsps,rtsp,rtp,tls,tcp'],
  ['rtmp://user:secret@cam/1', 'flv,live_flv', 'rtmp,tcp'],
])('[CAM-3] %s is passed on standard input only, and can be read as %s over %s', async (source, formats, protocols) => {
  const { args, input, env } = await inputFor(source)
  expect(args.join(' ')).not.toMatch(/secret|user|cam\//)
  expect(args[args.indexOf('-protocol_whitelist') + 1]).toBe('pipe')
  expect(env).toBeUndefined()
  const script = Buffer.concat([...(input ?? [])]).toString()
  expect(script.split('\n').slice(0, 2)).toEqual(['ffconcat version 1.0', `file '${source}'`])
  expect(script).toContain(`\noption protocol_whitelist ${protocols}\n`)
  expect(script).toContain(`\noption format_whitelist ${formats}\n`)
})

test.each([
  ['rtsp://cam/1', 'quick', false, '15000000'],
  ['rtmp://cam/1', 'quick', true, '2500000'],
  ['rtmp://cam/1', 'thorough', false, '15000000'],
] as const)(
  '%s in a %s analysis: that a longer one could find more is %s',
  async (source, analysis, isQuick, duration) => {
    const read = await inputFor(source, undefined, analysis)
    expect(read.isQuick).toBe(isQuick)
    expect(Buffer.concat([...(read.input ?? [])]).toString()).toContain(`\noption analyzeduration ${duration}\n`)
    expect(read.args[read.args.indexOf('-analyzeduration') + 1]).toBe(duration)
  },
)

test('a quote in a URL does not end it', async () => {
  const { input } = await inputFor("rtsp://cam/it's")
  expect(Buffer.concat([...(input ?? [])]).toString()).toContain(String.raw`file 'rtsp://cam/it'\''s'`)
})

test('playlists and scripts, which name other files, are not video files', async () => {
  const media = folder()
  writeFileSync(join(media, 'a.mp4'), '')
  const args = await argsOf('a.mp4', media)
  expect(args[args.indexOf('-format_whitelist') + 1]?.split(',')).not.toContain('hls')
  expect(args[args.indexOf('-format_whitelist') + 1]?.split(',')).not.toContain('concat')
})

test.each([
  ['a file of video', Buffer.from('00000018667479706d703432', 'hex'), false],
  ['a playlist', Buffer.from('#EXTM3U\n#EXTINF:2,\na.ts\n'), true],
])('[CAM-1] over HTTP, %s can be read as HLS, and only that', async (_what, body, isHls) => {
  const camera = createServer((_request, response) => response.end(body))
  camera.listen(0, '127.0.0.1')
  await once(camera, 'listening')
  const { port } = camera.address() as AddressInfo
  const { args, close } = await inputFor(`http://127.0.0.1:${port}/video`)
  onTestFinished(() => {
    close()
    camera.closeAllConnections()
    camera.close()
  })
  const formats = args[args.indexOf('-format_whitelist') + 1]?.split(',') ?? []
  expect(formats).toContain('mpegts')
  expect(formats.includes('hls')).toBe(isHls)
  expect(formats.filter((format) => ['concat', 'sdp', 'dash', 'tee'].includes(format))).toEqual([])
})

test('a link does not lead out of the media directory', async () => {
  const [media, outside] = [folder(), folder()]
  writeFileSync(join(outside, 'secret.mp4'), '')
  symlinkSync(join(outside, 'secret.mp4'), join(media, 'link.mp4'))
  await expect(argsOf('link.mp4', media)).rejects.toMatchObject({ problem: { code: 'outside-media' } })
  await expect(argsOf('none.mp4', media)).rejects.toMatchObject({ problem: { code: 'no-such-file' } })
})

test('a retained line contains no credentials, whatever they are', () => {
  const word = fc.string({ minLength: 4, maxLength: 20, unit: fc.constantFrom(...'abcXYZ0123:/@%?#&=+ '.split('')) })
  fc.assert(
    fc.property(word, word, (user, password) => {
      const url = `rtsp://${encodeURIComponent(user)}:${encodeURIComponent(password)}@cam.example/live?token=t0ken`
      const mask = maskOf({ kind: 'stream', protocol: 'rtsp', url })
      for (const line of [`${url}: Connection refused`, `login ${password} of ${user} failed`, `GET ${url} t0ken`]) {
        expect(mask(line)).not.toContain(password)
        expect(mask(line)).not.toContain(encodeURIComponent(password))
      }
      expect(mask(`${url}: refused`)).not.toContain('t0ken')
    }),
  )
})

test('a retained line contains no URL, also not behind a digit', () => {
  const mask = maskOf({ kind: 'demo', scene: 'yard' })
  expect(mask("Opening 'http://cam/1' and 1rtsp://cam/2, tcp:// c")).toBe(
    "Opening 'the source' and the source tcp:// c",
  )
})

test('no line of ffmpeg takes longer to mask than its length requires', () => {
  const mask = maskOf({ kind: 'stream', protocol: 'rtsp', url: 'rtsp://user:secret@cam.example/live' })
  expectLinear(mask, 'frame=   10 fps=0.0 ', [
    ...['a', 'a.', 'a+', 'a ', 'a:', 'a:/', '://', 'a://', '9', '-', ' ', 'rtsp://x'].map((repeated) => ({ repeated })),
    { begin: 'a://', repeated: 'b' },
  ])
})
