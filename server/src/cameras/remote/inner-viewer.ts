import type { Writable } from 'node:stream'
import type { Viewer } from '../../media/live/viewers.ts'
import type { Timers } from '../../shared/time/clock.ts'
import { encodeFrame, frameHead } from '../../shared/cluster/message-frames.ts'

/** Milliseconds between two empty messages, which show that the connection lives. */
export const heartbeatInterval = 2_000

/**
 * A viewer that is another instance: everything that a viewer gets, as messages. A slow connection skips frames like any
 * slow viewer, so the memory it takes is bounded.
 */
export function createInnerViewer(to: Writable, clock: Timers): Viewer {
  const isOpen = (): boolean => !to.writableEnded && !to.destroyed
  const stopBeat = clock.every(heartbeatInterval, () => {
    if (isOpen() && to.writableLength === 0) to.write(encodeFrame(''))
  })
  to.once('close', stopBeat)
  return {
    send(data) {
      if (!isOpen()) return
      if (typeof data === 'string') return void to.write(encodeFrame(data))
      // As one write, which doesn't copy the video.
      to.cork()
      to.write(frameHead(data))
      to.write(data)
      to.uncork()
    },
    get waiting() {
      return to.writableLength
    },
    onClose: (done) => void to.once('close', done),
    close() {
      stopBeat()
      to.end()
    },
  }
}
