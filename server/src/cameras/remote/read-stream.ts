import type { Readable } from 'node:stream'
import { Fmp4Error, headerSize, sizeAt } from '../../media/mp4/box.ts'
import { readFragment, type Fragment } from '../../media/mp4/fragment.ts'
import { initSegmentIn, type InitSegment } from '../../media/mp4/init-segment.ts'
import { readMessages, type FrameMessage, type ReadMessagesDeps } from '../../shared/cluster/message-frames.ts'

export interface StreamReceiver {
  begin(init: InitSegment): void
  fragment(fragment: Fragment): void
  /** There is no video: the notice for viewers. */
  notice(text: string): void
}

/**
 * Reads a camera's stream of another instance until it ends.
 *
 * @throws an error of the connection, Fmp4Error or FrameError, also after silence
 */
export async function readStream(body: Readable, receiver: StreamReceiver, deps: ReadMessagesDeps): Promise<void> {
  await readMessages(body, createStreamReader(receiver), deps)
}

/** Takes what a viewer gets: a text that begins a stream or says why there is none, the init segment, and fragments. */
function createStreamReader({ begin, fragment, notice }: StreamReceiver): (message: FrameMessage) => void {
  let init: InitSegment | undefined
  let isBeginning = false
  return (message) => {
    if (typeof message !== 'string') {
      if (isBeginning) {
        isBeginning = false
        init = initSegmentIn(message)
        return begin(init)
      }
      if (!init) throw new Fmp4Error('a fragment before its init segment')
      const end = message.length < headerSize ? 0 : sizeAt(message, 0)
      if (end <= headerSize || end > message.length) throw new Fmp4Error('a fragment without its boxes')
      return fragment(readFragment(init, message.subarray(0, end), message.subarray(end)))
    }
    if (message === '') return
    isBeginning = message.startsWith('{"mime"')
    if (!isBeginning) init = undefined
    if (!isBeginning) notice(message)
  }
}
