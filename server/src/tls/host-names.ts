import { hostname, networkInterfaces } from 'node:os'

/** Names and addresses for a certificate. */
export interface CertificateNames {
  /** DNS names. */
  readonly names: readonly string[]
  /** IPv4 and IPv6. */
  readonly addresses: readonly string[]
}

/** Names and addresses of this machine, as far as the machine knows them. */
export function hostNames(): CertificateNames {
  const host = hostname().toLowerCase().replace(/\.$/, '')
  const named = isDnsName(host) && host !== 'localhost'
  // Multicast DNS also resolves a single label as `host.local`.
  const names = ['localhost', ...(named ? [host] : []), ...(named && !host.includes('.') ? [`${host}.local`] : [])]
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  // A link-local IPv6 address needs a zone, which a certificate can't contain.
  const addresses = own
    .map(({ address }) => address)
    .filter((address) => !/^fe[89ab]/i.test(address) && !address.includes('%'))
  return { names, addresses: [...new Set(['127.0.0.1', '::1', ...addresses])] }
}

const isDnsName = (text: string): boolean =>
  text.length <= 200 && text.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
