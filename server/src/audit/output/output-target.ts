import type { OutputLine } from './output-line.ts'

/** Where an output writes: a file or a syslog receiver. */
export interface OutputTarget {
  /**
   * Resolves once every line is written, or handed to the operating system's network.
   *
   * @throws Error if any line may be missing; the same lines can be written again.
   */
  write(lines: readonly OutputLine[]): Promise<void>
  /** Never rejects. */
  close(): Promise<void>
}
