import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { CameraSource } from '../../shared/camera/camera-source.ts'
import { systemClock } from '../../shared/time/clock.ts'
import { paramsIn } from './http-login.ts'
import { streamProblem, type StreamProblem } from './reason.ts'

/** Bytes and milliseconds of a camera's response. */
const limits = { bytes: 16_384, time: 5000 }

/** Digest algorithms that ffmpeg answers over RTSP, spelled as it compares them. */
const known = new Set(['', 'MD5', 'MD5-sess'])

/**
 * Whether ffmpeg can't answer the challenges of a response. It prefers Digest to Basic, and of several Digest challenges
 * it takes the last one, whose algorithm it then may not know.
 */
export function isUnsupportedLogin(response: string): boolean {
  if (!/^RTSP\/1\.\d 401\b/.test(response)) return false
  const challenges = response.split(/\r?\n/).flatMap((line) => /^www-authenticate:\s*(.*)$/i.exec(line)?.[1] ?? [])
  const digest = challenges.findLast((each) => /^digest\s/i.test(each))
  if (digest !== undefined) return !known.has(paramsIn(digest).get('algorithm') ?? '')
  return challenges.length > 0 && !challenges.some((each) => /^basic\s/i.test(each))
}

/**
 * Finds out whether a camera rejects right credentials too: ffmpeg reports a login that it can't answer as a wrong
 * password. The camera is asked once more, without credentials and query. A camera that can't be reached keeps its problem.
 *
 * @param signal ends the request
 */
export async function explainedLogin(
  source: CameraSource,
  problem: StreamProblem | undefined,
  signal: AbortSignal,
): Promise<StreamProblem | undefined> {
  if (problem?.code !== 'wrong-credentials' || source.kind !== 'stream') return problem
  if (source.protocol !== 'rtsp' && source.protocol !== 'rtsps') return problem
  const response = await describe(new URL(source.url), source.protocol === 'rtsps', signal)
  return isUnsupportedLogin(response) ? streamProblem('unsupported-login') : problem
}

/** @returns the head of the response to DESCRIBE, as far as it came; empty if the camera can't be reached */
async function describe(url: URL, isEncrypted: boolean, signal: AbortSignal): Promise<string> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(url.port) || (isEncrypted ? 322 : 554)
  // Cameras have self-signed certificates, and nothing secret is sent: the query can have a password, too.
  const socket = isEncrypted ? connectTls({ host, port, rejectUnauthorized: false }) : connect({ host, port })
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  const end = (): void => void socket.destroy()
  const stopTimer = systemClock.after(limits.time, end)
  signal.addEventListener('abort', end)
  let response = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    response += text
    if (response.length > limits.bytes || response.includes('\r\n\r\n')) end()
  })
  socket.on('error', end)
  const target = `${url.protocol}//${url.host}${url.pathname}`
  socket.write(`DESCRIBE ${target} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n`)
  if (signal.aborted) end()
  await closed
  stopTimer()
  signal.removeEventListener('abort', end)
  return response.slice(0, limits.bytes)
}
