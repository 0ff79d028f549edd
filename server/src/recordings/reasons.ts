/** Failures of reading recordings. Reasons and the values in their texts are stable and public. */
export interface RecordingReasons {
  'nothing-recorded': null
  'recording-deleted': null
  /** The object storage that has it doesn't respond, or its disk fails. */
  'recording-unreachable': null
  /** `at`: RFC 3339. */
  'video-format-changed': { readonly at: string }
  /** `at`: RFC 3339. */
  'audio-format-changed': { readonly at: string }
}
