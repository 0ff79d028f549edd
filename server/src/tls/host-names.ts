import { hostname, networkInterfaces } from 'node:os'

/** What a certificate is for. */
export interface CertificateNames {
  /** DNS names. */
  readonly names: readonly string[]
  /** IPv4 and IPv6. */
  readonly addresses: readonly string[]
}

/** Under which names and addresses this machine may be asked for, as far as it knows itself. */
export function hostNames(): CertificateNames {
  const host = hostname().toLowerCase().replace(/\.$/, '')
  const named = isDnsName(host) && host !== 'localhost'
  // A single label is found as `host.local` too, by multicast DNS.
  const names = ['localhost', ...(named ? [host] : []), ...(named && !host.includes('.') ? [`${host}.local`] : [])]
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  // A link-local IPv6 address needs a zone, with which no certificate can name it.
  const addresses = own
    .map(({ address }) => address)
    .filter((address) => !/^fe[89ab]/i.test(address) && !address.includes('%'))
  return { names, addresses: [...new Set(['127.0.0.1', '::1', ...addresses])] }
}

const isDnsName = (text: string): boolean =>
  text.length <= 200 && text.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
