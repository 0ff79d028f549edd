import type { Readable } from 'node:stream'
import type { Timers } from '../time/clock.ts'
import { ServiceError } from '../errors.ts'
import { streamOf } from '../http/stream-of.ts'
import type { InnerResponse } from './inner-client.ts'

/** Milliseconds without any data after which another instance counts as unavailable. */
const stalledAfter = 5_000

/**
 * The body of another instance's response. Waits for no data longer than a few seconds, and reads no faster than it is
 * read itself. Destroying the stream ends the request.
 */
export function innerStream({ body }: Pick<InnerResponse, 'body'>, timers: Pick<Timers, 'after'>): Readable {
  return streamOf(chunksOf(body, timers), () => void body.destroy())
}

async function* chunksOf(body: Readable, timers: Pick<Timers, 'after'>): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  for (;;) {
    const stop = timers.after(stalledAfter, () => void body.destroy(new Error('no data')))
    const { done, value } = await chunks.next().finally(stop)
    if (done) return
    yield value
  }
}

/**
 * Reads a body of at most `max` bytes.
 *
 * @throws ServiceError `unavailable` if it is longer, breaks or stalls
 */
export async function innerBuffer(
  response: Pick<InnerResponse, 'body'>,
  max: number,
  timers: Pick<Timers, 'after'>,
): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of innerStream(response, timers) as AsyncIterable<Buffer>) {
      pieces.push(piece)
      size += piece.length
      if (size > max) throw new Error(`more than ${max} bytes`)
    }
  } catch (cause) {
    throw unreachable(cause)
  }
  return Buffer.concat(pieces)
}

export const unreachable = (cause?: unknown): ServiceError =>
  new ServiceError('unavailable', { reason: 'instance-unreachable', retryAfter: 5, cause })
