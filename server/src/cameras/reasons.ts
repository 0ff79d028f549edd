/** Failures of cameras, their settings and their live video. Reasons and the values in their texts are stable and public. */
export interface CameraReasons {
  'camera-name-taken': null
  'no-such-camera-group': null
  /** Roles that grant the group. */
  'camera-group-in-use': { readonly roles: readonly string[] }
  'connection-test-busy': null
  'no-frame': null
  'segment-expired': null
  'confirmation-not-needed': null
}
