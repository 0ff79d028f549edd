/** Width and height in the header of a JPEG. */
export function jpegSize(jpeg: Uint8Array): { width: number; height: number } {
  const data = Buffer.from(jpeg)
  for (let at = 2; at + 9 < data.length; at += 2 + data.readUInt16BE(at + 2)) {
    const marker = data[at + 1]!
    if (marker >= 0xc0 && marker <= 0xc3) return { width: data.readUInt16BE(at + 7), height: data.readUInt16BE(at + 5) }
  }
  throw new Error('no size in the JPEG')
}
