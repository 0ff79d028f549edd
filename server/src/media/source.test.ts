import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { parseCameraSource, type CameraSource } from '../shared/camera-source.ts'
import type { Demo } from './demo/demo.ts'
import { inputOf, maskOf } from './source.ts'

const demo: Demo = { fileOf: async (scene) => `/media/demo/${scene}.mp4` }

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'gatehouse-source-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

function read(text: string, mediaDir: string): CameraSource {
  const source = parseCameraSource(text, mediaDir)
  if ('problem' in source) throw new Error(source.problem.message)
  return source
}

const argsOf = (text: string, mediaDir = '/media'): Promise<string[]> =>
  inputOf(read(text, mediaDir), { mediaDir, demo, patience: 20_000, sound: 'copy' })

test.each([
  ['demo:yard', 'file'],
  ['rtsp://cam/1', 'rtsp,rtp,tcp'],
  ['rtmp://cam/1', 'rtmp,tcp'],
  ['http://cam/1', 'http,https,tls,tcp'],
  ['https://cam/1', 'https,tls,tcp'],
])('%s may open %s and nothing else', async (source, protocols) => {
  const args = await argsOf(source)
  expect(args[args.indexOf('-protocol_whitelist') + 1]).toBe(protocols)
  expect(args.join(' ')).not.toMatch(/concat|exec|subfile|crypto|data:|pipe/)
})

test('playlists and scripts, which name other files, are no video file', async () => {
  const media = folder()
  writeFileSync(join(media, 'a.mp4'), '')
  const args = await argsOf('a.mp4', media)
  expect(args[args.indexOf('-format_whitelist') + 1]?.split(',')).not.toContain('hls')
  expect(args[args.indexOf('-format_whitelist') + 1]?.split(',')).not.toContain('concat')
})

test('a link does not lead out of the media directory', async () => {
  const [media, outside] = [folder(), folder()]
  writeFileSync(join(outside, 'secret.mp4'), '')
  symlinkSync(join(outside, 'secret.mp4'), join(media, 'link.mp4'))
  await expect(argsOf('link.mp4', media)).rejects.toThrow('outside of the media directory')
  await expect(argsOf('none.mp4', media)).rejects.toThrow('no such file')
})

test('a line that is kept holds no login, whatever the login is', () => {
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
