import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Limits on a child process that any user can set with util-linux. Each applies where available. */
export interface Sandbox {
  /** The command that starts a child; empty if the machine has no limit to offer. */
  readonly command: readonly string[]
  /** Options that this machine doesn't have, or doesn't permit. */
  readonly missing: readonly string[]
}

/** The child and what it starts gain no privileges, for example from setuid programs, and end with the service. */
const privileges = ['--no-new-privs', '--inh-caps=-all', '--ambient-caps=-all', '--pdeathsig=KILL']

/**
 * Only for a service with CAP_SETPCAP, such as one that root started. Without it, setpriv succeeds but writes a line to
 * the system log each time a child starts, and there's nothing to drop: the child can't gain a capability.
 */
const boundingSet = '--bounding-set=-all'

/**
 * Hard limits. A core file would contain video and camera credentials. A file that the child writes cannot grow; pipes
 * are not files. The memory, 4 GiB, is enough to decode 8K video; the limit doesn't count the program itself.
 */
const limits = ['--core=0', '--fsize=0', '--nofile=256', `--data=${4 * 2 ** 30}`]

let detected: Sandbox | undefined

/** What limits every child of this process. Detected once. */
export function ffmpegSandbox(): Sandbox {
  detected ??= detectSandbox()
  return detected
}

/**
 * @param runs whether a command exists and succeeds
 * @param status `/proc/self/status` of the service; empty if the system has none
 */
export function detectSandbox(
  runs: (command: readonly string[]) => boolean = succeeds,
  status: string = ownStatus(),
): Sandbox {
  const options = hasSetpcap(status) ? [...privileges, boundingSet] : privileges
  const setpriv = supported('setpriv', options, runs)
  const prlimit = supported('prlimit', limits, runs)
  const command = [...setpriv, ...prlimit]
  return {
    command,
    missing: [...options, ...limits].filter((option) => !command.includes(option)),
  }
}

/** Whether CAP_SETPCAP is among the effective capabilities, see capabilities(7). */
const hasSetpcap = (status: string): boolean => {
  const [, effective = '0'] = /^CapEff:\s*([\da-f]+)/m.exec(status) ?? []
  return (BigInt(`0x${effective}`) >> 8n) % 2n === 1n
}

function ownStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'latin1')
  } catch {
    return ''
  }
}

/** The program with those of its options that work; empty if none does. */
function supported(program: string, options: readonly string[], runs: (command: readonly string[]) => boolean) {
  const working = runs([program, ...options, 'true'])
    ? options
    : options.filter((option) => runs([program, option, 'true']))
  return working.length > 0 ? [program, ...working] : []
}

const succeeds = ([program = '', ...args]: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore', timeout: 5000 }).status === 0
