import ipaddr from 'ipaddr.js'
import { networksFrom } from '../shared/http/networks.ts'
import type { CertificateNames } from './host-names.ts'

/** Names and networks that an authority can sign. */
export interface Permitted {
  /** DNS names; their subdomains are permitted too. */
  readonly names: readonly string[]
  /** IPv4 and IPv6 networks, such as `10.0.0.0/8`. */
  readonly networks: readonly string[]
}

/** Names used only in local networks: RFC 6761, 6762, 8375, ICANN's `internal`, and `lan`, which many routers use. */
const localNames = ['localhost', 'local', 'home.arpa', 'internal', 'lan']
/** Loopback, link-local and private networks; 100.64.0.0/10 is shared address space, which overlay networks use. */
const localNetworks = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]

/** Permits an authority of this machine to sign for local networks and for the machine's own names and addresses. */
export function permittedFor({ names, addresses }: CertificateNames): Permitted {
  const [isLocalName, isLocal] = [below(localNames), networksFrom(localNetworks)]
  const own = addresses.filter((address) => !isLocal(address)).map(networkOf)
  return {
    names: [...localNames, ...names.filter((name) => !isLocalName(name))],
    networks: [...new Set([...localNetworks, ...own])],
  }
}

/** Temporary IPv6 addresses change daily, so the whole /64 is permitted. */
const networkOf = (address: string): string =>
  address.includes(':')
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toRFC5952String()}/64`
    : `${address}/32`

/** Splits names and addresses into permitted ones and others. */
export function permittedPart(
  { names, addresses }: CertificateNames,
  permitted: Permitted,
): { readonly site: CertificateNames; readonly uncovered: readonly string[] } {
  const [isNameBelow, isAddressIn] = [below(permitted.names), networksFrom(permitted.networks)]
  return {
    site: { names: names.filter(isNameBelow), addresses: addresses.filter(isAddressIn) },
    uncovered: [...names.filter((name) => !isNameBelow(name)), ...addresses.filter((address) => !isAddressIn(address))],
  }
}

const below =
  (permitted: readonly string[]) =>
  (name: string): boolean =>
    permitted.some((above) => name === above || name.endsWith(`.${above}`))

/** Loaded on demand, with the rest of the X.509 library. */
const asn1 = async () => ({ ...(await import('@peculiar/asn1-schema')), ...(await import('@peculiar/asn1-x509')) })

/**
 * The value of a NameConstraints extension (RFC 5280, 4.2.1.10), DER. Without permitted networks, every address is
 * excluded: an absent list would permit all of them.
 */
export async function constraintsOf({ names, networks }: Permitted): Promise<ArrayBuffer> {
  const { AsnConvert, GeneralName, GeneralSubtree, GeneralSubtrees, NameConstraints } = await asn1()
  const ofNetworks = (from: readonly string[]) => from.map((iPAddress) => new GeneralName({ iPAddress }))
  const subtrees = (bases: readonly InstanceType<typeof GeneralName>[]) =>
    new GeneralSubtrees(bases.map((base) => new GeneralSubtree({ base })))
  const permittedSubtrees = subtrees([...names.map((dNSName) => new GeneralName({ dNSName })), ...ofNetworks(networks)])
  const excludedSubtrees = networks.length === 0 ? subtrees(ofNetworks(['0.0.0.0/0', '::/0'])) : undefined
  return AsnConvert.serialize(new NameConstraints({ permittedSubtrees, ...(excludedSubtrees && { excludedSubtrees }) }))
}

/** The reverse of {@link constraintsOf}. @throws {Error} for an invalid value. */
export async function permittedIn(constraints: ArrayBuffer): Promise<Permitted> {
  const { AsnConvert, NameConstraints } = await asn1()
  const bases = (AsnConvert.parse(constraints, NameConstraints).permittedSubtrees ?? []).map(({ base }) => base)
  return {
    names: bases.flatMap(({ dNSName }) => dNSName ?? []),
    networks: bases.flatMap(({ iPAddress }) => iPAddress ?? []),
  }
}
