/** Failures between instances. Reasons and the values in their texts are stable and public. */
export interface ClusterReasons {
  'instance-unreachable': null
  /** Its version of Gatehouse uses another protocol between instances. */
  'instance-other-protocol': null
  'no-such-instance': null
  /** It doesn't record, has no address, or is drained. */
  'instance-gets-no-camera': { readonly instance: string }
  /** `labels`: those that the camera requires, separated by commas. */
  'instance-without-labels': { readonly instance: string; readonly labels: string }
}
