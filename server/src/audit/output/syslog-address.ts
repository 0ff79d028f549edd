/** Where syslog messages are sent. */
export type SyslogAddress =
  | { readonly transport: 'unix'; readonly path: string }
  | { readonly transport: 'udp' | 'tcp'; readonly host: string; readonly port: number }

/** @returns undefined if the text is none of `unix:/path`, `udp://host:port`, `tcp://host:port`. */
export function parseSyslogAddress(text: string): SyslogAddress | undefined {
  // A socket's path has at most 107 bytes.
  const [, path] = /^unix:(\/[^\0-\u001f]+)$/.exec(text) ?? []
  if (path !== undefined) return Buffer.byteLength(path) > 107 ? undefined : { transport: 'unix', path }
  const [, transport, ip6, name, digits] =
    /^(udp|tcp):\/\/(?:\[([0-9a-f:.]+)\]|([A-Za-z0-9._-]{1,253})):(\d{1,5})$/.exec(text) ?? []
  const host = ip6 ?? name
  const port = Number(digits)
  if (host === undefined || port < 1 || port > 65_535) return undefined
  return { transport: transport === 'udp' ? 'udp' : 'tcp', host, port }
}
