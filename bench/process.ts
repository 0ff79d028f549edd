import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Pins a process to a core: measured processes to the first, the measuring one to the last. */
export type Core = 'measured' | 'measuring' | 'any'

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0
const canHurry = spawnSync('chrt', ['-f', '1', 'true']).status === 0
const coreOf = { measured: '0', measuring: String(availableParallelism() - 1) } as const

/** The minimal environment of a child process. */
const plainEnv = { PATH: process.env['PATH'] }

/** Kills everything this process started, however the run ends. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

/** Starts one of our programs with the current Node. */
export function startNode(
  args: readonly string[],
  {
    core,
    punctual = false,
    env = {},
    cwd,
    stdio = ['ignore', 'pipe', 'inherit'],
  }: {
    core: Core
    /** Raises the priority where the system allows it, so that waiting for a core is not measured. */
    punctual?: boolean
    env?: Record<string, string>
    cwd?: string
    stdio?: StdioOptions
  },
): ChildProcess {
  const pinned = core === 'any' || !canPin ? [] : ['taskset', '-c', coreOf[core]]
  const hurried = punctual && canHurry ? ['chrt', '-f', '1'] : []
  const [program = process.execPath, ...rest] = [...hurried, ...pinned, process.execPath, ...args]
  const child = spawn(program, rest, { cwd, stdio, env: { ...plainEnv, ...env } })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const timeout = setTimeout(() => child.kill('SIGKILL'), 6000)
  await once(child, 'exit')
  clearTimeout(timeout)
}

/** Resolves with the first match of a pattern in a child's output. */
export function printed(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-65_536)
      const match = pattern.exec(text)
      if (match) resolve(match)
    })
    child.once('exit', () => reject(new Error(`${String(pattern)} was never printed:\n${text}`)))
  })
}

/** CPU time that a process has used so far, including all its threads. Milliseconds. */
export function cpuOf(pid: number): number {
  let nanoseconds = 0
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const [used = '0'] = textOf(`/proc/${pid}/task/${task}/schedstat`).split(' ')
    nanoseconds += Number(used)
  }
  return nanoseconds / 1e6
}

/**
 * CPU time that a process has used so far, with threads that have ended, and what its ended children used.
 * Milliseconds, in steps of ten.
 */
export function totalCpuOf(pid: number): { own: number; children: number } {
  const stat = textOf(`/proc/${pid}/stat`)
  // The name, in parentheses, can contain spaces. Fields 14 to 17, in hundredths of a second; the first here is 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15).map(Number)
  return { own: (user + system) * 10, children: (childrenUser + childrenSystem) * 10 }
}

/**
 * Processor time that a process and its children have used so far, those that have ended included. Milliseconds; that of
 * ended ones in steps of ten.
 */
export function treeCpuOf(pid: number): number {
  const running = childrenOf(pid).reduce((sum, child) => sum + ifRunning(child), 0)
  return running + cpuOf(pid) + totalCpuOf(pid).children
}

/** 0 if the process has just ended: then its parent has its time. */
function ifRunning(pid: number): number {
  try {
    return cpuOf(pid)
  } catch {
    return 0
  }
}

/** Resident memory of a process, megabytes (2²⁰ bytes). */
export function memoryOf(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`)) ?? []
  return Number(kilobytes) / 1024
}

/** Running processes that a process has started. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number)
}

function parentOf(pid: string): number {
  const stat = textOf(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** Empty if the process or thread has just ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
