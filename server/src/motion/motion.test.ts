import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestClock } from '../../test/support/test-clock.ts'
import { silent } from '../../test/support/null-log.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { systemRandom } from '../shared/random.ts'
import { createMotionDetection } from './motion.ts'

/** A program in place of ffmpeg that leaves a file while it runs, and takes a moment to end. The sandbox lets it write no bytes. */
function slowToEnd(folder: string): string {
  const program = join(folder, 'ffmpeg')
  const text = `#!/bin/sh
    trap 'sleep 0.3; rm ${folder}/running; exit' TERM
    : > ${folder}/running
    while true; do sleep 0.05; done`
  writeFileSync(program, text)
  chmodSync(program, 0o755)
  return program
}

test('[NODE-2] a camera has moved away only once no process reads its stream for motion detection', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'yard.mp4'), '')
  const running = join(folder, 'running')
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
  await vi.waitFor(() => expect(existsSync(running)).toBe(true), 60_000)
  isHere = false
  await motion.moved('yard')
  expect(existsSync(running)).toBe(false)
})
