/** Failures of changing `config.yml`. Reasons and the values in their texts are stable and public. */
export interface ConfigReasons {
  'config-problems': { readonly count: number }
  'config-not-editable': null
  'config-not-active': null
  'config-not-applied': null
  /** `error`: the system's error code, such as `EACCES`. */
  'config-not-read': { readonly error: string }
  'config-not-written': { readonly error: string }
  'disk-full': { readonly error: string }
  'config-changed': null
}
