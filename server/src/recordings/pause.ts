import type { CodedMessage } from '../shared/coded-message.ts'
import type { DiskError } from './segment-draft.ts'

/** Why nothing is recorded though it should be, for everybody who may see the camera. */
export interface RecordingProblems {
  'disk-full': null
  'disk-read-only': null
  'disk-slow': null
  'disk-fails': null
}

export type RecordingProblem = CodedMessage<RecordingProblems>

/** What trouble with the disk means for a recording. */
export function pausedBy(kind: DiskError['kind']): RecordingProblem {
  switch (kind) {
    case 'full':
      return { code: 'disk-full', message: 'The disk is full.' }
    case 'read-only':
      return { code: 'disk-read-only', message: 'The disk cannot be written.' }
    case 'slow':
      return { code: 'disk-slow', message: 'The disk is too slow.' }
    case 'broken':
      return { code: 'disk-fails', message: 'The disk fails.' }
  }
}
