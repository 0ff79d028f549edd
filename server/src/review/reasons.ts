/** Failures of review items. Reasons and the values in their texts are stable and public. */
export interface ReviewReasons {
  'no-thumbnail': null
}
