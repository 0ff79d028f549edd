const boundary = 'frame'

export const mjpegType = `multipart/x-mixed-replace; boundary=${boundary}`

/** Precedes the first part. */
export const firstBoundary = `--${boundary}\r\n`

/** A frame in a body of {@link mjpegType}. Browsers show it only after the next boundary, so that follows immediately. */
export const mjpegPart = (jpeg: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`Content-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`),
    jpeg,
    Buffer.from(`\r\n--${boundary}\r\n`),
  ])
