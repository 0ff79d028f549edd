const withPassword = /^([a-z][a-z0-9+.-]*:\/\/[^/?#:@]*:)([^/?#]+)(@.*)$/is

/** Whether the source URL itself contains a password, not a placeholder. */
export function containsPassword(source: string): boolean {
  const password = withPassword.exec(source)?.[2]
  return password !== undefined && !/^\{SERVICE_[A-Za-z0-9_]*\}$/.test(password)
}

/** The source URL with a placeholder in place of its password. */
export const withPlaceholder = (source: string, placeholder: string): string =>
  source.replace(
    withPassword,
    (_whole, before: string, _password, after: string) => `${before}{${placeholder}}${after}`,
  )

export const placeholderFor = (camera: string): string =>
  `SERVICE_CAM_${camera.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase() || 'CAMERA'}_PASSWORD`

/** The placeholder names in a source, without duplicates. */
export const placeholdersIn = (source: string): readonly string[] => [
  ...new Set(
    [...source.matchAll(/\{(SERVICE_[A-Za-z0-9_]*)\}/g)].flatMap(([, name]) => (name === undefined ? [] : [name])),
  ),
]

/** Fills in placeholders for a test, URL-encoded where the service would encode them. */
export function filled(source: string, values: ReadonlyMap<string, string>): string {
  const authority = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/.exec(source)?.[0] ?? ''
  const credentialsEnd = authority.lastIndexOf('@')
  const queryStart = authority === '' ? -1 : source.indexOf('?')
  return source.replaceAll(/\{(SERVICE_[A-Za-z0-9_]*)\}/g, (whole, name: string, at: number) => {
    const value = values.get(name)
    if (value === undefined) return whole
    const encoded = at < credentialsEnd || (queryStart >= 0 && at > queryStart)
    return encoded ? encodeURIComponent(value.toWellFormed()) : value
  })
}
