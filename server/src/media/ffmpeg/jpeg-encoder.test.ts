import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { createJpegEncoder } from './jpeg-encoder.ts'

const frame = { mp4: [], at: 0 }

/** An encoder whose decoders never finish. */
function hangingEncoder() {
  const file = join(temporaryFolder(), 'ffmpeg')
  writeFileSync(file, '#!/bin/sh\nexec sleep 1000\n')
  chmodSync(file, 0o755)
  return createJpegEncoder({ ffmpeg: file })
}

const canceled = { code: 'unavailable', reason: undefined }
const requesters = [['ann']]
const more = { signal: new AbortController().signal, requesters }
const full = { code: 'busy', reason: 'snapshot-queue-full' }

test('a snapshot that is not needed anymore frees its place, whether it waits or is decoded', async () => {
  const { jpegOf } = hangingEncoder()
  const callers = Array.from({ length: 66 }, () => new AbortController())
  const results = callers.map(({ signal }) => jpegOf(frame, 180, { signal, requesters }))
  const settled = Promise.allSettled(results)
  await expect(jpegOf(frame, 180, more)).rejects.toMatchObject(full)
  callers.at(-1)!.abort()
  const last = new AbortController()
  const inItsPlace = jpegOf(frame, 180, { signal: last.signal, requesters })
  await expect(jpegOf(frame, 180, more)).rejects.toMatchObject(full)
  for (const caller of [...callers, last]) caller.abort()
  await expect(inItsPlace).rejects.toMatchObject(canceled)
  expect(await settled).toEqual(callers.map(() => ({ status: 'rejected', reason: expect.objectContaining(canceled) })))
})
