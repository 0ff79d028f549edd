import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Processes that have one share of the CPU time, as systemd and container runtimes arrange it for each service. */
export interface CpuGroup {
  add(...pids: readonly number[]): void
  /** Returns its processes to the group of all others. */
  release(): void
}

const version2 = '/sys/fs/cgroup/cgroup.controllers'
const version1 = '/sys/fs/cgroup/cpu'

/**
 * A scheduling group of the kernel beside all other processes.
 *
 * @param weight as `CPUWeight=` of systemd; 100 is the default of a service
 * @returns undefined where the system has no such groups, or this user can't make one
 */
export function createCpuGroup(name: string, weight: number): CpuGroup | undefined {
  const isVersion2 = existsSync(version2)
  const root = isVersion2 ? '/sys/fs/cgroup' : version1
  const folder = join(root, `gatehouse-bench-${process.pid}-${name}`)
  try {
    mkdirSync(folder)
    if (isVersion2) writeFileSync(join(folder, 'cpu.weight'), String(weight))
    else writeFileSync(join(folder, 'cpu.shares'), String(Math.round((weight / 100) * 1024)))
  } catch {
    if (existsSync(folder)) rmdirSync(folder)
    return undefined
  }
  return {
    add: (...pids) => move(pids, folder),
    release() {
      move(readFileSync(join(folder, 'cgroup.procs'), 'utf8').trim().split('\n').filter(Boolean), root)
      rmdirSync(folder)
    },
  }
}

/** Moves processes one by one, which is all that the kernel can do. Those that have ended can't be moved. */
function move(pids: readonly (number | string)[], folder: string): void {
  for (const pid of pids) {
    if (existsSync(`/proc/${pid}`)) writeFileSync(join(folder, 'cgroup.procs'), String(pid))
  }
}

/** The weight of the Debian package's unit. */
export function weightOfUnit(): number {
  const unit = readFileSync(join(import.meta.dirname, '../packaging/debian/gatehouse.service'), 'utf8')
  const [, weight] = /^CPUWeight=(\d+)$/m.exec(unit) ?? []
  if (weight === undefined) throw new Error('the unit has no CPUWeight')
  return Number(weight)
}
