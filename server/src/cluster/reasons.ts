/** Failures between instances. Reasons are stable and public. */
export interface ClusterReasons {
  'instance-unreachable': null
}
