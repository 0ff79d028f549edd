import ipaddr from 'ipaddr.js'
import { isIP, isIPv4 } from 'node:net'
import { type CodedMessage, codedMessages } from '../messages/coded-message.ts'
import { english } from '../messages/english.gen.ts'

export interface NetworkProblems {
  /** `found`: the entry, quoted. */
  'invalid-network': { readonly found: string }
  'invalid-prefix': { readonly found: string; readonly max: number }
  'ipv4-as-ipv6': { readonly plainly: string }
}

const networkProblemOf = codedMessages(english.configProblems)

/** Whether an address is in one of the networks. IPv4-mapped IPv6 counts as IPv4; text that isn't an address is in no network. */
export type InNetworks = (address: string) => boolean

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = readonly [start: Address, bits: number]

/** Normalizes an address: no zone, IPv4-mapped IPv6 as IPv4, IPv6 as in RFC 5952; undefined if the text isn't an address. */
export function plainAddress(text: string): string | undefined {
  // The common case is already normalized: IPv4 with four decimal parts and no leading zero.
  if (isIPv4(text)) return text
  const address = parsed(text)
  return address?.kind() === 'ipv6' ? (address as ipaddr.IPv6).toRFC5952String() : address?.toString()
}

/**
 * Why an entry is neither a network (`10.0.0.0/8`, `fd00::/8`) nor an address; undefined if it is one.
 *
 * @param quoted the entry as a message can quote it
 */
export function networkProblem(
  entry: string,
  quoted = JSON.stringify(entry),
): CodedMessage<NetworkProblems> | undefined {
  const network = networkFrom(entry, quoted)
  return 'problem' in network ? network.problem : undefined
}

/** @throws {RangeError} that quotes the first invalid entry. */
export function networksFrom(entries: readonly string[]): InNetworks {
  if (entries.length === 0) return () => false
  const networks = entries.map((entry) => {
    const network = networkFrom(entry, JSON.stringify(entry))
    if ('problem' in network) throw new RangeError(`${JSON.stringify(entry)}: ${network.problem.message}`)
    return network
  })
  return (text) => {
    const address = parsed(text)
    return address !== undefined && networks.some((network) => contains(network, address))
  }
}

const contains = ([start, bits]: Network, address: Address): boolean =>
  start.kind() === address.kind() && address.match(start, bits)

function networkFrom(entry: string, found: string): Network | { readonly problem: CodedMessage<NetworkProblems> } {
  const [text = '', prefix, ...more] = entry.split('/')
  const address = more.length === 0 ? withoutZone(text) : undefined
  if (address === undefined || !isAddress(address)) {
    return { problem: networkProblemOf('invalid-network', { found }) }
  }
  const whole = isIPv4(address) ? 32 : 128
  if (prefix === undefined) return [parsed(address)!, parsed(address)!.kind() === 'ipv4' ? 32 : 128]
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > whole) {
    return { problem: networkProblemOf('invalid-prefix', { found, max: whole }) }
  }
  const start = parsed(address)!
  const bits = Number(prefix)
  if (start.kind() === 'ipv6' || whole === 32) return [start, bits]
  // `::ffff:10.0.0.0/8` read as IPv6 contains every IPv4 address; 10.0.0.0/8 was probably meant.
  if (bits >= 96) return [start, bits - 96]
  return { problem: networkProblemOf('ipv4-as-ipv6', { plainly: `${start.toString()}/…` }) }
}

function parsed(text: string): Address | undefined {
  const address = withoutZone(text)
  // isIP is stricter than ipaddr.js: no octal, hexadecimal or short forms of IPv4.
  return isAddress(address) ? ipaddr.process(address) : undefined
}

/** `isIP` also accepts zones that {@link withoutZone} leaves, which are too long for an interface name. */
const isAddress = (text: string): boolean => !text.includes('%') && isIP(text) !== 0

/** Removes the interface name, as in `fe80::1%eth0`, which is only valid on one machine. */
const withoutZone = (text: string): string => (text.includes(':') ? text.replace(/%[\w.~-]{1,32}$/, '') : text)
