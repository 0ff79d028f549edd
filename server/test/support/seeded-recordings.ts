import { copyFileSync, linkSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFmp4Parser } from '../../src/media/mp4/fmp4-parser.ts'
import { segmentFile } from '../../src/recordings/segments/segment-name.ts'
import { writeEncoded } from './write-encoded.ts'
import { openDatabase } from './service-database.ts'
import { cameraKey } from '../../src/shared/camera/camera-keys.ts'

/** A stopped service that has been started once: its database and its volume exist. */
export interface StoppedService {
  readonly configDir: string
  readonly mediaDir: string
}

interface Seeds {
  /** A file as {@link makeSegment} makes it; every recording is a link to it. */
  readonly sample: string
  readonly count: number
  /** Start of the last segment, Unix seconds. */
  readonly last: number
  /** Writes only rows, without files. */
  readonly rowsOnly?: boolean
}

/** A recorded segment: fragments of one frame each, a key frame every second. */
export function makeSegment(
  file: string,
  { seconds, size, bitrate, audio = false }: { seconds: number; size: string; bitrate: string; audio?: boolean },
): Promise<void> {
  const source = `testsrc2=size=${size}:rate=10:duration=${seconds}`
  const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', bitrate, '-g', '10', '-bf', '0']
  const flags = '+frag_every_frame+empty_moov+default_base_moof'
  const tone = audio ? ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`, '-c:a', 'aac'] : []
  const input = ['-v', 'error', '-f', 'lavfi', '-i', source, ...tone]
  const output = [...encode, '-pix_fmt', 'yuv420p', '-movflags', flags, '-f', 'mp4']
  return writeEncoded(file, [...input, ...output])
}

/** Writes recordings of ten seconds each without a gap, without the service: on disk and in the index. */
export function seedRecordings(
  service: StoppedService,
  camera: string,
  { sample, count, last, rowsOnly }: Seeds,
): void {
  const folder = join(service.mediaDir, 'recordings')
  const volume = readFileSync(join(folder, '.library'), 'utf8').trim()
  const data = readFileSync(sample)
  let initBytes = 0
  createFmp4Parser({ init: (init) => void (initBytes = init.data.length), fragment: () => {} }).write(data)
  const db = openDatabase(service)
  db.exec('pragma synchronous = off; begin')
  const insert =
    db.prepare(`insert into recording (volume, camera, start, "end", bytes, init_bytes, motion, stream_id, file)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const first = (last - (count - 1) * 10) * 1000
  const made = new Set<string>()
  let linked = ''
  for (let i = 0; i < count; i++) {
    const start = first + i * 10_000
    const file = segmentFile(cameraKey(camera), start)
    insert.run(volume, camera, start, start + 10_000, data.length, initBytes, i % 30 === 0 ? 8 : 0, first, file)
    if (rowsOnly) continue
    const day = join(folder, file, '..')
    if (!made.has(day)) {
      mkdirSync(day, { recursive: true })
      made.add(day)
    }
    // A file can only have so many hard links.
    if (i % 10_000 === 0) {
      copyFileSync(sample, join(folder, file))
      linked = join(folder, file)
    } else linkSync(linked, join(folder, file))
  }
  db.exec('commit; pragma wal_checkpoint(truncate)')
  db.close()
}
