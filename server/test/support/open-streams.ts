import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect } from 'vitest'
import { onTestFinishedOrLater } from './cleanups.ts'
import type { TestClient } from './test-client.ts'

/** A stream to open. `file`: a response with a length, read so slowly that it is still being sent. */
export interface StreamSpec {
  readonly kind: string
  readonly how: 'socket' | 'endless' | 'file'
  readonly client: TestClient
  readonly path: string
  readonly range?: string
}

/** An open stream. */
export interface OpenedStream {
  readonly kind: string
  readonly isFile: boolean
  /** Resolves when the stream has ended. Fails if a file was sent as a whole. */
  ended(): Promise<void>
  /** Whether the client has seen an end. Of a file, only after {@link ended}. */
  isOver(): boolean
  close(): void
}

/** Opens a stream, until the end of the test. */
export const openStream = (spec: StreamSpec): Promise<OpenedStream> =>
  spec.how === 'socket' ? openSocket(spec) : openResponse(spec)

async function openSocket({ kind, client, path }: StreamSpec): Promise<OpenedStream> {
  const socket = client.socket(path)
  onTestFinishedOrLater(() => socket.terminate())
  socket.on('error', () => undefined)
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  await once(socket, 'open')
  return {
    kind,
    ended: () => closed,
    isFile: false,
    isOver: () => socket.readyState !== socket.OPEN,
    close: () => socket.terminate(),
  }
}

async function openResponse(spec: StreamSpec): Promise<OpenedStream> {
  const { kind, how, client, path, range } = spec
  const headers = { ...client.headers, ...(range !== undefined && { range }) }
  const request = get({ host: '127.0.0.1', port: client.port, path, headers, agent: false })
  onTestFinishedOrLater(() => void request.destroy())
  request.on('error', () => undefined)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  expect([kind, response.statusCode]).toEqual([kind, range === undefined ? 200 : 206])
  let bytes = 0
  let isOver = false
  const length = Number(response.headers['content-length'] ?? Infinity)
  response.on('error', () => undefined)
  const closed = new Promise<void>((done) => {
    response.once('close', () => {
      isOver = true
      done()
    })
  })
  const chunk = once(response, 'data')
  response.on('data', (data: Buffer) => void (bytes += data.length))
  await chunk
  if (how === 'file') response.pause()
  const ended = async () => {
    response.resume()
    await closed
    if (bytes >= length) throw new Error(`${kind} was sent as a whole`)
  }
  return { kind, isFile: how === 'file', ended, isOver: () => isOver, close: () => void request.destroy() }
}
