/** Failures of cameras, their settings and their live video. Reasons and the values in their texts are stable and public. */
export interface CameraReasons {
  'camera-name-taken': null
  'connection-test-busy': null
  'no-frame': null
  'segment-expired': null
  'confirmation-not-needed': null
}
