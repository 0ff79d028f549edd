import ipaddr from 'ipaddr.js'

/** Under which an address is counted (RATE-4): IPv4 whole, mapped into IPv6 or not, and IPv6 by its /64. */
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
