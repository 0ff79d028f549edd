import type { AnyCodedMessage, CodedMessage } from '../shared/coded-message.ts'

/** Why an export failed: codes, and the values that their sentences hold. Stable and public. */
export interface ExportProblems {
  cancelled: null
  /** What was to be exported was removed before it was read: too old, or too much. */
  'recording-gone': null
  'nothing-recorded': null
  /** `at`: RFC 3339. */
  'picture-changed': { readonly at: string }
  'disk-full': null
  /** A limit of the configuration, made lower or reached since it was asked for. */
  'limit-reached': null
  'disk-refuses': null
  'ffmpeg-missing': null
  'ffmpeg-failed': null
  /** The service ended in the middle of it, time and again. */
  'interrupted-often': null
  'took-too-long': null
  /** It was done, and its file is not there any more. */
  'file-gone': null
}

export type ExportProblem = CodedMessage<ExportProblems>

const sentences: Readonly<Record<keyof ExportProblems, string>> = {
  cancelled: 'It was cancelled.',
  'recording-gone': 'The recording was removed before it could be exported.',
  'nothing-recorded': 'Nothing was recorded then.',
  'picture-changed': 'The camera changed its picture in between.',
  'disk-full': 'The disk is full.',
  'limit-reached': 'The exports take as much space as they may.',
  'disk-refuses': 'The disk could not be read or written.',
  'ffmpeg-missing': 'ffmpeg is not installed.',
  'ffmpeg-failed': 'ffmpeg could not make the file. The log says why.',
  'interrupted-often': 'Gatehouse was ended in the middle of it, several times.',
  'took-too-long': 'It did not get on any more.',
  'file-gone': 'Its file is gone from the disk.',
}

export const exportProblem = (code: Exclude<keyof ExportProblems, 'picture-changed'>): ExportProblem => ({
  code,
  message: sentences[code],
})

export const pictureChanged = (at: string): ExportProblem => ({
  code: 'picture-changed',
  values: { at },
  message: `The camera changed its picture at ${at}.`,
})

/** A problem as the database keeps it. */
export const keptProblem = ({ code, values }: Omit<AnyCodedMessage, 'message'>): string =>
  JSON.stringify({ code, ...(values && { values }) })

export function problemFrom(kept: string): AnyCodedMessage {
  const { code, values } = JSON.parse(kept) as Omit<AnyCodedMessage, 'message'>
  if (code === 'picture-changed') return pictureChanged((values as ExportProblems['picture-changed']).at)
  return { code, message: sentences[code as keyof ExportProblems] }
}

/** An export cannot go on, for a reason that people may read. */
export class ExportFailure extends Error {
  override readonly name = 'ExportFailure'
  readonly problem: ExportProblem
  /** What was seen of it, for the log. */
  readonly seen: object | undefined

  constructor(problem: ExportProblem, seen?: object) {
    super(problem.message)
    this.problem = problem
    this.seen = seen
  }
}
