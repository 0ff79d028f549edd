import { readFileSync } from 'node:fs'

/** Clock ticks a second in which Linux counts for us, whatever the kernel's own clock does. */
const ticks = 100

/** Seconds of processor that a process has used; undefined where it is gone, or there is no /proc. */
export function cpuSecondsOf(pid: number): number | undefined {
  const stat = read(pid, 'stat')
  return stat === undefined ? undefined : cpuSecondsIn(stat)
}

/** Of a `/proc/<pid>/stat`. */
export function cpuSecondsIn(stat: string): number | undefined {
  // The name, in brackets, may hold blanks and brackets itself. Fields 14 and 15, where the one after the name is 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const used = Number(fields[11]) + Number(fields[12])
  return Number.isFinite(used) ? used / ticks : undefined
}

/** Bytes of memory that a process holds; undefined where it is gone, or there is no /proc. */
export function memoryOf(pid: number): number | undefined {
  const status = read(pid, 'status')
  return status === undefined ? undefined : memoryIn(status)
}

/** Of a `/proc/<pid>/status`, which unlike the others needs no page size. */
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
