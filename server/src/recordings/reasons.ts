/** Failures of reading recordings. Reasons and the values in their texts are stable and public. */
export interface RecordingReasons {
  'nothing-recorded': null
  'recording-deleted': null
  /** `at`: RFC 3339. */
  'video-format-changed': { readonly at: string }
}
