import type { Readable } from 'node:stream'
import type { Clock, Timers } from '../time/clock.ts'

/**
 * Messages in a byte stream between instances: a text, or bytes. Each has a head of five bytes: its kind, and its length
 * as an unsigned integer, big-endian.
 */
export type FrameMessage = string | Buffer

const headBytes = 5
const kinds = { text: 1, bytes: 2 } as const

/** Max bytes of a message. The largest fragment of video is smaller. */
export const frameLimits = { text: 1 << 20, bytes: 34 << 20 } as const

/** The head of a message of bytes, for a stream to which the bytes are written next: large ones aren't copied. */
export const frameHead = ({ length }: Uint8Array): Buffer => headOf('bytes', length)

function headOf(kind: keyof typeof kinds, length: number): Buffer {
  const head = Buffer.allocUnsafe(headBytes)
  head[0] = kinds[kind]
  head.writeUInt32BE(length, 1)
  return head
}

export function encodeFrame(message: string | Uint8Array): Buffer {
  const isText = typeof message === 'string'
  const body = isText ? Buffer.from(message) : message
  return Buffer.concat([headOf(isText ? 'text' : 'bytes', body.length), body])
}

/** A byte stream that is not one of messages. */
export class FrameError extends Error {
  override readonly name = 'FrameError'
}

/**
 * Splits a byte stream into messages, regardless of chunk boundaries. Holds at most one message.
 *
 * @returns a function that takes the next chunk, and throws {@link FrameError}
 */
export function createFrameParser(receive: (message: FrameMessage) => void): (chunk: Buffer) => void {
  let waiting: Buffer[] = []
  let held = 0
  let needed = headBytes

  const take = (bytes: Buffer): Buffer => {
    let rest = bytes
    while (rest.length >= headBytes) {
      const size = headBytes + lengthIn(rest)
      needed = size
      if (rest.length < size) return rest
      const body = rest.subarray(headBytes, size)
      receive(rest[0] === kinds.text ? body.toString('utf8') : body)
      rest = rest.subarray(size)
      needed = headBytes
    }
    return rest
  }

  return (chunk) => {
    waiting.push(chunk)
    held += chunk.length
    if (held < needed) return
    const rest = take(waiting.length === 1 ? chunk : Buffer.concat(waiting, held))
    waiting = rest.length > 0 ? [rest] : []
    held = rest.length
  }
}

function lengthIn(frame: Buffer): number {
  const length = frame.readUInt32BE(1)
  const limit = frame[0] === kinds.text ? frameLimits.text : frame[0] === kinds.bytes ? frameLimits.bytes : -1
  if (length > limit) throw new FrameError(`a frame of kind ${frame[0]} with ${length} bytes`)
  return length
}

export interface ReadMessagesDeps {
  readonly clock: Clock & Timers
  /** Milliseconds without any byte after which the connection has failed. */
  readonly silence: number
}

/** Reads messages until the body ends, or nothing arrives for a while. */
export async function readMessages(
  body: Readable,
  receive: (message: FrameMessage) => void,
  { clock, silence }: ReadMessagesDeps,
): Promise<void> {
  const parse = createFrameParser(receive)
  let arrivedAt = clock.elapsed()
  const stopWatching = clock.every(silence / 4, () => {
    if (clock.elapsed() - arrivedAt > silence) body.destroy(new Error('nothing arrives'))
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  body.on('data', (chunk: Buffer) => {
    arrivedAt = clock.elapsed()
    try {
      parse(chunk)
    } catch (error) {
      body.destroy(error as Error)
    }
  })
  body.once('error', reject)
  body.once('close', resolve)
  await promise.finally(stopWatching)
}
