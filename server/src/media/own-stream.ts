import type { StreamConsumer } from './stream-consumer.ts'

/**
 * Passes a stream on only while this instance may read the camera itself. A stream that comes from another instance, or
 * that goes on after the camera's lease has ended, never arrives.
 */
export function ownStream(consumer: StreamConsumer, canPull: () => boolean): StreamConsumer {
  let passing = false
  const end = (): void => {
    if (passing) consumer.end()
    passing = false
  }
  return {
    begin(init) {
      if (!canPull()) return end()
      passing = true
      consumer.begin(init)
    },
    fragment(fragment, now) {
      if (passing && !canPull()) end()
      if (passing) consumer.fragment(fragment, now)
    },
    end,
  }
}
