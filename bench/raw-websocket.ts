/** Lines of the header with which a page of the service opens a WebSocket, without the end of the header. */
export const upgradeRequest = (port: number, path: string, cookie: string, tls = false): string[] => [
  `GET ${path} HTTP/1.1`,
  `host: 127.0.0.1:${port}`,
  'upgrade: websocket',
  'connection: Upgrade',
  'sec-websocket-version: 13',
  'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
  `origin: ${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
  `cookie: ${cookie}`,
]

/**
 * Counts the frames that a WebSocket server sends (RFC 6455, section 5.2), without keeping their payload.
 *
 * @param onFrame called with the opcode once the header of a frame has arrived
 * @returns takes the bytes after the handshake, in any pieces
 */
export function frameCounter(onFrame: (opcode: number) => void): (chunk: Buffer) => void {
  /** The beginning of a header, without its rest. */
  let header: Buffer = Buffer.alloc(0)
  /** Bytes of the payload that are still to come. */
  let payload = 0
  return (chunk) => {
    let bytes = header.length > 0 ? Buffer.concat([header, chunk]) : chunk
    header = Buffer.alloc(0)
    while (bytes.length > 0) {
      const skipped = Math.min(payload, bytes.length)
      payload -= skipped
      bytes = bytes.subarray(skipped)
      if (bytes.length === 0) return
      const size = headerSize(bytes)
      if (size === undefined || bytes.length < size) {
        header = Buffer.from(bytes)
        return
      }
      onFrame((bytes[0] ?? 0) & 0x0f)
      payload = payloadSize(bytes, size)
      bytes = bytes.subarray(size)
    }
  }
}

/** Bytes of the header; undefined before its length is there. A server's frames aren't masked. */
function headerSize(bytes: Buffer): number | undefined {
  const length = bytes[1]
  if (length === undefined) return undefined
  return length === 127 ? 10 : length === 126 ? 4 : 2
}

const payloadSize = (bytes: Buffer, header: number): number =>
  header === 10 ? Number(bytes.readBigUInt64BE(2)) : header === 4 ? bytes.readUInt16BE(2) : (bytes[1] ?? 0)
