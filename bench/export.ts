import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFfmpeg } from '../server/src/media/ffmpeg/find-ffmpeg.ts'
import { segmentFile } from '../server/src/recordings/segments/segment-name.ts'
import { alternating, median, ratioOf, type Bench, type Figure } from './figure.ts'
import { totalCpuOf } from './process.ts'
import { createSandbox, quietCameras, startService } from './service.ts'
import { cameraKey } from '../server/src/shared/camera/camera-keys.ts'

const run = promisify(execFile)

const segmentSeconds = 10
const framesASecond = 25

/** Measures an export against a bare ffmpeg that copies the same time range from one file, by the clock and in CPU time. */
export const exports: Bench = {
  name: 'exports',
  async run({ quick, scratch, print }) {
    const ffmpeg = findFfmpeg()
    if (!ffmpeg) throw new Error('no ffmpeg: exports need it')
    const minutes = quick ? 2 : 10
    print(`exports: ${minutes} minutes of 1080p …`)
    const sandbox = await createSandbox(scratch, { cameras: quietCameras(['yard']) })
    const start = Math.floor(Date.now() / 1000) - 7200
    const segments = minutes * 6 + 1
    const whole = await writeRecordings(ffmpeg, sandbox.mediaDir, start, segments, scratch)
    const service = await startService(sandbox, 'any')
    const inside = `http://127.0.0.1:${service.internalPort}/api`
    const requested = async (path: string, init: RequestInit = {}): Promise<unknown> => {
      const response = await fetch(`${inside}${path}`, { ...init, headers: { 'content-type': 'application/json' } })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return response.status === 204 ? undefined : response.json()
    }
    // Inside a group of pictures, as users select clips.
    const span = { camera: 'yard', start: start + 3, end: start + 3 + minutes * 60 }
    const recorded = `/cameras/yard/recordings?after=${start}&before=${start + segments * segmentSeconds}`
    const indexed = async () => ((await requested(recorded)) as { segments: unknown[] }).segments.length
    while ((await indexed()) < segments) await sleep(20)
    const events = await fetch(`${inside}/events`)

    // By its event: to ask again and again would cost the service more than a part of the export.
    const ended = endsIn(events.body ?? new ReadableStream())
    let bytes = 0
    const ours = async (): Promise<Took> => {
      const began = performance.now()
      const before = totalCpuOf(service.pid)
      const { id } = (await requested('/exports', { method: 'POST', body: JSON.stringify(span) })) as { id: string }
      await ended(id)
      const took = { time: performance.now() - began, processor: totalCpuOf(service.pid).own - before.own }
      const item = (await requested(`/exports/${id}`)) as { state: string; bytes: number; detail?: string }
      if (item.state !== 'done') throw new Error(item.detail)
      bytes = item.bytes
      await requested(`/exports/${id}`, { method: 'DELETE', body: '{}' })
      return took
    }
    const out = join(scratch, 'bare.mp4')
    const bare = async (): Promise<Took> => {
      const began = performance.now()
      const before = totalCpuOf(process.pid)
      await run(
        ffmpeg,
        [
          ['-v', 'error', '-y', '-ss', '3', '-i', whole, '-t', String(minutes * 60), '-c', 'copy'],
          ['-movflags', '+faststart', out],
        ].flat(),
      )
      const processor = totalCpuOf(process.pid).children - before.children
      const took = { time: performance.now() - began, processor }
      rmSync(out)
      return took
    }
    try {
      await ours()
      await bare()
      const all = await alternating(quick ? 3 : 7, ours, bare)
      const figure = (what: string, of: (took: Took) => number): Figure => {
        const { ratio } = ratioOf(all.ours.map(of), all.peer.map(of))
        return {
          what,
          ours: seconds(all.ours.map(of)),
          peer: `${seconds(all.peer.map(of))} (ffmpeg -c copy of one file)`,
          ratio,
          target: '≤ 2',
          met: ratio <= 2,
        }
      }
      const what = `export of ${minutes} minutes of 1080p, ${Math.round(bytes / 1e6)} MB`
      return [
        figure(`${what}, from the request to its end`, ({ time }) => time),
        figure(`${what}, processor time`, ({ processor }) => processor),
      ]
    } finally {
      await service.stop()
    }
  },
}

/** Waits for the event that an export has ended. */
function endsIn(events: ReadableStream<Uint8Array>): (id: string) => Promise<void> {
  const reader = events.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async (id) => {
    for (;;) {
      const lines = text.split('\n').filter((line) => line.includes(id))
      if (lines.some((line) => /"state":"(done|failed)"/.test(line))) return
      const { value, done } = await reader.read()
      if (done) throw new Error('the service ended its events')
      text = (text + value).slice(-65_536)
    }
  }
}

/** Milliseconds. */
interface Took {
  readonly time: number
  readonly processor: number
}

const seconds = (times: readonly number[]): string => `${(median(times) / 1000).toFixed(2)} s`

/** Writes segments as the recorder does: one encoded segment, repeated. @returns the same video as one file. */
async function writeRecordings(
  ffmpeg: string,
  mediaDir: string,
  start: number,
  segments: number,
  scratch: string,
): Promise<string> {
  const fragments = ['-f', 'mp4', '-movflags', 'empty_moov+default_base_moof+frag_every_frame+skip_trailer']
  const one = join(scratch, 'segment.mp4')
  await run(
    ffmpeg,
    [
      ['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=s=1920x1080:r=${framesASecond},noise=alls=12:allf=t`],
      ['-f', 'lavfi', '-i', 'sine=r=48000', '-t', String(segmentSeconds), '-c:a', 'aac', '-c:v', 'libx264'],
      ['-preset', 'ultrafast', '-b:v', '4M', '-maxrate', '4M', '-bufsize', '8M', '-g', '50', '-bf', '0'],
      ['-pix_fmt', 'yuv420p', ...fragments, one],
    ].flat(),
  )
  const files: string[] = []
  for (let number = 0; number < segments; number++) {
    const file = join(mediaDir, 'recordings', segmentFile(cameraKey('yard'), (start + number * segmentSeconds) * 1000))
    mkdirSync(join(file, '..'), { recursive: true })
    copyFileSync(one, file)
    files.push(file)
  }
  const list = join(scratch, 'list.txt')
  writeFileSync(list, files.map((file) => `file '${file}'\n`).join(''))
  const whole = join(scratch, 'whole.mp4')
  await run(ffmpeg, ['-v', 'error', '-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy', whole])
  return whole
}
