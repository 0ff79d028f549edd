/** An FLV file without its metadata, and with the description of the video right before its first frame. */
export function lateVideoFlv(file: Buffer): Buffer {
  const tags: Buffer[] = []
  for (let at = 13, end = 0; at < file.length; at = end) {
    end = at + 11 + file.readUIntBE(at + 1, 3) + 4
    tags.push(file.subarray(at, end))
  }
  const video = tags.filter((tag) => tag[0] === 9)
  const begin = tags.findIndex((tag) => tag === video[1])
  const before = tags.slice(0, begin).filter((tag) => tag[0] === 8)
  return Buffer.concat([file.subarray(0, 13), ...before, video[0]!, ...tags.slice(begin)])
}
