import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import { hostname } from 'node:os'
import type { AuditOutput } from './output.config.ts'
import type { OutputTarget } from './output-target.ts'
import { loggerTarget } from './logger-target.ts'
import { parseSyslogAddress } from './syslog-address.ts'
import { facilities, octetCounted, syslogMessage, type SyslogHeader } from './syslog-message.ts'
import { withinTimeout } from './within-timeout.ts'

/** @throws Error if the settings weren't checked */
export function syslogTarget({ address, facility, app_name: appName }: AuditOutput): OutputTarget {
  const to = parseSyslogAddress(address ?? '')
  const number = facilities.get(facility)
  if (!to || number === undefined) throw new Error(`not a syslog output: ${address} ${facility}`)
  const header = { facility: number, appName, hostName: hostname(), processId: process.pid }
  if (to.transport === 'unix') return loggerTarget(to.path, header)
  return to.transport === 'tcp' ? tcpTarget(to, header) : udpTarget(to, header)
}

interface Receiver {
  readonly host: string
  readonly port: number
}

/** RFC 6587. TCP doesn't say what the receiver has read: what is on its way when the receiver is killed is lost. */
function tcpTarget(to: Receiver, header: SyslogHeader): OutputTarget {
  let socket: Socket | undefined
  const close = () => {
    socket?.destroy()
    socket = undefined
  }
  const connected = async (): Promise<Socket> => {
    if (socket?.writable) return socket
    const opening = connect({ ...to, keepAlive: true })
    socket = opening
    await new Promise<void>((resolve, reject) => void opening.once('connect', resolve).once('error', reject))
    opening.on('error', close)
    // Without a reader, the end of the connection would not be noticed.
    return opening.resume().unref()
  }
  return {
    async write(lines) {
      const bytes = lines.map((line) => octetCounted(syslogMessage(line, header))).join('')
      try {
        await withinTimeout(async () => {
          const opened = await connected()
          await new Promise<void>((resolve, reject) => {
            opened.write(bytes, (error) => (error ? reject(error) : resolve()))
          })
        })
      } catch (error) {
        close()
        throw error
      }
    },
    close: () => Promise.resolve(close()),
  }
}

/** RFC 5426: one message per datagram. Nothing says whether it arrives. */
function udpTarget({ host, port }: Receiver, header: SyslogHeader): OutputTarget {
  let socket: UdpSocket | undefined
  const close = () => {
    const closing = socket
    socket = undefined
    closing?.close()
  }
  const connected = async (): Promise<UdpSocket> => {
    if (socket) return socket
    const { address, family } = await lookup(host)
    const opening = createSocket(family === 6 ? 'udp6' : 'udp4').unref()
    socket = opening
    // A connected socket reports a closed port, with a later message.
    await new Promise<void>((resolve, reject) => {
      opening.once('error', reject)
      opening.connect(port, address, () => resolve(void opening.off('error', reject)))
    })
    opening.on('error', close)
    return opening
  }
  return {
    async write(lines) {
      try {
        await withinTimeout(async () => {
          for (const line of lines) {
            const opened = await connected()
            await new Promise<void>((resolve, reject) => {
              opened.send(syslogMessage(line, header), (error) => (error ? reject(error) : resolve()))
            })
          }
        })
      } catch (error) {
        close()
        throw error
      }
    },
    close: () => Promise.resolve(close()),
  }
}
