/** Failures of reading recordings. Reasons and the values in their texts are stable and public. */
export interface RecordingReasons {
  'nothing-recorded': null
  'recording-deleted': null
  /** It is in the object storage, which doesn't respond. */
  'recording-unreachable': null
  /** `at`: RFC 3339. */
  'video-format-changed': { readonly at: string }
}
