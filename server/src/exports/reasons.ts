/** Failures of exports. Reasons and the values in their texts are stable and public. */
export interface ExportReasons {
  /** Bytes. */
  'export-limit-own': { readonly needed: number; readonly left: number; readonly limit: number }
  /** Bytes. `left` is null for a caller who can't see all exports. */
  'export-limit-all': { readonly needed: number; readonly left: number | null; readonly limit: number }
  /** Bytes. `free` is null for a caller who can't see all cameras. */
  'export-no-space': { readonly needed: number; readonly free: number | null }
  /** Limit of all users together. */
  'too-many-exports': { readonly max: number }
  /** Limit of one user. */
  'too-many-own-exports': { readonly max: number }
  'too-many-export-changes': null
  'no-such-export': null
  'export-not-done': null
  'export-ended': null
  'export-file-missing': null
  'exports-disk-missing': null
}
