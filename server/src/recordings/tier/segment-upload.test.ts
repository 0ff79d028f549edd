import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { segmentFile } from '../segments/segment-name.ts'
import { segmentUpload } from './segment-upload.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

test('[NODE-5] while another disk is mounted, no file of a stored segment is removed', async () => {
  const folder = temporaryFolder()
  const file = segmentFile(cameraKey('yard'), 0)
  mkdirSync(join(folder, dirname(file)), { recursive: true })
  writeFileSync(join(folder, file), 'video')
  let isMounted = true
  const upload = segmentUpload({
    folder,
    volume: 'ours',
    objects: { put: async () => void (isMounted = false) },
    store: { stored: () => Promise.resolve(true) },
    removals: { add: () => Promise.resolve() },
    usage: { stored: () => {} },
    requireDisk: () => (isMounted ? Promise.resolve() : Promise.reject(new Error('another disk'))),
    log: silent,
  })
  const place = { volume: 'ours', object: null, epoch: 0 }
  const times = { start: 0, end: 10_000, motion: 0, streamId: 0 }
  const segment = { id: 1, camera: cameraKey('yard'), bytes: 5, initBytes: 1, file, ...place, ...times }
  await upload.move(segment, new AbortController().signal)
  await upload.removeLeft()
  expect(existsSync(join(folder, file))).toBe(true)
  isMounted = true
  await upload.removeLeft()
  expect(existsSync(join(folder, file))).toBe(false)
})
