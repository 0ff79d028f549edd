import type { AnyCodedMessage, CodedMessage } from '../shared/coded-message.ts'

/** Why an export failed: codes and the values in their messages. Stable and public. */
export interface ExportProblems {
  canceled: null
  /** Retention removed the recording before the export read it. */
  'recording-deleted': null
  'nothing-recorded': null
  /** `at`: RFC 3339. */
  'video-format-changed': { readonly at: string }
  'disk-full': null
  /** A configured limit was lowered or reached after the export was requested. */
  'limit-reached': null
  'disk-error': null
  'ffmpeg-missing': null
  'ffmpeg-failed': null
  /** The service ended during the export several times. */
  'too-many-interruptions': null
  'took-too-long': null
  /** The export was finished, but its file is missing. */
  'file-missing': null
}

export type ExportProblem = CodedMessage<ExportProblems>

const messages: Readonly<Record<keyof ExportProblems, string>> = {
  canceled: 'The export was canceled.',
  'recording-deleted': 'The recording was deleted before it could be exported.',
  'nothing-recorded': 'Nothing was recorded in this time range.',
  'video-format-changed': "The camera's video format changed in between.",
  'disk-full': 'The disk is full.',
  'limit-reached': 'The space limit for exports is reached.',
  'disk-error': "Couldn't read or write the disk.",
  'ffmpeg-missing': 'ffmpeg is not installed.',
  'ffmpeg-failed': "ffmpeg couldn't create the file. See the log.",
  'too-many-interruptions': 'Gatehouse was stopped several times during the export.',
  'took-too-long': 'The export stalled.',
  'file-missing': 'The file is missing from the disk.',
}

export const exportProblem = (code: Exclude<keyof ExportProblems, 'video-format-changed'>): ExportProblem => ({
  code,
  message: messages[code],
})

export const pictureChanged = (at: string): ExportProblem => ({
  code: 'video-format-changed',
  values: { at },
  message: `The camera's video format changed at ${at}.`,
})

/** A problem as stored in the database. */
export const storedProblem = ({ code, values }: Omit<AnyCodedMessage, 'message'>): string =>
  JSON.stringify({ code, ...(values && { values }) })

export function problemFrom(kept: string): AnyCodedMessage {
  const { code, values } = JSON.parse(kept) as Omit<AnyCodedMessage, 'message'>
  if (code === 'video-format-changed') return pictureChanged((values as ExportProblems['video-format-changed']).at)
  return { code, message: messages[code as keyof ExportProblems] }
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
