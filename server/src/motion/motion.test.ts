import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestClock } from '../../test/support/test-clock.ts'
import { silent } from '../../test/support/null-log.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { systemRandom } from '../shared/random.ts'
import { createMotionDetection } from './motion.ts'

/** A program in place of ffmpeg, which takes a moment to end. A file's name is its process id: the sandbox lets it write no bytes. */
function slowToEnd(folder: string): string {
  const program = join(folder, 'ffmpeg')
  const text = `#!/bin/sh
    trap 'sleep 0.3; exit' TERM
    : > ${folder}/$$.pid
    while true; do sleep 0.05; done`
  writeFileSync(program, text)
  chmodSync(program, 0o755)
  return program
}

test('[NODE-2] a camera has moved away only once no process reads its stream for motion detection', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'yard.mp4'), '')
  let isHere = true
  const enabled = { enabled: true, sensitivity: 'medium', masks: [], detect_source: 'file:yard.mp4' } as const
  const motion = createMotionDetection({
    settings: () => new Map([['yard', { enabled: true, motion: enabled }]]),
    isHere: () => isHere,
    ffmpeg: slowToEnd(folder),
    source: { mediaDir: folder },
    clock: createTestClock(),
    random: systemRandom,
    log: silent,
  })
  onTestFinished(() => motion.stop())
  motion.consumerOf('yard')
  const pid = await vi.waitUntil(() => readdirSync(folder).find((name) => name.endsWith('.pid')), 60_000)
  isHere = false
  await motion.moved('yard')
  expect(existsSync(`/proc/${parseInt(pid, 10)}`)).toBe(false)
})
