import { readFileSync } from 'node:fs'

/** Clock ticks per second (USER_HZ), which is 100 on Linux whatever the kernel's own clock rate. */
const ticks = 100

/** CPU seconds used by a process; undefined if the process has ended or there is no /proc. */
export function cpuSecondsOf(pid: number): number | undefined {
  const stat = read(pid, 'stat')
  return stat === undefined ? undefined : cpuSecondsIn(stat)
}

/** Reads the CPU seconds from the text of `/proc/<pid>/stat`. */
export function cpuSecondsIn(stat: string): number | undefined {
  // The name, in parentheses, can contain spaces and parentheses itself. Fields 14 and 15 are needed; the one after the name is 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const used = Number(fields[11]) + Number(fields[12])
  return Number.isFinite(used) ? used / ticks : undefined
}

/** Resident memory of a process in bytes; undefined if the process has ended or there is no /proc. */
export function memoryOf(pid: number): number | undefined {
  const status = read(pid, 'status')
  return status === undefined ? undefined : memoryIn(status)
}

/** Reads the bytes from the text of `/proc/<pid>/status`, which needs no page size, unlike `statm`. */
export function memoryIn(status: string): number | undefined {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

function read(pid: number, file: 'stat' | 'status'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return undefined
  }
}

/** CPU seconds used by the service itself. */
export function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
