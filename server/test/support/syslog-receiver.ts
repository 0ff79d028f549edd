import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { OutputLine } from '../../src/audit/output/output-line.ts'

/** A receiver of syslog messages. */
export interface SyslogReceiver {
  readonly port: number
  /** Every message so far, in order. */
  readonly messages: string[]
  stop(): Promise<void>
}

/** Reads messages by their length (RFC 6587). */
export async function tcpReceiver(port = 0, messages: string[] = []): Promise<SyslogReceiver> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let rest = Buffer.alloc(0)
    socket.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      for (;;) {
        const [start = '', length] = /^(\d+) /.exec(rest.toString('latin1', 0, 12)) ?? []
        const end = start.length + Number(length)
        if (!start || rest.length < end) return
        messages.push(rest.toString('utf8', start.length, end))
        rest = rest.subarray(end)
      }
    })
    socket.on('error', () => undefined)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise((resolve) => void server.close(resolve))
  }
  onTestFinished(stop)
  return { port: (server.address() as { port: number }).port, messages, stop }
}

export async function udpReceiver(): Promise<SyslogReceiver> {
  const messages: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message) => messages.push(message.toString()))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const stop = () => new Promise<void>((resolve) => void socket.close(resolve))
  onTestFinished(stop)
  return { port: socket.address().port, messages, stop }
}

const datagrams = `
import os, socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(receiver.recv(65536).decode(), flush=True)
`

/** A Unix datagram socket, as a syslog daemon has it: Node.js has none. */
export async function unixReceiver(python: string, path: string, messages: string[] = []): Promise<SyslogReceiver> {
  const child = spawn(python, ['-c', datagrams, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { promise: bound, resolve } = Promise.withResolvers<void>()
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === 'bound') resolve()
      else messages.push(line)
    }
  })
  await bound
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  onTestFinished(stop)
  return { port: 0, messages, stop }
}

/** The entry in a message. */
export const entryIn = (message: string): OutputLine => JSON.parse(message.slice(message.indexOf('{'))) as OutputLine
