/** Failures of decoding frames on demand. Reasons and the values in their texts are stable and public. */
export interface MediaReasons {
  'snapshot-queue-full': null
  'too-many-mjpeg-streams': null
  'no-frame': null
}
