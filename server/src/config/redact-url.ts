/** Replaces a secret. */
export const redacted = '***'

/** A URL reduced to its host: credentials, path and query may contain camera secrets. */
export function redactUrl(address: string): string {
  const [, scheme, authority = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/is.exec(address) ?? []
  if (scheme === undefined || scheme.toLowerCase() === 'file://') return address
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const credentials = host === authority ? '' : `${redacted}@`
  return `${scheme}${credentials}${host}${rest === '' || rest === '/' ? rest : `/${redacted}`}`
}
