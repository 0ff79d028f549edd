import { linkSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { demoFile } from '../server/src/media/demo/demo.ts'
import { segmentOf } from '../server/src/recordings/segments/segment-file.ts'
import { segmentFile } from '../server/src/recordings/segments/segment-name.ts'
import type { DemoScene } from '../server/src/shared/camera/camera-source.ts'
import { writeEncoded } from '../server/test/support/write-encoded.ts'
import { openDatabase } from '../server/test/support/service-database.ts'
import type { Service } from '../server/test/support/service.ts'
import { cameraKey } from '../server/src/shared/camera/camera-keys.ts'

/** A time range of one camera's recordings, made of one repeated minute. Unix seconds, whole minutes. */
export interface RecordedStretch {
  readonly camera: string
  readonly scene: DemoScene
  readonly from: number
  readonly to: number
}

/**
 * Adds recordings of past days, with motion in some minutes, to a service that is stopped or has reconciled its
 * recordings: the service deletes at startup rows whose files it has not seen.
 */
export async function recordDays(service: Service, stretches: readonly RecordedStretch[]): Promise<void> {
  const folder = join(service.mediaDir, 'recordings')
  const volume = readFileSync(join(folder, '.library'), 'utf8').trim()
  const minutes = new Map<string, string>()
  for (const scene of new Set(stretches.map((each) => each.scene))) minutes.set(scene, await minuteOf(service, scene))

  const rows: (string | number)[][] = []
  for (const { camera, scene, from, to } of stretches) {
    const first = segmentFile(cameraKey(camera), from * 1000)
    for (let start = from; start < to; start += 60) {
      const file = join(folder, segmentFile(cameraKey(camera), start * 1000))
      mkdirSync(dirname(file), { recursive: true })
      linkSync(minutes.get(scene) ?? '', file)
    }
    const one = await segmentOf(folder, first)
    if (!one) throw new Error(`${first} is not a segment`)
    for (let start = from; start < to; start += 60) {
      const file = segmentFile(cameraKey(camera), start * 1000)
      const times = [start * 1000, start * 1000 + (one.end - one.start)]
      rows.push([volume, camera, ...times, one.bytes, one.initBytes, motionAt(start), from * 1000, file])
    }
  }
  const database = openDatabase(service)
  database.exec('begin immediate')
  const put = database.prepare(
    'insert into recording (volume, camera, start, "end", bytes, init_bytes, motion, stream_id, file) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  for (const row of rows) put.run(...row)
  database.exec('commit')
  database.close()
}

/** Motion for a few minutes now and then, the same every day, and only in daytime. */
function motionAt(start: number): number {
  const minute = (start / 60) % 1440
  const busy = Math.sin(minute / 17) + Math.sin(minute / 5.3) - Math.cos((minute / 720) * Math.PI)
  return busy > 1.5 ? Math.min(60, Math.round((busy - 1.4) * 55)) : 0
}

/** A minute of a scene, as the recorder writes it, in a file that the segments are hard links to. */
async function minuteOf(service: Service, scene: DemoScene): Promise<string> {
  const file = join(service.dir, `minute-${scene}.mp4`)
  const args = [
    '-v',
    'error',
    '-stream_loop',
    '-1',
    '-i',
    demoFile(scene),
    '-t',
    '60',
    '-an',
    '-vf',
    'scale=640:-2,fps=12',
  ]
  const codec = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '30', '-bf', '0', '-g', '48', '-sc_threshold', '0']
  const muxer = ['-f', 'mp4', '-movflags', 'empty_moov+default_base_moof+frag_every_frame+skip_trailer']
  await writeEncoded(file, [...args, ...codec, ...muxer], [demoFile(scene)])
  return file
}
