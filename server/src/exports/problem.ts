import { type AnyCodedMessage, type CodedMessage, codedMessages } from '../shared/messages/coded-message.ts'
import { english } from '../shared/messages/english.gen.ts'

/** Why an export failed: codes and the values in their messages. Stable and public. */
export interface ExportProblems {
  canceled: null
  /** Retention removed the recording before the export read it. */
  'recording-deleted': null
  'nothing-recorded': null
  /** `at`: RFC 3339. */
  'video-format-changed': { readonly at: string }
  /** `at`: RFC 3339. */
  'audio-format-changed': { readonly at: string }
  'disk-full': null
  /** A configured limit was lowered or reached after the export was requested. */
  'limit-reached': null
  'disk-error': null
  /** A recording can't be read, or for a reason that only the log has. */
  'muxing-failed': null
  /** The service ended during the export several times. */
  'too-many-interruptions': null
  'took-too-long': null
  /** The export was finished, but its file is missing. */
  'file-missing': null
}

export type ExportProblem = CodedMessage<ExportProblems>

/** An export problem with the English text of its code. */
export const exportProblem = codedMessages(english.exportReasons)

/** A problem as stored in the database. */
export const storedProblem = ({ code, values }: Omit<AnyCodedMessage, 'message'>): string =>
  JSON.stringify({ code, ...(values && { values }) })

export function problemFrom(stored: string): AnyCodedMessage {
  const { code, values } = JSON.parse(stored) as Pick<ExportProblem, 'code' | 'values'>
  return values ? exportProblem(code, values) : exportProblem(code)
}

/** An export can't continue, for a reason that is shown to users. */
export class ExportFailure extends Error {
  override readonly name = 'ExportFailure'
  readonly problem: ExportProblem
  /** Details for the log. */
  readonly seen: object | undefined

  constructor(problem: ExportProblem, seen?: object) {
    super(problem.message)
    this.problem = problem
    this.seen = seen
  }
}
