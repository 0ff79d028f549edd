import { execFile } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { findFfmpeg } from '../../src/media/ffmpeg/find-ffmpeg.ts'
import { openDatabase } from './service-database.ts'
import type { Service } from './service.ts'
import type { TestClient } from './test-client.ts'

export const ffmpeg = findFfmpeg() ?? 'ffmpeg'
const run = promisify(execFile)

export interface SegmentSeen {
  readonly id: string
  readonly start: number
  readonly end: number
  readonly bytes: number
}

const now = (): number => Date.now() / 1000

/** The recent recordings, oldest first. */
export async function segmentsOf(client: TestClient, camera: string): Promise<SegmentSeen[]> {
  const { json } = await client.get(
    `/api/cameras/${camera}/recordings?after=${now() - 12 * 3600}&before=${now() + 7200}`,
  )
  return (json as { segments: SegmentSeen[] }).segments
}

export const secondsIn = (segments: readonly SegmentSeen[]): number =>
  segments.reduce((sum, { start, end }) => sum + end - start, 0)

const folderOf = (service: Service): string => join(service.mediaDir, 'recordings')

/** Every file below the recordings folder, by relative path, with its size; without the volume's own files. */
export const filesOf = (service: Service): Map<string, number> =>
  new Map(
    readdirSync(folderOf(service), { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && each.name !== '.library')
      .map((each) => join(each.parentPath, each.name))
      .map((path) => [path.slice(folderOf(service).length + 1), statSync(path, { throwIfNoEntry: false })?.size ?? 0]),
  )

/** The index, read directly from the database: file and size. */
export function indexOf(service: Service): Map<string, number> {
  const db = openDatabase(service, { readOnly: true })
  const rows = db.prepare('select file, bytes from recording').all() as { file: string; bytes: number }[]
  db.close()
  return new Map(rows.map(({ file, bytes }) => [file, bytes]))
}

/** Every row has its file, with its size, and every video file has its row. */
export function expectAgreement(service: Service): void {
  const videos = new Map(
    [...filesOf(service)].filter(([file]) => file.endsWith('.mp4') && !file.startsWith('.broken/')),
  )
  expect(Object.fromEntries(videos)).toEqual(Object.fromEntries(indexOf(service)))
}

/** ffmpeg warns about a playlist in which another stream begins, and plays it. */
const surprise = /^.*Found duplicated MOOV Atom.*$|^\s*Last message repeated.*$/gm

const framesOf = (stats: string): number => Number([...stats.matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1] ?? '0')

/** ffmpeg's result for a file or URL: the number of decoded frames, and its complaints. */
export async function decoded(input: string): Promise<{ frames: number; complaints: string }> {
  const args = ['-hide_banner', '-v', 'warning', '-stats', '-i', input, '-map', '0:v', '-f', 'null', '-']
  const { stderr } = await run(ffmpeg, args)
  return {
    frames: framesOf(stderr),
    complaints: stderr
      .replace(/^frame=.*$/gm, '')
      .replace(surprise, '')
      .trim(),
  }
}

/** The number of frames in a file, also of those that its edit list hides. */
export async function framesIn(file: string): Promise<number> {
  const args = [
    '-v',
    'quiet',
    '-stats',
    '-ignore_editlist',
    '1',
    '-i',
    file,
    '-map',
    '0:v',
    '-c',
    'copy',
    '-f',
    'null',
    '-',
  ]
  return framesOf((await run(ffmpeg, args)).stderr)
}

/** One segment as a player gets it: its init segment and the video. */
export async function fetched(service: Service, camera: string, id: string): Promise<{ file: string; init: string }> {
  const init = await service.internal.get(`/api/cameras/${camera}/segments/${id}/init.mp4`)
  const video = await service.internal.get(`/api/cameras/${camera}/segments/${id}/video.m4s?at=0`)
  expect([init.status, video.status]).toEqual([200, 200])
  const file = join(service.dir, `${camera}-${id}.mp4`)
  writeFileSync(file, Buffer.concat([init.body, video.body]))
  return { file, init: init.body.toString('latin1') }
}
