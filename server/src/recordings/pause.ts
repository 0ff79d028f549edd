import type { CodedMessage } from '../shared/coded-message.ts'
import type { DiskError } from './segment-draft.ts'

/** Reasons why a camera that should be recorded isn't. Shown to every user who can see the camera. */
export interface RecordingProblems {
  'disk-full': null
  'disk-read-only': null
  'disk-slow': null
  'disk-error': null
}

export type RecordingProblem = CodedMessage<RecordingProblems>

/** The recording problem that a disk error causes. */
export function pausedBy(kind: DiskError['kind']): RecordingProblem {
  switch (kind) {
    case 'full':
      return { code: 'disk-full', message: 'The disk is full.' }
    case 'read-only':
      return { code: 'disk-read-only', message: 'The disk is not writable.' }
    case 'slow':
      return { code: 'disk-slow', message: 'The disk is too slow.' }
    case 'broken':
      return { code: 'disk-error', message: 'The disk returns errors.' }
  }
}
