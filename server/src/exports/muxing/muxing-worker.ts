import { openSync, readSync, writevSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Fmp4Error } from '../../media/mp4/box.ts'
import { initSegmentIn } from '../../media/mp4/init-segment.ts'
import { createProgressiveWriter, type WritableFile } from '../../media/mp4/progressive-writer.ts'
import { lowerOwnPriority } from '../../shared/priority.ts'
import type { MuxingOptions, MuxingRequest, MuxingResponse } from './muxing-messages.ts'
import { systemCodeOf } from '../../shared/caught-error.ts'

/** Entry point of a muxing thread: writes the file of one export. Blocking on the disk is fine, because it does nothing else. */
const respond = (response: MuxingResponse): void => parentPort?.postMessage(response, [])

const asBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length)

function openFile(path: string): WritableFile {
  // Closed with the thread.
  const descriptor = openSync(path, 'r+')
  return {
    write(buffers, position) {
      let left = buffers
      for (let at = position; left.length > 0;) {
        const bytes = writevSync(descriptor, left, at)
        at += bytes
        left = behind(left, bytes)
        respond('alive')
      }
    },
    read(buffer, position) {
      for (let read = 0; read < buffer.length;) {
        const bytes = readSync(descriptor, buffer, read, buffer.length - read, position + read)
        if (bytes === 0) throw new Fmp4Error('a file that ends early')
        read += bytes
      }
    },
  }
}

/** What is left of some buffers after their first bytes. */
function behind(buffers: readonly Buffer[], bytes: number): readonly Buffer[] {
  let rest = bytes
  for (const [index, buffer] of buffers.entries()) {
    if (rest < buffer.length) return [buffer.subarray(rest), ...buffers.slice(index + 1)]
    rest -= buffer.length
  }
  return []
}

function start({ file, head, ...options }: MuxingOptions): void {
  const writer = createProgressiveWriter(openFile(file), { ...options, init: initSegmentIn(asBuffer(head)) })
  const handle = (request: MuxingRequest): MuxingResponse => {
    if (request === 'finish') return { seconds: writer.finish() }
    const { data, from, to } = request.file
    writer.add(asBuffer(data), from, to)
    return 'added'
  }
  parentPort?.on('message', (request: MuxingRequest) => attempt(() => respond(handle(request))))
}

function attempt(work: () => void): void {
  try {
    work()
  } catch (error) {
    const failed = error instanceof Error ? error : new Error(String(error))
    respond({ failed, code: systemCodeOf(failed) })
    parentPort?.close()
  }
}

attempt(() => {
  lowerOwnPriority()
  start(workerData as MuxingOptions)
})
