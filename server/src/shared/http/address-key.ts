import ipaddr from 'ipaddr.js'

/** The key under which an address is counted (RATE-4): the whole IPv4 address, also if mapped into IPv6, or the /64 of an IPv6 address. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 64)
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : ipv6Network(parsed as ipaddr.IPv6)
}

const ipv6Network = ({ parts }: ipaddr.IPv6): string =>
  `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
