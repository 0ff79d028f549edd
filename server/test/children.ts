import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The command line of every process on the machine, by its id: what everyone on it can read. */
export function commandLines(): Map<number, string> {
  return new Map(processes().map((pid) => [pid, textOf(`/proc/${pid}/cmdline`)]))
}

/** Children of any service, or of one. */
export function childrenOf(service?: number): number[] {
  return processes().filter((pid) => {
    const environment = textOf(`/proc/${pid}/environ`)
    return (
      environment.includes('GATEHOUSE_CHILD_OF=') && (service === undefined || environment.includes(`:${service}:`))
    )
  })
}

/** Processes in which a service derives passwords. */
export const hashersOf = (service: number): number[] =>
  processes().filter((pid) => isHasher(pid) && textOf(`/proc/${pid}/status`).includes(`\nPPid:\t${service}\n`))

/** Whether this process, of whichever parent by now, is one of them. */
export const isHasher = (pid: number): boolean => textOf(`/proc/${pid}/cmdline`).includes('hashing-child')

/** Those with a connection to a port. */
export function childrenReading(port: number, service?: number): number[] {
  const sockets = socketsTo(port)
  return childrenOf(service).filter((pid) => descriptorsOf(pid).some((target) => sockets.has(target)))
}

const processes = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** Empty where the process is gone. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

function descriptorsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`))
  } catch {
    return []
  }
}

/** Ports of IPv4 on which something waits for connections. */
export const listeningPorts = (): number[] =>
  connections()
    .filter(({ state }) => state === '0A')
    .map(({ local }) => local)

export const isListening = (port: number): boolean => listeningPorts().includes(port)

/** As `/proc/PID/fd` names them. */
const socketsTo = (port: number): Set<string> =>
  new Set(
    connections()
      .filter(({ remote }) => remote === port)
      .map(({ inode }) => `socket:[${inode}]`),
  )

/** The rows of proc(5)'s `/proc/net/tcp`. */
const connections = () =>
  textOf('/proc/net/tcp')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [, local = '', remote = '', state, , , , , , inode] = line.trim().split(/\s+/)
      return { local: portOf(local), remote: portOf(remote), state, inode }
    })

const portOf = (address: string): number => parseInt(address.split(':')[1] ?? '', 16)
