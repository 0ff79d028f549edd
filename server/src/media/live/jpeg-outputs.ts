import type { Readable } from 'node:stream'
import { ServiceError } from '../../shared/errors.ts'
import type { Clock, StopTimer, Timers } from '../../shared/time/clock.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import type { StartJpegDecoder } from '../ffmpeg/jpeg-decoders.ts'
import type { StreamConsumer } from '../stream-consumer.ts'
import { createJpegOutput, type JpegOutput } from './jpeg-output.ts'

export interface JpegOutputsDeps {
  /** Subscribes to the stream, from the last key frame on if it is kept. @returns a function that unsubscribes */
  readonly follow: (consumer: StreamConsumer) => () => void
  readonly startDecoder: StartJpegDecoder
  readonly clock: Clock & Timers
}

/**
 * JPEGs of a camera's live stream, as long as there are MJPEG readers or repeated snapshots.
 *
 * Each height has a decoder that keeps running: starting ffmpeg for each frame would cost several times as much as
 * decoding it.
 */
export interface JpegOutputs {
  /**
   * Starts the output of this height unless it is running.
   *
   * @throws ServiceError `busy` if too many decoders are running, `not-found` after `close`
   */
  join(reader: Readable, height: number | undefined): JpegOutput
  /** The output ends with its last reader, unless snapshots need it. */
  leave(reader: Readable, height: number | undefined): void
  readonly readers: number
  /**
   * The JPEG of the newest key frame, for a snapshot. Only this key frame is decoded, and the decoder kept for the next
   * snapshot.
   *
   * @param at arrival time of the key frame, Unix milliseconds
   * @returns undefined if too many decoders are running, the decoder fails or is busy, the stream doesn't have the key
   *   frame, or after `close`
   */
  newest(height: number | undefined, at: number): Promise<Buffer | undefined>
  /** Drops what was shown, because the camera shows something else now. */
  forget(): void
  /** Ends all outputs with their readers. */
  close(): void
}

/**
 * Milliseconds between two repetitions of the last frame. A connection on which nothing is sent for a minute is closed,
 * and a page doesn't open it again: a camera that restarts must not end the response.
 */
const repeatEvery = 25_000

/** Milliseconds for which an output is kept after a snapshot. */
export const keptFor = 5000

/** Milliseconds without snapshots of a decoder that has failed. */
const pause = 30_000

/** Outputs of one camera beyond which no snapshot starts another one: its height can be any number of pixels. */
const maxForSnapshots = 4

/** The outputs that are running. The stream is followed while there are any. */
interface RunningOutputs {
  readonly all: ReadonlyMap<number | undefined, JpegOutput>
  /** @throws ServiceError `busy` if too many decoders are running */
  add(height: number | undefined, reader?: Readable): JpegOutput
  end(output: JpegOutput): void
  /** Starts all of them again, without what was shown. */
  forget(): void
}

/** @param release ends an output that only snapshots use */
function createRunningOutputs(
  { follow, startDecoder, clock }: JpegOutputsDeps,
  release: (output: JpegOutput) => void,
): RunningOutputs {
  const all = new Map<number | undefined, JpegOutput>()
  let init: InitSegment | undefined
  let stop: (() => void) | undefined

  const stream: StreamConsumer = {
    begin(next) {
      init = next
      for (const output of all.values()) output.begin(next)
    },
    fragment(fragment, at) {
      for (const output of all.values()) output.fragment(fragment, at)
    },
    end() {
      init = undefined
      for (const output of all.values()) output.end()
    },
  }
  const start = (): (() => void) => {
    const unfollow = follow(stream)
    const stopRepeating = clock.every(repeatEvery, () => {
      for (const output of all.values()) output.repeat()
    })
    return () => (unfollow(), stopRepeating())
  }

  return {
    all,
    add(height, reader) {
      const onDisplaced = (): void => release(added)
      const added = createJpegOutput({ height, reader, startDecoder, onDisplaced, clock })
      if (init) added.begin(init)
      all.set(height, added)
      stop ??= start()
      return added
    },
    end(output) {
      if (!all.delete(output.height)) return
      output.stop()
      if (all.size > 0) return
      stop?.()
      stop = undefined
      init = undefined
    },
    forget() {
      for (const output of all.values()) {
        output.forget()
        output.end()
        if (init) output.begin(init)
      }
    },
  }
}

export function createJpegOutputs(deps: JpegOutputsDeps): JpegOutputs {
  const { follow, clock } = deps
  const { all, ...running } = createRunningOutputs(deps, (output) => release(output))
  /** Ends the time for which snapshots keep an output. */
  const kept = new Map<JpegOutput, StopTimer>()
  /** {@link Clock.elapsed} until which no snapshot is decoded here. */
  let pausedUntil = 0
  let isClosed = false

  const endUnused = (output: JpegOutput): void => {
    if (output.readers.size === 0 && !kept.has(output)) running.end(output)
  }
  const release = (output: JpegOutput): void => {
    kept.get(output)?.()
    kept.delete(output)
    endUnused(output)
  }
  const forSnapshots = (height: number | undefined): JpegOutput | undefined => {
    const known = all.get(height)
    if (known || all.size >= maxForSnapshots) return known
    try {
      return running.add(height)
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'busy') return undefined
      throw error
    }
  }

  return {
    join(reader, height) {
      if (isClosed) throw new ServiceError('not-found', { reason: 'no-such-camera' })
      const output = all.get(height) ?? running.add(height, reader)
      output.readers.add(reader)
      return output
    },
    leave(reader, height) {
      const output = all.get(height)
      if (output?.readers.delete(reader)) endUnused(output)
    },
    get readers() {
      return [...all.values()].reduce((sum, { readers }) => sum + readers.size, 0)
    },
    async newest(height, at) {
      if (isClosed || clock.elapsed() < pausedUntil) return undefined
      const output = forSnapshots(height)
      if (!output) return undefined
      kept.get(output)?.()
      kept.set(
        output,
        clock.after(keptFor, () => release(output)),
      )
      const known = output.jpegOf(at)
      if (known) return known
      const result = await output.decode(at, (to) => follow(to)())
      if (result === 'failed') {
        pausedUntil = clock.elapsed() + pause
        release(output)
      }
      return output.jpegOf(at)
    },
    forget: running.forget,
    close() {
      isClosed = true
      for (const output of all.values()) {
        for (const reader of output.readers) reader.destroy()
        release(output)
      }
    },
  }
}
