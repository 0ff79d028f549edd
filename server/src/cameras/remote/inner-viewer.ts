import { Readable } from 'node:stream'
import type { Viewer } from '../../media/live/broadcaster.ts'
import type { Timers } from '../../shared/time/clock.ts'
import { encodeFrame } from '../../shared/cluster/message-frames.ts'

/** Milliseconds between two empty messages, which show that the connection lives. */
export const beat = 2_000

/**
 * A viewer that is another instance: everything that a viewer gets, as messages in a body. A slow connection skips frames
 * like any slow viewer, so the memory it takes is bounded.
 */
export function createInnerViewer(clock: Timers): { readonly viewer: Viewer; readonly body: Readable } {
  const leaving = new Set<() => void>()
  let isClosed = false
  const body = new Readable({
    read() {},
    destroy(error, done) {
      stopBeat()
      for (const leave of leaving) leave()
      done(error)
    },
  })
  const stopBeat = clock.every(beat, () => {
    if (body.readableLength === 0) body.push(encodeFrame(''))
  })
  const viewer: Viewer = {
    send(data) {
      if (!isClosed && !body.destroyed) body.push(encodeFrame(data))
    },
    get waiting() {
      return body.readableLength
    },
    onClose: (done) => void leaving.add(done),
    close() {
      if (isClosed) return
      isClosed = true
      stopBeat()
      body.push(null)
    },
  }
  return { viewer, body }
}
