import { wait } from './wait.ts'

/** The output of a service, and how to wait for a line of it. */
export function createTranscript(hasEnded: () => boolean) {
  let text = ''
  const listeners = new Set<() => void>()
  const wake = (): void => {
    for (const listener of listeners) listener()
    listeners.clear()
  }
  return {
    take(chunk: Buffer) {
      text += chunk.toString()
      wake()
    },
    wake,
    text: () => text,
    async printed(pattern: RegExp, milliseconds = 240_000): Promise<RegExpExecArray> {
      const until = Date.now() + milliseconds
      for (;;) {
        const match = pattern.exec(text)
        if (match) return match
        if (hasEnded() || Date.now() > until)
          throw new Error(`${String(pattern)} was not printed; the output ends with:\n${text.slice(-2000)}`)
        await Promise.race([
          wait(50, 'looks again whether the service has ended'),
          new Promise<void>((resume) => listeners.add(resume)),
        ])
      }
    },
  }
}

export type Transcript = ReturnType<typeof createTranscript>
