import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg } from '../src/media/ffmpeg/ffmpeg-child.ts'

/** An ffmpeg that blocks exports until they are released; everything else runs immediately. */
export interface HeldExports {
  /** Options for the start of the service. */
  readonly env: { readonly PATH: string }
  /** @param bytes that each export writes before it blocks */
  hold(bytes?: number): void
  release(): void
}

export function holdExports(): HeldExports {
  const bin = mkdtempSync(join(tmpdir(), 'gatehouse-bin-'))
  process.once('exit', () => rmSync(bin, { recursive: true, force: true }))
  const held = join(bin, 'held')
  const write = `for file; do :; done; [ -s ${held} ] && head -c "$(cat ${held})" /dev/zero > "\${file#file:}"`
  const wait = `while [ -e ${held} ] && kill -0 $PPID; do sleep 0.05; done`
  const script = `case "$*" in *-itsoffset*) ${write}; ${wait};; esac`
  writeFileSync(join(bin, 'ffmpeg'), `#!/bin/sh\n${script}\nexec ${findFfmpeg()} "$@"\n`)
  chmodSync(join(bin, 'ffmpeg'), 0o755)
  return {
    env: { PATH: `${bin}:${process.env['PATH']}` },
    hold: (bytes) => writeFileSync(held, bytes === undefined ? '' : String(bytes)),
    release: () => rmSync(held, { force: true }),
  }
}
