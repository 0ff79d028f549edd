import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { killGroup } from './process-group.ts'

/** Names the process that a child belongs to, so that the next startup can find the children of a dead process. */
const variable = 'GATEHOUSE_CHILD_OF'

/** What a child of this process has in its environment. */
export const childMark = (): Readonly<Record<string, string>> => ({
  // Unlike the process id alone, never reused and unique across containers.
  [variable]: `${namespace()}:${process.pid}:${startTime(process.pid) ?? 0}`,
})

/** Number of the PID namespace; empty without /proc. */
function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')
  } catch {
    return ''
  }
}

/** Clock ticks since boot at which a process started; undefined without the process or /proc. */
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name, in parentheses, can contain spaces and parentheses. Field 22; the field after the name is field 3.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

/**
 * Kills the children of services that died without ending them.
 *
 * Finds them by the mark in their environment, so no file is needed; children of a live service stay.
 *
 * @returns the number of killed children.
 */
export function killOrphans(): number {
  let ended = 0
  let names: string[]
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return 0
  }
  for (const name of names) {
    const parent = parentOf(name)
    if (!parent) continue
    const [space, pid, start] = parent.split(':')
    if (space !== namespace() || startTime(Number(pid)) === start) continue
    killGroup(Number(name), 'SIGKILL')
    ended++
  }
  return ended
}

/** The mark of a process; undefined if it isn't a child of a service, or can't be read. */
function parentOf(pid: string): string | undefined {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
    return entries.find((entry) => entry.startsWith(`${variable}=`))?.slice(variable.length + 1)
  } catch {
    // The process belongs to another user, or has exited.
    return undefined
  }
}
