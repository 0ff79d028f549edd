import { type CodedMessage, codedMessages } from '../shared/messages/coded-message.ts'
import type { DiskError } from './segments/segment-draft.ts'
import { english } from '../shared/messages/english.gen.ts'

/** Reasons why a camera that should be recorded isn't. Shown to every user who can see the camera. */
export interface RecordingProblems {
  'disk-full': null
  'disk-read-only': null
  'disk-slow': null
  'disk-error': null
}

export type RecordingProblem = CodedMessage<RecordingProblems>

/** The recording problem that a disk error causes. */
const pause = codedMessages(english.recordingReasons)

export function pausedBy(kind: DiskError['kind']): RecordingProblem {
  switch (kind) {
    case 'full':
      return pause('disk-full')
    case 'read-only':
      return pause('disk-read-only')
    case 'slow':
      return pause('disk-slow')
    case 'broken':
      return pause('disk-error')
  }
}
