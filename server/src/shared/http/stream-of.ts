import { Readable } from 'node:stream'

/**
 * A stream of bytes.
 *
 * @param ending called as soon as the stream is destroyed, also by its end. Only then does the stream wait for the chunk
 *   that is being read, so this is where that read is aborted; a listener for `close` is called after it.
 */
export function streamOf(chunks: AsyncIterable<Uint8Array>, ending: () => void): Readable {
  const stream = Readable.from(chunks, { objectMode: false })
  const destroy = stream._destroy.bind(stream)
  stream._destroy = (error, done) => {
    ending()
    destroy(error, done)
  }
  return stream
}
