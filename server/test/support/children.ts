import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The command line of every process on the machine, by process id; any local user can read them. */
export function commandLines(): Map<number, string> {
  return new Map(processes().map((pid) => [pid, textOf(`/proc/${pid}/cmdline`)]))
}

/** Child processes of any service, or of a given one. */
export function childrenOf(service?: number): number[] {
  return processes().filter((pid) => {
    const environment = textOf(`/proc/${pid}/environ`)
    return (
      environment.includes('GATEHOUSE_CHILD_OF=') && (service === undefined || environment.includes(`:${service}:`))
    )
  })
}

/** Child processes of a process, theirs, and so on. */
export function descendantsOf(process: number): number[] {
  const children = processes().filter((pid) => textOf(`/proc/${pid}/status`).includes(`\nPPid:\t${process}\n`))
  return [...children, ...children.flatMap(descendantsOf)]
}

/** Processes in which a service derives password hashes. */
export const hashersOf = (service: number): number[] =>
  processes().filter((pid) => isHasher(pid) && textOf(`/proc/${pid}/status`).includes(`\nPPid:\t${service}\n`))

/** Whether this process is one of them, whatever its parent is by now. */
export const isHasher = (pid: number): boolean => textOf(`/proc/${pid}/cmdline`).includes('hashing-child')

/** Whether a process exists and has been stopped by a signal. */
export const isStopped = (pid: number): boolean => textOf(`/proc/${pid}/status`).includes('\nState:\tT')

/** Those with a connection to a port. */
export function childrenReading(port: number, service?: number): number[] {
  const sockets = socketsTo(port)
  return childrenOf(service).filter((pid) => descriptorsOf(pid).some((target) => sockets.has(target)))
}

const processes = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** Empty if the process has ended. */
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

/** IPv4 ports on which a process listens. */
export const listeningPorts = (): number[] =>
  connections()
    .filter(({ state }) => state === '0A')
    .map(({ local }) => local)

export const isListening = (port: number): boolean => listeningPorts().includes(port)

/** In the form of the links in `/proc/PID/fd`. */
const socketsTo = (port: number): Set<string> =>
  new Set(
    connections()
      .filter(({ remote }) => remote === port)
      .map(({ inode }) => `socket:[${inode}]`),
  )

/** The rows of `/proc/net/tcp`, see proc(5). */
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
